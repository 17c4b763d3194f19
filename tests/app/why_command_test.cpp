#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/cli.h"

namespace convscope::app {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;

TEST(WhyCommand, SaysWhatBindsALayerOnEveryTarget) {
  for (const char* target : {"nve", "nmp", "snowflake", "cpu"}) {
    const CliResult result = run_cli({"why", sample("filter_3x3"), "--layer", "L1", "--target", target, "--json"});
    ASSERT_EQ(result.exit_code, 0) << target << result.err;
    const Json why = Json::parse(result.out);
    EXPECT_EQ(why["schema"], "convscope-why");
    EXPECT_NE(why["summary"], "") << target;
  }
}

TEST(WhyCommand, SaysWhyASlotIsAsItIs) {
  const auto slot = [](const std::string& cycle) {
    const CliResult result =
        run_cli({"why", sample("filter_3x3"), "--layer", "L1", "--cycle", cycle, "--resource", "MEMA", "--json"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return Json::parse(result.out)["slot"];
  };
  int empty = 0, taken = 0;
  for (int cycle = 40; cycle < 60; ++cycle) {
    const Json told = slot(std::to_string(cycle));
    EXPECT_EQ(told["cycle"], cycle);
    EXPECT_FALSE(told["reasons"].empty()) << cycle;
    (told.contains("operation") ? taken : empty) += 1;
  }
  EXPECT_GT(taken, 0);
  EXPECT_GT(empty, 0);
}

TEST(WhyCommand, SaysWhyEverySlotOfACycleIsAsItIs) {
  const auto why = [](std::vector<std::string> more) {
    std::vector<std::string> arguments{"why", sample("filter_3x3"), "--layer", "L1", "--cycle", "84"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const CliResult result = run_cli(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  };
  const Json slots = Json::parse(why({"--json"}))["slots"];
  ASSERT_GT(slots.size(), 4u);
  const std::string text = why({});
  for (const Json& slot : slots) {
    EXPECT_THAT(text, HasSubstr("cycle 84, " + slot["resource"].get<std::string>() + ": "));
    EXPECT_EQ(Json::parse(why({"--resource", slot["resource"], "--json"}))["slot"], slot);
  }
}

TEST(WhyCommand, RefusesWhatIsNotThere) {
  const auto refused = [](const std::vector<std::string>& more, const std::string& message) {
    std::vector<std::string> arguments{"why", sample("filter_3x3")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const CliResult result = run_cli(arguments);
    EXPECT_EQ(result.exit_code, 1) << message;
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr(message));
  };
  refused({}, "--layer");
  refused({"--layer", "L9"}, "L9");
  refused({"--layer", "L1", "--cycle", "1", "--resource", "MEMX"}, "'MEMA'");
  refused({"--layer", "L1", "--cycle", "99999999", "--resource", "MEMA"}, "no cycle 99999999");
  refused({"--layer", "L1", "--program", "7", "--cycle", "1", "--resource", "MEMA"}, "no program 7");
  EXPECT_EQ(run_cli({"why", sample("filter_3x3"), "--layer", "L1", "--resource", "MEMA"}).exit_code, 2);
}

}  // namespace
}  // namespace convscope::app
