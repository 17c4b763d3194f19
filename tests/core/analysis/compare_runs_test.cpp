// Whole runs side by side, from the engine's reports and from files.

#include "core/analysis/compare_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/analysis/report_reader.h"
#include "tests/core/analysis/report_writing.h"

namespace convscope::analysis {
namespace {

using testing::HasSubstr;
using Json = nlohmann::ordered_json;

analysis::Run read_back(const Report& report) {
  Diagnostics diagnostics;
  const auto run = read_report(report_json(report), "report.json", {}, diagnostics);
  EXPECT_TRUE(run) << diagnostics.text();
  return run.value_or(analysis::Run{});
}

TEST(ReportReader, ReadsBackWhatIsWritten) {
  const Report report = test::small_report();
  const analysis::Run read = read_back(report), direct = run_of(report);
  EXPECT_EQ(read.network, "Net");
  EXPECT_EQ(read.parameters.at("clock"), direct.parameters.at("clock"));
  EXPECT_EQ(read.coverage, 0.9);
  ASSERT_EQ(read.layers.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(read.layers[i].identity, direct.layers[i].identity);
    EXPECT_EQ(read.layers[i].reason, direct.layers[i].reason);
    EXPECT_EQ(read.layers[i].metrics.macs, direct.layers[i].metrics.macs);
    for (const char* key : {"cycles", "seconds", "utilization", "bytes_in"})
      EXPECT_EQ(figure(read.layers[i].metrics, key), figure(direct.layers[i].metrics, key)) << key;
  }
  EXPECT_EQ(read.layers[0].metrics.seconds.origin, Origin::estimate);
  EXPECT_EQ(read.layers[0].metrics.text("partition"), "KS");
  EXPECT_EQ(read.layers[0].metrics.find("tile.TR")->value, 3);
}

TEST(ReportReader, ANetworkWithoutMacsHasNoCoverage) {
  Report report = test::small_report();
  report.coverage = std::nullopt;
  const analysis::Run run = read_back(report);
  EXPECT_EQ(run.coverage, std::nullopt);
  const RunComparison comparison = compare_runs(run, run);
  EXPECT_THAT(comparison.notes, testing::Not(testing::Contains(HasSubstr("of its MACs"))));
  EXPECT_TRUE(Json::parse(comparison_json(run, run, comparison))["compared"]["coverage"].is_null());
}

TEST(CompareRuns, AReportIsItsOwnEqual) {
  const analysis::Run run = read_back(test::small_report());
  const RunComparison comparison = compare_runs(run, run);
  EXPECT_EQ(comparison.matched, 3);
  for (const ComparedLayer& layer : comparison.layers)
    for (const FigureDifference& each : layer.figures) EXPECT_EQ(each.verdict, Verdict::same) << each.key;
  for (const FigureDifference& each : comparison.total) EXPECT_EQ(each.verdict, Verdict::same) << each.key;
  EXPECT_TRUE(comparison.parameters.empty());
}

TEST(CompareRuns, FilesAndTheEngineGiveTheSame) {
  const Report now = test::small_report(0.5), before = test::small_report();
  const RunComparison from_files = compare_runs(read_back(now), read_back(before));
  const RunComparison direct = compare_runs(run_of(now), run_of(before));
  ASSERT_EQ(from_files.layers.size(), direct.layers.size());
  for (std::size_t i = 0; i < direct.layers.size(); ++i) {
    EXPECT_EQ(from_files.layers[i].figures.size(), direct.layers[i].figures.size());
    for (std::size_t f = 0; f < direct.layers[i].figures.size(); ++f) {
      EXPECT_EQ(from_files.layers[i].figures[f].key, direct.layers[i].figures[f].key);
      EXPECT_EQ(from_files.layers[i].figures[f].absolute, direct.layers[i].figures[f].absolute);
      EXPECT_EQ(from_files.layers[i].figures[f].origin(), direct.layers[i].figures[f].origin());
    }
  }
}

TEST(CompareRuns, LayersThatAreNotMappedCompareTheirWorkAlone) {
  const RunComparison comparison = compare_runs(run_of(test::small_report(2)), run_of(test::small_report()));
  ASSERT_EQ(comparison.layers[2].figures.size(), 1u);
  EXPECT_EQ(comparison.layers[2].figures[0].key, "macs");
  EXPECT_EQ(comparison.layers[2].reason, "too many \"maps\"");
}

TEST(CompareRuns, WhatOnlyTheBaselineHasStandsWhereItWas) {
  analysis::Run now = run_of(test::small_report());
  const analysis::Run before = now;
  now.layers.erase(now.layers.begin() + 1);
  now.layers.push_back(now.layers.back());
  now.layers.back().identity.name = "new";
  now.layers.back().identity.out.maps = 77;
  const RunComparison comparison = compare_runs(now, before);
  ASSERT_EQ(comparison.layers.size(), 4u);
  EXPECT_EQ(comparison.layers[1].name, "");
  EXPECT_EQ(comparison.layers[1].reference_name, "L2");
  EXPECT_EQ(comparison.layers[3].name, "new");
  EXPECT_EQ(comparison.layers[3].matched_by, LayerMatch::By::none);
  EXPECT_TRUE(comparison.layers[3].figures.empty());
}

TEST(CompareRuns, TotalsOfDifferentLayersAreNotJudged) {
  analysis::Run now = run_of(test::small_report(2));
  const analysis::Run before = run_of(test::small_report());
  EXPECT_TRUE(compare_runs(now, before).whole);
  now.layers[1].reason = "too wide";
  const RunComparison comparison = compare_runs(now, before);
  EXPECT_FALSE(comparison.whole);
  EXPECT_EQ(comparison.common_layers, 1);
  for (const FigureDifference& each : comparison.common) {
    EXPECT_NE(each.key, "utilization");
    if (each.key == "cycles") {
      EXPECT_EQ(each.value->value, 200);
      EXPECT_EQ(each.reference->value, 100);
    }
  }
  const std::string text = comparison_text(now, before, comparison);
  EXPECT_THAT(text, HasSubstr("\nboth "));
  EXPECT_THAT(text, HasSubstr("L2 is not mapped here: too wide"));
}

TEST(CompareRuns, OtherMachinesAreComparedInSecondsBytesAndMacs) {
  const RunComparison comparison =
      compare_runs(run_of(test::small_report(1, "other")), run_of(test::small_report(1, "toy")));
  EXPECT_EQ(comparison.comparability, (Comparability{false, false}));
  for (const FigureDifference& each : comparison.layers[0].figures)
    EXPECT_TRUE(each.key == "macs" || each.key == "seconds" || each.key.substr(0, 5) == "bytes") << each.key;
  EXPECT_THAT(comparison.notes.front(), HasSubstr("only seconds, bytes and MACs"));
}

TEST(CompareRuns, OtherClocksLeaveCyclesOut) {
  Report faster = test::small_report();
  faster.machine.set_at(0, 200);
  const RunComparison comparison = compare_runs(run_of(faster), run_of(test::small_report()));
  EXPECT_EQ(comparison.comparability, (Comparability{false, true}));
  ASSERT_EQ(comparison.parameters.size(), 1u);
  EXPECT_EQ(comparison.parameters[0].name, "clock");
}

TEST(CompareRuns, JsonHasItsSchema) {
  const analysis::Run now = run_of(test::small_report(0.5)), before = run_of(test::small_report());
  const Json json = Json::parse(comparison_json(now, before, compare_runs(now, before)));
  std::vector<std::string> keys;
  for (const auto& item : json.items()) keys.push_back(item.key());
  EXPECT_EQ(keys, (std::vector<std::string>{"schema", "version", "baseline", "compared", "parameters", "comparable",
                                            "matched", "layers", "total", "common", "common_layers", "notes"}));
  EXPECT_EQ(json["layers"][0]["figures"]["cycles"]["difference"], -50);
  EXPECT_EQ(json["layers"][0]["figures"]["cycles"]["verdict"], "better");
  EXPECT_EQ(json["layers"][0]["figures"]["seconds"]["origin"]["compared"], "estimate");
  EXPECT_EQ(json["layers"][0]["figures"]["partition"]["baseline"], "KS");
  EXPECT_EQ(json["layers"][2]["reason"], "too many \"maps\"");
  EXPECT_EQ(json["total"]["cycles"]["relative"], -0.5);
}

TEST(CompareRuns, TextAndCsvSayTheSame) {
  const analysis::Run now = run_of(test::small_report(0.5)), before = run_of(test::small_report());
  const RunComparison comparison = compare_runs(now, before);
  const std::string text = comparison_text(now, before, comparison);
  EXPECT_THAT(text, HasSubstr("-50.00 %  better"));
  EXPECT_THAT(text, HasSubstr("note: "));
  EXPECT_THAT(comparison_csv(comparison), HasSubstr("L1,L1,cycles,100,50,-50,-0.5,better,derived,derived\n"));
}

}  // namespace
}  // namespace convscope::analysis
