#include "core/artifact/metrics.h"

#include <set>

#include <gtest/gtest.h>

#include "core/artifact/operation.h"

namespace convscope::artifact {
namespace {

Metrics metrics() {
  Metrics result;
  result.cycles.value = 168;
  result.utilization.value = 0.97;
  result.target_figures = {{"mac_per_instruction", {13.71, "MAC", Origin::simulated}}};
  return result;
}

TEST(Metrics, FindsFiguresByTheirReportKeys) {
  const Metrics all = metrics();
  ASSERT_NE(all.find("mac_per_instruction"), nullptr);
  EXPECT_EQ(*all.find("mac_per_instruction"), (Quantity{13.71, "MAC", Origin::simulated}));
  EXPECT_EQ(all.find("cycles"), &all.cycles);
  EXPECT_EQ(all.find("seconds"), &all.seconds);
  EXPECT_EQ(all.find("utilization"), &all.utilization);
}

TEST(Metrics, FindsNothingUnderAnotherName) {
  EXPECT_EQ(metrics().find("mac_per"), nullptr);
  EXPECT_EQ(metrics().find(""), nullptr);
}

TEST(OperationClass, EachHasItsOwnName) {
  std::set<std::string_view> names;
  for (const OperationClass kind : operation_classes) names.insert(operation_class_name(kind));
  EXPECT_EQ(names.size(), std::size(operation_classes));
  EXPECT_EQ(names.count(""), 0u);
}

}  // namespace
}  // namespace convscope::artifact
