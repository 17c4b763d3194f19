#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/cli.h"

namespace convscope::app {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;

class CompareCommand : public testing::Test {
 protected:
  std::string report(const std::string& name, std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "report");
    arguments.emplace_back("--json");
    const CliResult result = run_cli(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return folder.write(name, result.out);
  }

  TemporaryFolder folder;
  std::string fusion = report("fusion.json", {sample("speed_sign")});
  std::string modulo = report("modulo.json", {sample("speed_sign"), "--level", "modulo"});
};

TEST_F(CompareCommand, TellsEachFigureOfEachLayerInTheNetworksOrder) {
  const CliResult result = run_cli({"compare", modulo, fusion, "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  const Json json = Json::parse(result.out);
  const Json before = Json::parse(file_content(modulo)), now = Json::parse(file_content(fusion));
  EXPECT_EQ(json["schema"], "convscope-comparison");
  EXPECT_EQ(json["version"], 1);
  EXPECT_EQ(json["baseline"]["level"], "modulo");
  EXPECT_EQ(json["compared"]["level"], "fusion");
  EXPECT_EQ(json["matched"], 4);
  ASSERT_EQ(json["layers"].size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    const Json& figures = json["layers"][i]["figures"];
    EXPECT_EQ(json["layers"][i]["name"], "L" + std::to_string(i + 1));
    EXPECT_EQ(figures["cycles"]["baseline"], before["layers"][i]["cycles"]);
    EXPECT_EQ(figures["cycles"]["compared"], now["layers"][i]["cycles"]);
    EXPECT_EQ(figures["seconds"]["compared"], now["layers"][i]["seconds"]);
    EXPECT_EQ(figures["macs"]["verdict"], "same");
  }
  EXPECT_EQ(json["total"]["cycles"]["verdict"], "better");
  EXPECT_EQ(json["total"]["cycles"]["difference"],
            now["total"]["cycles"].get<double>() - before["total"]["cycles"].get<double>());
}

TEST_F(CompareCommand, TheOtherWayRoundIsWorse) {
  const Json json = Json::parse(run_cli({"compare", fusion, modulo, "--json"}).out);
  EXPECT_EQ(json["total"]["cycles"]["verdict"], "worse");
  const CliResult text = run_cli({"compare", fusion, modulo});
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_THAT(text.out, HasSubstr("worse"));
  EXPECT_THAT(run_cli({"compare", fusion, modulo, "--csv"}).out, HasSubstr("L1,L1,cycles,"));
}

TEST_F(CompareCommand, TwoMachinesAreComparedInSecondsBytesAndMacs) {
  const std::string other = report("nmp.json", {sample("speed_sign"), "--target", "nmp"});
  const CliResult result = run_cli({"compare", fusion, other, "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json json = Json::parse(result.out);
  EXPECT_EQ(json["comparable"]["cycles"], false);
  EXPECT_FALSE(json["total"].contains("cycles"));
  EXPECT_TRUE(json["total"].contains("seconds"));
  EXPECT_FALSE(json["layers"][0]["figures"].contains("utilization"));
  EXPECT_EQ(json["layers"][0]["figures"]["seconds"]["origin"]["compared"], "estimate");
}

TEST_F(CompareCommand, SameFilesSameBytes) {
  EXPECT_EQ(run_cli({"compare", modulo, fusion, "--json"}).out, run_cli({"compare", modulo, fusion, "--json"}).out);
}

TEST_F(CompareCommand, RefusesFilesThatAreNoReports) {
  const std::string wrong = folder.write("wrong.json", "{\"schema\": \"something else\"}");
  const CliResult result = run_cli({"compare", wrong, folder.path("no such file"), "--json"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, HasSubstr("wrong.json: error: schema: this is no report"));
  EXPECT_THAT(result.err, HasSubstr("no such file"));
}

TEST_F(CompareCommand, WrongUsageIsTwo) {
  EXPECT_EQ(run_cli({"compare", fusion}).exit_code, 2);
  EXPECT_EQ(run_cli({"compare", fusion, modulo, "--json", "--csv"}).exit_code, 2);
  EXPECT_EQ(run_cli({"compare", fusion, modulo, "--no-such-option"}).exit_code, 2);
}

}  // namespace
}  // namespace convscope::app
