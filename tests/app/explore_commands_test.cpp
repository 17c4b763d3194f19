// sweep, merge, front, sensitivity as a user's shell runs them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli.h"

namespace convscope::app {
namespace {

using nlohmann::json;
using testing::HasSubstr;

std::string small_space(const TemporaryFolder& folder) {
  return folder.write("space.xml", "<space name='small'><network file='" + sample("filter_3x3") +
                                       "'/><machines target='nve'><parameter name='lanes' from='4' to='64'/>"
                                       "<parameter name='bandwidth' from='100' to='2000' step='100'/>"
                                       "<constraint reason='too wide'>lanes &lt; 64</constraint></machines></space>");
}

TEST(ExploreCommands, SweepThenFront) {
  const TemporaryFolder folder;
  const std::string results = folder.path("results.db");
  const CliResult sweep = run_cli({"sweep", small_space(folder), "-o", results});
  EXPECT_EQ(sweep.exit_code, 0) << sweep.err;
  EXPECT_THAT(sweep.out, HasSubstr("100 of 100 points (100 % of the space)"));
  EXPECT_THAT(sweep.out, HasSubstr("20 removed: too wide"));
  const CliResult front = run_cli({"front", results, "--json"});
  ASSERT_EQ(front.exit_code, 0) << front.err;
  const json report = json::parse(front.out);
  EXPECT_EQ(report["seen"], 100);
  EXPECT_EQ(report["removed"][0]["points"], 20);
  ASSERT_FALSE(report["front"].empty());
  EXPECT_EQ(report["front"][0]["parameters"]["nve.lanes"], 32);
  EXPECT_THAT(run_cli({"front", results, "--csv", "--objective", "mac_units"}).out, HasSubstr("nve.lanes"));
  EXPECT_THAT(run_cli({"front", results, "--all"}).out, HasSubstr("nve.bandwidth"));
}

TEST(ExploreCommands, ShardsMergeToTheBytesOfOneRun) {
  const TemporaryFolder folder;
  const std::string space = small_space(folder);
  ASSERT_EQ(run_cli({"sweep", space, "-o", folder.path("whole.db")}).exit_code, 0);
  for (const std::string part : {"1", "2", "3"})
    ASSERT_EQ(run_cli({"sweep", space, "-o", folder.path(part + ".db"), "--shard", part + "/3"}).exit_code, 0);
  ASSERT_EQ(
      run_cli({"merge", folder.path("3.db"), folder.path("1.db"), folder.path("2.db"), "-o", folder.path("merged.db")})
          .exit_code,
      0);
  EXPECT_TRUE(file_content(folder.path("whole.db")) == file_content(folder.path("merged.db")));
}

TEST(ExploreCommands, InterruptedKeepsWhatIsFinishedAndGoesOn) {
  const TemporaryFolder folder;
  const std::string space = folder.write(
      "space.xml",
      "<space name='s'><network file='" + sample("face_detection") +
          "'/><machines target='nve'><parameter name='lanes'>8 16 32</parameter>"
          "<parameter name='write_to_read' from='1' to='8'/><parameter name='read_to_set' from='1' to='8'/>"
          "<parameter name='set_to_use' from='1' to='4'/></machines></space>");
  const std::string results = folder.path("results.db");
  const CliResult stopped = run_cli({"sweep", space, "-o", results, "--progress"}, "points");
  EXPECT_EQ(stopped.exit_code, 3) << stopped.err;
  EXPECT_THAT(stopped.err, HasSubstr("--resume"));
  EXPECT_THAT(run_cli({"sweep", space, "-o", results}).err, HasSubstr("the file exists"));
  const CliResult seen = run_cli({"front", results, "--json"});
  ASSERT_EQ(seen.exit_code, 0) << seen.err;
  EXPECT_LT(json::parse(seen.out)["seen"].get<int>(), 768);
  EXPECT_GE(json::parse(seen.out)["seen"].get<int>(), 1);
}

TEST(ExploreCommands, RefusesMistakesBeforeAnythingRuns) {
  const TemporaryFolder folder;
  const std::string space = folder.write("space.xml",
                                         "<space name='s'><network file='none.xml'/>\n<machines "
                                         "target='nve'><parameter name='lines'>1</parameter></machines></space>");
  const CliResult refused = run_cli({"sweep", space, "-o", folder.path("results.db")});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, HasSubstr("none.xml"));
  EXPECT_THAT(refused.err, HasSubstr("space.xml:2: error: parameter 'lines'"));
  EXPECT_EQ(file_content(folder.path("results.db")), "");
  EXPECT_EQ(run_cli({"sweep", space, "-o", "x", "--shard", "3/2"}).exit_code, 2);
  EXPECT_EQ(run_cli({"front", folder.path("missing.db")}).exit_code, 1);
  EXPECT_EQ(run_cli({"front", "x", "--objective", "area"}).exit_code, 2);
}

TEST(ExploreCommands, SensitivitySaysWhatHelpsMost) {
  const CliResult result =
      run_cli({"sensitivity", sample("filter_3x3"), "--json", "--parameter", "lanes", "--parameter", "clock"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json report = json::parse(result.out);
  EXPECT_GT(report["before"]["total"]["seconds"], 0);
  bool doubled = false;
  for (const json& change : report["changes"]) {
    if (change["parameter"] != "lanes" || change["move"] != "step up") continue;
    doubled = change["to"] == "32";
    EXPECT_GT(change["gain"], 0);
    EXPECT_EQ(change["layers"].size(), report["before"]["layers"].size());
  }
  EXPECT_TRUE(doubled);
  EXPECT_THAT(run_cli({"sensitivity", sample("filter_3x3"), "--parameter", "lines"}).err,
              HasSubstr("unknown parameter 'lines'"));
}

}  // namespace
}  // namespace convscope::app
