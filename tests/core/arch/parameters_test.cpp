#include "core/arch/parameters.h"

#include <clocale>
#include <cmath>
#include <limits>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "made_up_machine.h"

namespace convscope::arch {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

class Parameters : public testing::Test {
 protected:
  bool set(const std::string& name, const std::string& text) { return values.set(name, text, diagnostics); }
  const ParameterDescription& described(const std::string& name) const {
    return values.description().parameters[values.description().find(name).value()];
  }
  std::string text(const std::string& name) const { return values.text(values.description().find(name).value()); }

  ParameterValues values{made_up_machine()};
  Diagnostics diagnostics;
};

TEST_F(Parameters, StartAtTheirDefaults) {
  EXPECT_EQ(values.get_int("lanes"), 16);
  EXPECT_EQ(values.get("clock"), 100);
  EXPECT_EQ(values.get_choice("memory"), "dual");
  EXPECT_TRUE(values.check(diagnostics)) << diagnostics.text();
}

TEST_F(Parameters, AreFoundWithAndWithoutTheirTarget) {
  EXPECT_EQ(values.description().find("stages"), 2u);
  EXPECT_EQ(values.description().find("toaster.stages"), 2u);
  EXPECT_EQ(values.description().find("oven.stages"), std::nullopt);
  EXPECT_EQ(values.description().find("toaster."), std::nullopt);
  EXPECT_EQ(values.description().find(""), std::nullopt);
}

TEST_F(Parameters, AreSetFromText) {
  EXPECT_TRUE(set("lanes", "32"));
  EXPECT_TRUE(set("toaster.registers", "7"));
  EXPECT_TRUE(set("clock", "66.6"));
  EXPECT_TRUE(set("bandwidth", "1.5e3"));
  EXPECT_TRUE(set("memory", "banked"));
  EXPECT_TRUE(diagnostics.empty()) << diagnostics.text();
  EXPECT_EQ(values.get_int("lanes"), 32);
  EXPECT_EQ(values.get_int("registers"), 7);
  EXPECT_EQ(values.get("clock"), 66.6);
  EXPECT_EQ(values.get("bandwidth"), 1500);
  EXPECT_EQ(values.get_choice("memory"), "banked");
}

TEST_F(Parameters, AreAcceptedAtBothLimits) {
  for (const char* accepted : {"4", "64"}) EXPECT_TRUE(set("lanes", accepted));
  for (const char* accepted : {"1", "31"}) EXPECT_TRUE(set("registers", accepted));
  for (const char* accepted : {"0", "8"}) EXPECT_TRUE(set("stages", accepted));
  for (const char* accepted : {"0.5", "200"}) EXPECT_TRUE(set("clock", accepted));
  EXPECT_TRUE(diagnostics.empty()) << diagnostics.text();
}

TEST_F(Parameters, AreWrittenAsTheyAreRead) {
  EXPECT_EQ(text("lanes"), "16");
  EXPECT_EQ(text("clock"), "100");
  EXPECT_EQ(text("memory"), "dual");
  set("bandwidth", "1e8");
  EXPECT_EQ(text("bandwidth"), "100000000");
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    const double value = std::uniform_real_distribution(1.0, 1e9)(random);
    values.set_at(4, value);
    ASSERT_TRUE(set("bandwidth", values.text(4)));
    ASSERT_EQ(values.get("bandwidth"), value);
  }
}

TEST_F(Parameters, IgnoreTheLocale) {
  const char* comma = std::setlocale(LC_ALL, "de_DE.UTF-8");
  EXPECT_TRUE(set("clock", "66.6"));
  EXPECT_FALSE(set("clock", "66,6"));
  EXPECT_EQ(text("clock"), "66.6");
  if (comma != nullptr) std::setlocale(LC_ALL, "C");
}

TEST_F(Parameters, CompareByValue) {
  ParameterValues other(made_up_machine());
  EXPECT_TRUE(values == other);
  other.set_at(0, 32);
  EXPECT_FALSE(values == other);
}

TEST_F(Parameters, RefuseMalformedNumbersAndChangeNothing) {
  for (const char* refused : {"", " ", "x", "16x", "1 6", "+16", "0x10", "nan", "inf", "-inf", "1e999", "16 MB/s"}) {
    Diagnostics found;
    EXPECT_FALSE(values.set("lanes", refused, found)) << refused;
    EXPECT_FALSE(values.set("clock", refused, found)) << refused;
    EXPECT_EQ(found.items().size(), 2u);
  }
  EXPECT_TRUE(values == ParameterValues(made_up_machine()));
}

TEST_F(Parameters, RefuseValuesBeyondTheirLimitsAndChangeNothing) {
  const std::pair<const char*, const char*> refused[] = {
      {"lanes", "2"},     {"lanes", "128"},    {"lanes", "24"},      {"lanes", "16.5"},  {"registers", "0"},
      {"registers", "2"}, {"registers", "34"}, {"stages", "-1"},     {"stages", "9"},    {"stages", "1.5"},
      {"clock", "0.4"},   {"clock", "200.1"},  {"clock", "100.05"},  {"bandwidth", "0"}, {"bandwidth", "1e10"},
      {"memory", "3"},    {"memory", "Dual"},  {"memory", "single "}};
  for (const auto& [name, value] : refused) {
    EXPECT_FALSE(set(name, value)) << name << " = " << value;
    EXPECT_TRUE(values == ParameterValues(made_up_machine()));
  }
  EXPECT_EQ(diagnostics.items().size(), std::size(refused));
}

