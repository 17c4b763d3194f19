// JSON that is looked over before it is parsed.

#include "core/base/json_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace convscope {
namespace {

using testing::HasSubstr;

std::string json_refusal(std::string_view text, const JsonLimits& limits) {
  Diagnostics diagnostics;
  return check_json(text, "a.json", limits, "a thing", diagnostics) ? std::string() : diagnostics.text();
}

TEST(CheckJson, TakesWhatIsWithinItsLimits) {
  EXPECT_EQ(json_refusal("{\"a\": [1, 2.5, true, null, \"x\"]}", {100, 2, 7}), "");
  EXPECT_EQ(json_refusal("1", {1, 0, 1}), "");
}

TEST(CheckJson, SaysWhichLimitIsBroken) {
  EXPECT_THAT(json_refusal("[1, 2]", {5, 9, 9}), HasSubstr("at most 5 bytes"));
  EXPECT_THAT(json_refusal("[[[1]]]", {100, 2, 9}), HasSubstr("at most 2 levels"));
  EXPECT_THAT(json_refusal("[1, 2, 3]", {100, 2, 3}), HasSubstr("too many values"));
}

TEST(CheckJson, SaysWhereTextIsMalformed) {
  EXPECT_THAT(json_refusal("{\n\"a\": 1,\n\"b\" 2}", {100, 2, 9}),
              HasSubstr("a.json:3: error: malformed JSON; expected a thing"));
  EXPECT_THAT(json_refusal("\"\xff\"", {100, 2, 9}), HasSubstr("malformed"));
  EXPECT_THAT(json_refusal("", {100, 2, 9}), HasSubstr("malformed"));
}

}  // namespace
}  // namespace convscope
