// What reports say of batches, of sizes beyond rows and columns, and of MACs that nobody knows.

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/analysis/compare_runs.h"
#include "core/analysis/report_reader.h"
#include "tests/core/analysis/report_writing.h"

namespace convscope::analysis {
namespace {

using BatchJson = nlohmann::json;
using testing::HasSubstr;
using testing::Not;

Report report_of_one() {
  Report report = test::small_report();
  for (ReportLayer& row : report.layers) row.metrics.bytes_weights = row.mapped() ? 50 : 0;
  report.total.bytes_weights = 100;
  return report;
}

Report report_of_batch() {
  Report report = report_of_one();
  for (ReportLayer& row : report.layers) {
    row.layer.images = 4;
    if (row.mapped()) row.batch = artifact::image_after_image(row.metrics, 4, "kernels are loaded anew");
  }
  report.batch = artifact::image_after_image(report.total, 4, "kernels are loaded anew");
  return report;
}

/// The third layer convolves volumes; of the second nobody knows the MACs.
Report report_of_others() {
  Report report = test::small_report();
  network::Layer& deep = report.layers[2].layer;
  deep.kernel = {};
  deep.dense = false;
  deep.in = {3, {5 * 8, 7}};
  deep.out = {2, {3 * 6, 5}};
  deep.space = {{5, 8, 7}, {3, 6, 5}, {3, 3, 3}, {1, 2, 1}, {1, 1, 1}, {0, 1, 0, 0, 1, 0}};
  deep.other = {1234, 81, true};
  network::Layer& unknown = report.layers[1].layer;
  unknown.kernel = {};
  unknown.dense = false;
  unknown.other.known = false;
  report.layers[1].reason = "its shape is not known";
  report.coverage.reset();
  report.unknown_layers = 1;
  return report;
}

std::optional<Run> read_again(const Report& report) {
  Diagnostics diagnostics;
  return read_report(report_json(report), "report.json", {}, diagnostics);
}

TEST(BatchReport, HasAnObjectBesideTheFiguresOfOneImage) {
  const BatchJson json = BatchJson::parse(report_json(report_of_batch()));
  const BatchJson one = BatchJson::parse(report_json(report_of_one()));
  const BatchJson& layer = json["layers"][0];
  EXPECT_EQ(layer["cycles"], 100);
  EXPECT_EQ(layer["batch"]["images"], 4);
  EXPECT_EQ(layer["batch"]["cycles"], 400);
  EXPECT_EQ(layer["batch"]["bytes_in"], 4000);
  EXPECT_EQ(layer["batch"]["weights"], "fetched again");
  EXPECT_EQ(layer["batch"]["macs"], 4 * layer["macs"].get<int>());
  EXPECT_EQ(json["total"]["batch"]["cycles"], 1200);
  EXPECT_EQ(json["layers"][2]["batch"], (BatchJson{{"images", 4}, {"macs", 4 * one["layers"][2]["macs"].get<int>()}}));
  EXPECT_FALSE(one["layers"][0].contains("batch"));
  EXPECT_FALSE(one["total"].contains("batch"));
}

TEST(BatchReport, ChangesNothingElse) {
  BatchJson json = BatchJson::parse(report_json(report_of_batch()));
  for (BatchJson& layer : json["layers"]) layer.erase("batch");
  json["total"].erase("batch");
  EXPECT_EQ(json, BatchJson::parse(report_json(report_of_one())));
}

TEST(BatchReport, HasColumnsInTablesOnlyThen) {
  const Report batch = report_of_batch(), one = report_of_one();
  EXPECT_THAT(report_csv(batch), HasSubstr(",batch.images,batch.macs,batch.cycles,"));
  EXPECT_THAT(report_csv(one), Not(HasSubstr("batch")));
  EXPECT_THAT(report_text(batch), HasSubstr("batch time"));
  EXPECT_THAT(report_text(batch), HasSubstr("which are fetched again: kernels are loaded anew"));
  EXPECT_THAT(report_text(one), Not(HasSubstr("batch")));
  std::vector<std::ptrdiff_t> commas;
  const std::string csv = report_csv(batch);
  for (std::size_t begin = 0; begin < csv.size(); begin = csv.find('\n', begin) + 1) {
    const std::string line = csv.substr(begin, csv.find('\n', begin) - begin);
    const bool quoted = line.find('"') != std::string::npos;  // a reason, which may hold commas
    const std::string plain = quoted ? line.substr(0, line.find('"')) + line.substr(line.rfind('"') + 1) : line;
    commas.push_back(std::count(plain.begin(), plain.end(), ','));
  }
  for (const std::ptrdiff_t count : commas) EXPECT_EQ(count, commas.front());
}

TEST(BatchReport, IsReadAgain) {
  const auto run = read_again(report_of_batch());
  ASSERT_TRUE(run);
  EXPECT_EQ(run->layers[0].metrics.cycles.value, 100);
}

TEST(ReportOfOthers, HasAllDimensions) {
  const BatchJson json = BatchJson::parse(report_json(report_of_others()));
  const BatchJson& shape = json["layers"][2]["shape"];
  EXPECT_EQ(shape["in"], BatchJson({3, 5, 8, 7}));
  EXPECT_EQ(shape["out"], BatchJson({2, 3, 6, 5}));
  EXPECT_EQ(shape["kernel"], BatchJson({3, 3, 3}));
  EXPECT_EQ(shape["stride"], BatchJson({1, 2, 1}));
  EXPECT_EQ(shape["padding"], BatchJson({0, 1, 0, 0, 1, 0}));
  EXPECT_EQ(json["layers"][2]["macs"], 1234);
  EXPECT_EQ(json["layers"][2]["coefficients"], 83);
  EXPECT_THAT(report_text(report_of_others()), HasSubstr("2x3x6x5   3x3x3"));
  EXPECT_THAT(report_csv(report_of_others()), HasSubstr(",3x5x8x7,2x3x6x5,3x3x3,1x2x1,"));
}

TEST(ReportOfOthers, SaysWhatIsNotKnown) {
  const Report report = report_of_others();
  const BatchJson json = BatchJson::parse(report_json(report));
  EXPECT_TRUE(json["coverage"].is_null());
  EXPECT_EQ(json["unknown_layers"], 1);
  EXPECT_TRUE(json["layers"][1]["macs"].is_null());
  EXPECT_THAT(report_text(report), HasSubstr("Coverage is unknown: a layer multiplies nobody knows how much"));
  EXPECT_THAT(report_text(report), Not(HasSubstr("no MACs")));
}

TEST(ReportOfOthers, IsReadAsItWasWritten) {
  const Report report = report_of_others();
  const auto run = read_again(report);
  ASSERT_TRUE(run);
  const analysis::Run own = run_of(report);
  for (std::size_t i = 0; i < own.layers.size(); ++i)
    EXPECT_EQ(run->layers[i].identity, own.layers[i].identity) << own.layers[i].identity.name;
  EXPECT_EQ(run->unknown_layers, 1);
  const RunComparison comparison = compare_runs(*run, own);
  EXPECT_THAT(comparison.notes, testing::Contains(HasSubstr("coverage of the baseline is unknown")));
}

TEST(ReportOfOthers, LayersOfOtherDepthAreOfOtherShape) {
  const LayerIdentity layer = identity_of(report_of_others().layers[2].layer);
  LayerIdentity other = layer;
  EXPECT_TRUE(layer.same_shape(other));
  other.space.in = {8, 5, 7};  // as many rows in all
  EXPECT_FALSE(layer.same_shape(other));
}

}  // namespace
}  // namespace convscope::analysis
