#include "core/explore/space/expression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace convscope::explore {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::optional<Expression::Value> lookup(std::string_view name) {
  if (name == "a") return 3.0;
  if (name == "nve.b") return 0.1;
  if (name == "kind") return std::string("two-banks");
  if (name == "width") return std::string("16");
  return std::nullopt;
}

std::optional<Expression::Value> value(const std::string& text) {
  Diagnostics diagnostics;
  const auto expression = Expression::parse(text, {}, diagnostics);
  EXPECT_TRUE(expression) << diagnostics.text();
  return expression ? expression->value(lookup) : std::nullopt;
}

double number(const std::string& text) {
  const auto result = value(text);
  EXPECT_TRUE(result && std::holds_alternative<double>(*result)) << text;
  return result && std::holds_alternative<double>(*result) ? std::get<double>(*result) : 1e99;
}

std::string refusal(const std::string& text) {
  Diagnostics diagnostics;
  EXPECT_FALSE(Expression::parse(text, {}, diagnostics)) << text;
  return diagnostics.text();
}

TEST(Expression, ComputesWithTheUsualRanks) {
  EXPECT_EQ(number("1 + 2 * 3 - 4 / 2"), 5);
  EXPECT_EQ(number("(1 + 2) * 3"), 9);
  EXPECT_EQ(number("10 - 3 - 2"), 5);
  EXPECT_EQ(number("-2 ^ 2"), -4);
  EXPECT_EQ(number("2 ^ -1"), 0.5);
  EXPECT_EQ(number("7 % 4"), 3);
  EXPECT_EQ(number("a*a"), 9);
  EXPECT_EQ(number("min(4, a, 7) + max(1, 2)"), 5);
  EXPECT_EQ(number("log2(8) + floor(1.5) + ceil(1.5) + round(1.4) + abs(-1)"), 8);
}

TEST(Expression, ComparesNumbersUpToRounding) {
  EXPECT_EQ(number("nve.b * 3 = 0.3"), 1);
  EXPECT_EQ(number("nve.b * 3 <= 0.3"), 1);
  EXPECT_EQ(number("nve.b * 3 > 0.3"), 0);
  EXPECT_EQ(number("a != 3 or a >= 3 and not a < 3"), 1);
}

TEST(Expression, KnowsChoicesByName) {
  EXPECT_EQ(number("kind == 'two-banks'"), 1);
  EXPECT_EQ(number("kind != 'two-banks'"), 0);
  EXPECT_EQ(number("width / 8"), 2);
  EXPECT_EQ(std::get<std::string>(*value("kind")), "two-banks");
}

TEST(Expression, HasNoValueWhereArithmeticHasNone) {
  for (const char* text : {"1 / 0", "1 % 0", "log2(0)", "unknown", "kind + 1", "kind = 3", "10 ^ 1000", "kind and 1"})
    EXPECT_FALSE(value(text)) << text;
  EXPECT_EQ(number("0 and unknown"), 0) << "what doesn't matter isn't looked at";
  EXPECT_EQ(number("1 or unknown"), 1);
}

TEST(Expression, NamesWhatItReads) {
  Diagnostics diagnostics;
  const auto expression = Expression::parse("max(a, nve.b) + a", {}, diagnostics);
  ASSERT_TRUE(expression);
  EXPECT_THAT(expression->names(), ElementsAre("a", "nve.b"));
}

TEST(Expression, RefusesWhatIsNone) {
  EXPECT_THAT(refusal(""), HasSubstr("a number, a name or a parenthesis"));
  EXPECT_THAT(refusal("1 +"), HasSubstr("character 4"));
  EXPECT_THAT(refusal("(1"), HasSubstr("')'"));
  EXPECT_THAT(refusal("1 2"), HasSubstr("an operator or the end"));
  EXPECT_THAT(refusal("sqrt(2)"), HasSubstr("log2"));
  EXPECT_THAT(refusal("log2(1, 2)"), HasSubstr("one argument"));
  EXPECT_THAT(refusal("'open"), HasSubstr("quote"));
  EXPECT_THAT(refusal("1 = 1 = 1"), HasSubstr("operator or the end"));
}

TEST(Expression, RefusesWhatIsTooDeepOrTooLong) {
  EXPECT_THAT(refusal(std::string(5000, '(')), HasSubstr("at most"));
  EXPECT_THAT(refusal(std::string(500, '(') + "1" + std::string(500, ')')), HasSubstr("at most"));
  EXPECT_THAT(refusal(std::string(500, '-') + "1"), HasSubstr("operators"));
  std::string chain = "1";
  for (int i = 0; i < 500; ++i) chain += "+1";
  EXPECT_THAT(refusal(chain), HasSubstr("operators"));
}

}  // namespace
}  // namespace convscope::explore
