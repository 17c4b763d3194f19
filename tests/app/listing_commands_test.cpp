#include <algorithm>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/cli.h"

namespace convscope::app {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;

Json json_of(const std::vector<std::string>& arguments) {
  const CliResult result = run_cli(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return Json::parse(result.out);
}

TEST(ListingCommands, ParametersDescribeTheMachine) {
  const Json json = json_of({"parameters", "--target", "nve", "--json", "--set", "lanes=32"});
  EXPECT_EQ(json["target"], "nve");
  EXPECT_THAT(json["presets"].get<std::vector<std::string>>(), testing::Contains("nve-thesis"));
  const auto lanes = std::find_if(json["parameters"].begin(), json["parameters"].end(),
                                  [](const Json& p) { return p["name"] == "lanes"; });
  ASSERT_NE(lanes, json["parameters"].end());
  EXPECT_EQ((*lanes)["default"], 16);
  EXPECT_EQ((*lanes)["value"], 32);
  for (const char* level : {"none", "packing", "modulo", "fusion"})
    EXPECT_TRUE(
        std::any_of(json["levels"].begin(), json["levels"].end(), [&](const Json& l) { return l["name"] == level; }));
}

TEST(ListingCommands, NetworksAreTheSamplesWithTheirFigures) {
  const Json json = json_of({"networks", "--json"});
  bool face = false;
  for (const Json& network : json["networks"]) {
    EXPECT_TRUE(std::filesystem::exists(network["file"].get<std::string>()));
    face |= network["name"] == "Face Detector" && network["layers"] == 4 && network["macs"] > 78000000;
  }
  EXPECT_TRUE(face);
}

TEST(ListingCommands, FormatsAndFiguresAreListed) {
  EXPECT_FALSE(json_of({"formats", "--json"})["formats"].empty());
  const CliResult figures = run_cli({"figure", "--list"});
  EXPECT_EQ(figures.exit_code, 0);
  for (const char* id : {"nve-table1", "nve-table5", "nve-fig17", "nve-fig24", "nve-fig26", "nve-fig33", "nve-fig35",
                         "nve-fig36", "nve-fig37", "tso-table1", "tso-fig1", "tso-fig13"})
    EXPECT_THAT(figures.out, HasSubstr(id));
}

TEST(ListingCommands, AFigurePrintsAsTextJsonAndCsv) {
  EXPECT_THAT(run_cli({"figure", "nve-table1"}).out, HasSubstr("Table 1"));
  EXPECT_EQ(json_of({"figure", "nve-table1", "--json"})["rows"].size(), 10u);
  EXPECT_THAT(run_cli({"figure", "nve-table1", "--csv"}).out, testing::StartsWith("network,layer,"));
}

TEST(ListingCommands, AFigureIsDrawn) {
  const TemporaryFolder folder;
  const std::string file = folder.path("table1.svg");
  const CliResult result = run_cli({"figure", "nve-table1", "--output", file, "--theme", "dark"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(file_content(file), HasSubstr("<title>MACs, and data transfer"));
}

TEST(ListingCommands, AFigureThatCannotBeDrawnIsRefused) {
  EXPECT_EQ(run_cli({"figure", "nve-table1", "--output", "figure.txt"}).exit_code, 2);
  EXPECT_EQ(run_cli({"figure", "nve-table1", "--csv", "--output", "figure.svg"}).exit_code, 2);
  EXPECT_EQ(run_cli({"figure", "nve-table1", "--theme", "dark"}).exit_code, 2);
  EXPECT_EQ(run_cli({"figure", "unknown", "--output", "/tmp/figure.svg"}).exit_code, 1);
  EXPECT_EQ(run_cli({"figure", "nve-table1", "--output", "/nonexistent/figure.svg"}).exit_code, 1);
}

TEST(ListingCommands, HelpAndVersionAreSuccesses) {
  EXPECT_EQ(run_cli({"--help"}).exit_code, 0);
  EXPECT_EQ(run_cli({"report", "--help"}).exit_code, 0);
  EXPECT_THAT(run_cli({"--version"}).out, HasSubstr("convscope-cli"));
}

}  // namespace
}  // namespace convscope::app
