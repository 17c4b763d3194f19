#include <algorithm>
#include <filesystem>
#include <regex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/cli.h"

namespace convscope::app {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;

TEST(ReportCommand, JsonHasEveryKeyOfTheContract) {
  const CliResult result = run_cli({"report", sample("face_detection"), "--target", "nve", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json json = Json::parse(result.out);
  for (const char* key :
       {"schema", "version", "network", "target", "preset", "level", "parameters", "layers", "total", "coverage"})
    EXPECT_TRUE(json.contains(key)) << key;
  EXPECT_EQ(json["schema"], "convscope-report");
  EXPECT_EQ(json["network"], "Face Detector");
  EXPECT_EQ(json["preset"], "nve-thesis");
  EXPECT_EQ(json["level"], "fusion");
  EXPECT_EQ(json["coverage"], 1);
  EXPECT_FALSE(json.contains("compile_seconds"));
  ASSERT_EQ(json["layers"].size(), 4u);
  for (const Json& layer : json["layers"]) {
    for (const char* key :
         {"name", "operator", "shape", "mapped", "macs", "cycles", "seconds", "utilization", "bytes_in", "bytes_out",
          "bytes_weights", "bound", "origin", "verified", "published", "nve"})
      EXPECT_TRUE(layer.contains(key)) << key;
    for (const char* key : {"mac_per_instruction", "effective_mac_per_instruction", "instructions",
                            "initiation_interval", "words_transferred", "programs"})
      EXPECT_TRUE(layer["nve"].contains(key)) << key;
    EXPECT_TRUE(layer["published"].contains("thesis-table5-automatic"));
    EXPECT_EQ(layer["verified"], true);
  }
  EXPECT_TRUE(json["total"]["nve"].contains("overall_mac_per_instruction"));
}

TEST(ReportCommand, SameBytesTwiceAndForAnyNumberOfThreads) {
  const std::vector<std::string> base{"report", sample("speed_sign"), "--target", "nve", "--json"};
  const auto with_threads = [&](const char* threads) {
    std::vector<std::string> arguments = base;
    arguments.insert(arguments.end(), {"--threads", threads});
    return run_cli(arguments).out;
  };
  const std::string once = run_cli(base).out;
  ASSERT_FALSE(once.empty());
  EXPECT_EQ(once, run_cli(base).out);
  EXPECT_EQ(once, with_threads("1"));
  EXPECT_EQ(once, with_threads("2"));
}

TEST(ReportCommand, LayersLevelsAndSettingsChangeWhatTheySay) {
  const CliResult result = run_cli({"report", sample("face_detection"), "--json", "--layer", "L3", "--layer", "L1",
                                    "--level", "none", "--set", "nve.lanes=32"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json json = Json::parse(result.out);
  ASSERT_EQ(json["layers"].size(), 2u);
  EXPECT_EQ(json["layers"][0]["name"], "L1");
  EXPECT_EQ(json["layers"][1]["name"], "L3");
  EXPECT_EQ(json["level"], "none");
  EXPECT_EQ(json["parameters"]["lanes"], 32);
  EXPECT_LT(json["coverage"], 1);
}

TEST(ReportCommand, SimulationConfirmsTheDerivedCycles) {
  const Json derived = Json::parse(run_cli({"report", sample("filter_3x3"), "--json"}).out);
  const CliResult result = run_cli({"report", sample("filter_3x3"), "--json", "--simulate", "--image", "seed:7"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json layer = Json::parse(result.out)["layers"][0];
  EXPECT_EQ(layer["origin"], "simulated");
  EXPECT_EQ(layer["simulation"]["matches"], true);
  EXPECT_GT(layer["simulation"]["outputs"], 0);
  EXPECT_EQ(layer["cycles"], derived["layers"][0]["cycles"]);
}

TEST(ReportCommand, CsvHasALineForEachLayerAndTheTotal) {
  const CliResult result = run_cli({"report", sample("face_detection"), "--csv"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 6);
  EXPECT_THAT(result.out, HasSubstr("nve.mac_per_instruction"));
}

TEST(ReportCommand, ASamplesNameIsEnough) {
  const CliResult by_path = run_cli({"report", sample("filter_3x3"), "--json"});
  for (const char* name : {"filter_3x3", "filter_3x3.xml"})
    EXPECT_EQ(run_cli({"report", name, "--json"}).out, by_path.out) << name;
  const CliResult none = run_cli({"report", "filter_4x4"});
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_THAT(none.err, HasSubstr("filter_4x4"));
}

TEST(ReportCommand, TimingIsShownOnlyWhenAskedFor) {
  const Json json = Json::parse(run_cli({"report", sample("filter_3x3"), "--json", "--timing"}).out);
  EXPECT_GT(json["compile_seconds"], 0);
}

TEST(ReportCommand, ProgressGoesToStderrAndOnlyWhenAskedFor) {
  const CliResult quiet = run_cli({"report", sample("filter_3x3"), "--json"});
  const CliResult loud = run_cli({"report", sample("filter_3x3"), "--json", "--progress"});
  EXPECT_EQ(quiet.err.find('%'), std::string::npos);
  EXPECT_THAT(loud.err, HasSubstr("100 %"));
  EXPECT_EQ(quiet.out, loud.out);
}

TEST(ReportCommand, InterruptedItEndsWithThreeAndWhatWasFinished) {
  const CliResult result =
      run_cli({"report", sample("speed_sign"), "--json", "--simulate", "--progress"}, "simulating L3");
  ASSERT_EQ(result.exit_code, 3) << result.err;
  EXPECT_EQ(Json::parse(result.out)["complete"], false);
  EXPECT_THAT(result.err, HasSubstr("cancelled"));
}

// Layers that are folded into others have nothing to run.
TEST(ReportCommand, SimulatesTheLayersThatTakeTime) {
  const CliResult result = run_cli({"report", sample("lenet"), "--target", "nmp", "--set", "operators=all", "--set",
                                    "borders=exact", "--simulate", "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(Json::parse(result.out)["total"]["origin"], "simulated");
}

TEST(ReportCommand, RunsALinkedNetworkAsAWhole) {
  const CliResult result = run_cli({"report", sample("lenet"), "--target", "nmp", "--set", "operators=all", "--set",
                                    "borders=exact", "--simulate", "--whole"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("run as a whole, every output equals the reference: cycles "));
}

/// Decibels between outputs and floating point, as a run of a whole network says.
double decibels(const std::string& text, const std::string& before, const std::string& after) {
  std::smatch found;
  if (!std::regex_search(text, found, std::regex(before + "([0-9.]+)" + after))) return 0;
  return std::stod(found[1].str());
}

// Integers with scales stand for real numbers, whichever machine computes: as such they come close to floating point,
// taken for numbers themselves they don't.
void expect_close_to_floats(const std::string& file) {
  const auto whole = [&](const std::string& target, const std::vector<std::string>& parameters) {
    std::vector<std::string> arguments{"report", file, "--target", target, "--simulate", "--whole"};
    for (const std::string& each : parameters) arguments.insert(arguments.end(), {"--set", each});
    return run_cli(arguments);
  };
  const CliResult snowflake = whole("snowflake", {"fixed_point=by-range"});
  EXPECT_EQ(snowflake.exit_code, 0) << snowflake.err;
  EXPECT_GT(decibels(snowflake.err, "sqnr ", ";"), 45) << snowflake.err;
  const CliResult nve = whole("nve", {"loop=on", "bias_shift=12", "local_buffer=4096"});
  EXPECT_EQ(nve.exit_code, 0) << nve.err;
  EXPECT_GT(decibels(nve.err, "outputs are ", " dB"), 25) << nve.err;
}

TEST(ReportCommand, RunsAQuantizedFileOnWhatItsIntegersStandFor) {
  const std::string file = CONVSCOPE_MODELS "/tflite/mlperf-tiny/pretrainedResnet_quant.tflite";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "the folder of real networks is absent: " << file;
  expect_close_to_floats(file);
}

TEST(ReportCommand, RunsWhatQuantizingOperatorsStandFor) {
  const std::string file = CONVSCOPE_MODELS "/onnx-real/emx/micro_kws_m_qdq.onnx";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "the folder of real networks is absent: " << file;
  expect_close_to_floats(file);
  const CliResult table = run_cli({"report", file});
  EXPECT_EQ(table.exit_code, 0);
  EXPECT_EQ(table.out.find("DequantizeLinear"), std::string::npos) << table.out;
}

}  // namespace
}  // namespace convscope::app
