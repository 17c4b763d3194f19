#include "core/figures/nve_thesis/slots.h"

#include <gtest/gtest.h>

namespace convscope::figures {
namespace {

TEST(Slots, OperationsLoseTheirOperands) {
  EXPECT_EQ(operation_name("rd 3+2c"), "rd");
  EXPECT_EQ(operation_name("set ri[0-1]"), "set ri");
  EXPECT_EQ(operation_name("set rw c0.1"), "set rw");
  EXPECT_EQ(operation_name("setsh ri"), "setsh");
  EXPECT_EQ(operation_name("sh rw"), "sh rw");
  EXPECT_EQ(operation_name("mac [rw ri]"), "mac");
  EXPECT_EQ(operation_name(""), "");
}

TEST(Slots, TheBestRotationIsFoundAndWritesAreFree) {
  const Slots published{{"rd", "mac"}, {"wr", ""}, {"", "set rb"}};
  const Slots ours{{"", ""}, {"wr", "set rb"}, {"rd", "mac"}};
  const SlotComparison comparison = compare_slots(ours, published);
  EXPECT_EQ(comparison.rotation, 2);
  EXPECT_TRUE(comparison.same_length);
  EXPECT_EQ(comparison.equal, comparison.compared);
  EXPECT_EQ(comparison.writes_compared, 2);
  EXPECT_EQ(comparison.writes_equal, 0);
}

TEST(Slots, DifferencesAreCounted) {
  const Slots published{{"rd"}, {""}}, ours{{"rd"}, {"rd"}};
  const SlotComparison comparison = compare_slots(ours, published);
  EXPECT_EQ(comparison.compared, 2);
  EXPECT_EQ(comparison.equal, 1);
  EXPECT_FALSE(compare_slots({{"rd"}}, published).same_length);
}

}  // namespace
}  // namespace convscope::figures
