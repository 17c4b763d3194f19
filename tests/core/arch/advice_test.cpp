#include "core/arch/advice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "made_up_machine.h"

namespace convscope::arch {
namespace {

using testing::HasSubstr;

class Advice : public testing::Test {
 protected:
  std::size_t index(const char* name) const { return values.description().find(name).value(); }
  void put(const char* name, double value) { values.set_at(index(name), value); }
  std::optional<double> nearest(const char* name) const { return nearest_that_holds(values, index(name)); }
  std::string problem(const char* name, const char* text) const {
    return typed_text_problem(values.description().parameters[index(name)], text);
  }
  ParameterValues values{made_up_machine()};
};

TEST_F(Advice, LeavesWhatHolds) {
  EXPECT_EQ(nearest("lanes"), 16);
  EXPECT_EQ(nearest("clock"), 100);
}

TEST_F(Advice, NamesTheNearestValueOfEachParameterOfABrokenConstraint) {
  put("registers", 13);  // lanes must be at least 26
  EXPECT_EQ(nearest("lanes"), 32);
  EXPECT_EQ(nearest("registers"), 7);
  put("stages", 7);  // 100 must divide by it
  ASSERT_TRUE(nearest("stages"));
  EXPECT_EQ(100 % static_cast<int>(*nearest("stages")), 0);
  EXPECT_EQ(nearest("stages"), 5);
}

TEST_F(Advice, NothingIfNoValueWouldDo) {
  put("lanes", 64);
  put("registers", 31);
  EXPECT_EQ(nearest("lanes"), 64);
  auto description = *values.description_pointer();
  description.constraints = {{{"lanes"}, "never", [](const ParameterValues&) { return false; }}};
  EXPECT_FALSE(nearest_that_holds(ParameterValues(std::make_shared<const MachineDescription>(description)), 0));
}

TEST_F(Advice, BringsAValueBackIntoItsRange) {
  put("clock", 1e6);
  EXPECT_EQ(nearest("clock"), 200);
}

TEST_F(Advice, ParsesUnitsAndChoices) {
  const auto& parameters = values.description().parameters;
  EXPECT_EQ(parse_value(parameters[index("bandwidth")], "16 GB/s"), 16000);
  EXPECT_EQ(parse_value(parameters[index("clock")], "0.1 GHz"), 100);
  EXPECT_EQ(parse_value(parameters[index("memory")], "banked"), 2);
  EXPECT_FALSE(parse_value(parameters[index("memory")], "1"));
}

TEST_F(Advice, ExplainsLimits) {
  EXPECT_EQ(problem("lanes", "32"), "");
  EXPECT_THAT(problem("lanes", "30"), HasSubstr("30 is not allowed: a power of two from 4 to 64; taken as 32"));
  EXPECT_THAT(problem("clock", "1 GHz"),
              HasSubstr("1000 MHz is not allowed: a number from 0.5 to 200 MHz in steps of 0.1; taken as 200 MHz"));
  EXPECT_THAT(problem("clock", "fast"), HasSubstr("‘fast’ is not understood"));
  EXPECT_THAT(problem("bandwidth", "1 KB/s"), HasSubstr("powers of 1024"));
}

// What presets and --set say goes through the same text.
TEST_F(Advice, ParametersAreSetWithUnits) {
  Diagnostics diagnostics;
  EXPECT_TRUE(values.set("bandwidth", "16 GB/s", diagnostics));
  EXPECT_TRUE(values.set("clock", "66600 kHz", diagnostics)) << diagnostics.text();
  EXPECT_EQ(values.get("bandwidth"), 16000);
  EXPECT_EQ(values.get("clock"), 66.6);
  EXPECT_FALSE(values.set("clock", "66.6 MB/s", diagnostics));
  EXPECT_FALSE(values.set("lanes", "16 MHz", diagnostics));
  EXPECT_EQ(values.get("lanes"), 16);
}

}  // namespace
}  // namespace convscope::arch
