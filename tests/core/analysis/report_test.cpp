#include "core/analysis/report.h"

#include <algorithm>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace convscope::analysis {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;

arch::ParameterValues small_machine() {
  auto description = std::make_shared<arch::MachineDescription>();
  description->target = "toy";
  arch::ParameterDescription lanes;
  lanes.name = "lanes";
  lanes.initial = 16;
  lanes.maximum = 64;
  arch::ParameterDescription memory;
  memory.name = "memory";
  memory.kind = arch::ParameterKind::choice;
  memory.choices = {"single", "dual"};
  memory.initial = 1;
  description->parameters = {lanes, memory};
  return arch::ParameterValues(description);
}

ReportLayer mapped_layer() {
  ReportLayer row;
  row.layer.name = "L1";
  row.layer.in = {1, {8, 8}};
  row.layer.out = {2, {6, 6}};
  row.layer.kernel = {3, 3};
  row.layer.stride = {1, 1};
  row.layer.inputs = {{0}, {0}};
  row.metrics.macs = row.layer.macs();
  row.metrics.cycles = {100, "cycles", Origin::derived};
  row.metrics.seconds = {1e-6, "s", Origin::derived};
  row.metrics.utilization.value = 0.4;
  row.metrics.bound = {"IREG", 90, true};
  row.metrics.target_figures = {{"mac_per_instruction", {16, "", Origin::derived}},
                                {"instructions", {200, "", Origin::derived}}};
  row.published["source"]["mac_per_instruction"] = 8;
  return row;
}

Report small_report() {
  Report report{"Net", "toy", "preset", "level", small_machine(), {mapped_layer()}, {}, {}, 1, true, {}};
  report.total = report.layers[0].metrics;
  report.figures = {{.key = "mac_per_instruction", .label = "MAC / instruction", .ratio = true},
                    {.key = "instructions"}};
  return report;
}

TEST(Report, JsonHasTheSchemasKeysInOrder) {
  const Json json = Json::parse(report_json(small_report()));
  std::vector<std::string> keys;
  for (const auto& item : json.items()) keys.push_back(item.key());
  EXPECT_THAT(keys, testing::ElementsAre("schema", "version", "network", "target", "preset", "level", "parameters",
                                         "layers", "total", "coverage", "complete"));
  EXPECT_EQ(json["parameters"]["lanes"], 16);
  EXPECT_EQ(json["parameters"]["memory"], "dual");
  const Json& layer = json["layers"][0];
  EXPECT_EQ(layer["shape"]["out"], Json({2, 6, 6}));
  EXPECT_EQ(layer["macs"], 2 * 36 * 9);
  EXPECT_EQ(layer["bytes_once"], 64 + 72);
  EXPECT_EQ(layer["bound"]["kind"], "IREG");
  EXPECT_EQ(layer["origin"], "derived");
  EXPECT_EQ(layer["published"]["source"]["mac_per_instruction"], 8);
}

TEST(Report, RatiosStayFloatingPointAndCountsIntegers) {
  const Json layer = Json::parse(report_json(small_report()))["layers"][0];
  EXPECT_TRUE(layer["toy"]["mac_per_instruction"].is_number_float());
  EXPECT_TRUE(layer["toy"]["instructions"].is_number_integer());
  EXPECT_TRUE(layer["cycles"].is_number_integer());
}

TEST(Report, CompileSecondsOnlyWithTiming) {
  Report report = small_report();
  EXPECT_FALSE(Json::parse(report_json(report)).contains("compile_seconds"));
  report.compile_seconds = 0.5;
  EXPECT_EQ(Json::parse(report_json(report))["compile_seconds"], 0.5);
}

TEST(Report, AnUnmappedLayerStatesItsReasonEverywhere) {
  Report report = small_report();
  report.layers[0].reason = "kernel too high";
  report.coverage = 0;
  const Json layer = Json::parse(report_json(report))["layers"][0];
  EXPECT_EQ(layer["mapped"], false);
  EXPECT_EQ(layer["reason"], "kernel too high");
  EXPECT_FALSE(layer.contains("toy"));
  EXPECT_THAT(report_text(report), HasSubstr("kernel too high"));
  EXPECT_THAT(report_csv(report), HasSubstr("false,kernel too high,648"));
}

TEST(Report, ANetworkWithoutMacsHasNoCoverage) {
  Report report = small_report();
  report.coverage = std::nullopt;
  EXPECT_TRUE(Json::parse(report_json(report))["coverage"].is_null());
  EXPECT_THAT(report_text(report), HasSubstr("The network has no MACs."));
  report.coverage = 1;
  EXPECT_EQ(Json::parse(report_json(report))["coverage"], 1);
  EXPECT_THAT(report_text(report), Not(HasSubstr("MACs.")));
}

TEST(Report, SimulatedFiguresReplaceDerivedOnes) {
  ReportLayer row = mapped_layer();
  target::SimulationResult result{true, true, {}, {}};
  result.counted.push_back({"frames", {3, "", Origin::simulated}});
  result.figures.push_back({"cycles", {105, "cycles", Origin::simulated}});
  result.figures.push_back({"seconds", {1.05e-6, "s", Origin::simulated}});
  apply_simulation(row, result);
  EXPECT_DOUBLE_EQ(row.metrics.cycles.value, 105);
  EXPECT_EQ(row.metrics.cycles.origin, Origin::simulated);
  EXPECT_DOUBLE_EQ(row.metrics.seconds.value, 1.05e-6);
  EXPECT_DOUBLE_EQ(row.metrics.utilization.value, 0.4);
  Report report = small_report();
  report.layers[0] = row;
  const Json simulation = Json::parse(report_json(report))["layers"][0]["simulation"];
  EXPECT_EQ(simulation, Json({{"frames", 3}, {"matches", true}}));
}

TEST(Report, TextComparesWithPublishedFigures) {
  EXPECT_THAT(report_text(small_report()), HasSubstr("+100.00 %"));
}

TEST(Report, EveryLineOfCsvHasAsManyCells) {
  const std::string csv = report_csv(small_report());
  std::vector<std::ptrdiff_t> commas;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) commas.push_back(std::count(line.begin(), line.end(), ','));
  ASSERT_EQ(commas.size(), 3u);  // header, layer, total
  EXPECT_EQ(commas[0], commas[1]);
  EXPECT_EQ(commas[0], commas[2]);
}

TEST(Report, NamesThatAreNoUtf8AreReplacedInJson) {
  Report report = small_report();
  report.network = "bad \xff name";
  EXPECT_TRUE(Json::accept(report_json(report)));
}

}  // namespace
}  // namespace convscope::analysis