TEST_F(Parameters, DiagnosticsNameParameterValueAndLimits) {
  set("lanes", "25");
  set("clock", "300");
  set("registers", "x");
  set("memory", "duel");
  EXPECT_EQ(diagnostics.text(),
            "error: parameter 'lanes': 25 is not allowed; expected a power of two from 4 to 64; hint: the nearest "
            "allowed value is 32\n"
            "error: parameter 'clock': 300 MHz is out of range; expected a number from 0.5 to 200 MHz in steps of 0.1; "
            "hint: the nearest allowed value is 200\n"
            "error: parameter 'registers': 'x' is not a number; expected an integer from 1 to 31 in steps of 3; hint: "
            "write digits, with a point and without a unit\n"
            "error: parameter 'memory': 'duel' is not a choice; expected one of single, dual, banked; hint: did you "
            "mean 'dual'?\n");
}

TEST_F(Parameters, DiagnosticsSayWhereTheTextCameFrom) {
  values.set("lanes", "1", diagnostics, {"preset.xml", 4, "option --set"});
  EXPECT_THAT(diagnostics.text(), testing::StartsWith("preset.xml:4: error: option --set: 1 is out of range"));
}

TEST_F(Parameters, UnknownNamesAreCorrected) {
  EXPECT_FALSE(set("lnaes", "16"));
  EXPECT_FALSE(set("toaster.band-width", "16"));
  EXPECT_FALSE(set("zzzzzzzzzzzz", "16"));
  EXPECT_FALSE(set(std::string(1 << 20, 'l'), "16"));
  const auto& items = diagnostics.items();
  EXPECT_EQ(items[0].hint, "did you mean 'lanes'?");
  EXPECT_EQ(items[1].hint, "did you mean 'bandwidth'?");
  EXPECT_THAT(items[2].hint, testing::StartsWith("there are lanes, registers"));
  EXPECT_LT(items[3].text().size(), 500u);
}

TEST_F(Parameters, BrokenConstraintsAreToldWithTheirValues) {
  values.set_at(0, 4);
  EXPECT_FALSE(values.check(diagnostics));
  EXPECT_EQ(diagnostics.text(),
            "error: parameters 'registers', 'lanes': registers = 4, lanes = 4 do not go together; expected lanes must "
            "be at least twice the registers; hint: change registers or lanes\n");
}

TEST_F(Parameters, CheckTellsEverythingAtOnce) {
  values.set_at(0, 4);
  values.set_at(2, 3);
  values.set_at(3, std::nan(""));
  values.set_at(5, 7);
  EXPECT_FALSE(values.check(diagnostics));
  EXPECT_EQ(diagnostics.items().size(), 4u) << diagnostics.text();
}

TEST_F(Parameters, ConstraintsAreNotAskedAboutValuesOutOfRange) {
  values.set_at(0, infinity);
  EXPECT_FALSE(values.check(diagnostics));
  ASSERT_EQ(diagnostics.items().size(), 1u);
  EXPECT_EQ(diagnostics.items()[0].where.element, "parameter 'lanes'");
}

TEST_F(Parameters, NearestAllowedIsAllowed) {
  std::mt19937 random(2);
  for (const ParameterDescription& parameter : values.description().parameters) {
    for (int round = 0; round < 500; ++round) {
      const double wanted = std::uniform_real_distribution(-50.0, 300.0)(random);
      const double nearest = nearest_allowed(parameter, wanted);
      ASSERT_EQ(range_violation(parameter, nearest), std::nullopt) << parameter.name << " " << wanted << " " << nearest;
      ASSERT_DOUBLE_EQ(nearest_allowed(parameter, nearest), nearest);
    }
    for (const double odd : {infinity, -infinity, std::nan(""), 1e300})
      ASSERT_EQ(range_violation(parameter, nearest_allowed(parameter, odd)), std::nullopt) << parameter.name;
  }
}

TEST_F(Parameters, NearestAllowedIsNearest) {
  EXPECT_EQ(nearest_allowed(described("lanes"), 23), 16);
  EXPECT_EQ(nearest_allowed(described("lanes"), 25), 32);
  EXPECT_EQ(nearest_allowed(described("registers"), 5.4), 4);
  EXPECT_EQ(nearest_allowed(described("registers"), 5.6), 7);
  EXPECT_EQ(nearest_allowed(described("registers"), 500), 31);
  EXPECT_DOUBLE_EQ(nearest_allowed(described("clock"), 66.64), 66.6);
  EXPECT_EQ(nearest_allowed(described("bandwidth"), 3.14159), 3.14159);
  EXPECT_EQ(nearest_allowed(described("memory"), 1.6), 2);
}

TEST(ParametersDeathTest, RefuseNamesThatNoneDescribed) {
#ifndef NDEBUG
  EXPECT_DEATH(ParameterValues(made_up_machine()).get("lnaes"), "index");
  EXPECT_DEATH(ParameterValues(made_up_machine()).get_choice("lanes"), "choice");
#else
  GTEST_SKIP() << "assertions are off";
#endif
}

}  // namespace
}  // namespace convscope::arch
