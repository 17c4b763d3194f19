// Batches, and work that no target maps, as a user of the command line sees them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/cli.h"

namespace convscope::app {
namespace {

using BatchJson = nlohmann::json;
using testing::HasSubstr;

/// A convolution of 16 maps of 12 x 12, written as ONNX; sizes as ONNX's text has them.
std::string onnx_text(const std::string& batch, const std::string& rows = "dim_value: 12") {
  return R"(ir_version: 8
graph {
  name: "small"
  node { input: "x" input: "w" output: "y" name: "conv" op_type: "Conv" }
  initializer { name: "w" data_type: 1 dims: 4 dims: 16 dims: 3 dims: 3 }
  input { name: "x" type { tensor_type { elem_type: 1 shape { dim { )" +
         batch + " } dim { dim_value: 16 } dim { " + rows + R"( } dim { dim_value: 12 } } } } }
  output { name: "y" type { tensor_type { elem_type: 1 } } }
}
opset_import { domain: "" version: 13 }
)";
}

/// A convolution that machines map and a transposed one, of sixteen times the work, that they don't.
const char* const mostly_transposed = R"(<layer_list name="up">
  <input name="image" maps="16" height="16" width="16"/>
  <conv name="first" maps="16" kernel="3" pad="1"/>
  <transposed_conv name="up" maps="64" kernel="6" stride="2" pad="2"/>
</layer_list>
)";

BatchJson batch_report(const std::vector<std::string>& arguments) {
  std::vector<std::string> all{"report", "--json"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  const CliResult result = run_cli(all);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return BatchJson::parse(result.out, nullptr, false);
}

BatchJson without_batch(BatchJson json) {
  for (BatchJson& layer : json["layers"]) layer.erase("batch");
  json["total"].erase("batch");
  return json;
}

class BatchOfTarget : public testing::TestWithParam<std::string> {};

TEST_P(BatchOfTarget, LeavesFiguresOfOneImageAndTellsThoseOfAll) {
  const TemporaryFolder folder;
  const std::string file = folder.write("open.onnxtxt", onnx_text("dim_param: \"n\""));
  const BatchJson one = batch_report({file, "--target", GetParam()});
  const BatchJson four = batch_report({file, "--target", GetParam(), "--batch", "4"});
  EXPECT_EQ(without_batch(one), one);
  EXPECT_EQ(without_batch(four), one);
  const BatchJson &layer = one["layers"][0], &batch = four["layers"][0]["batch"];
  ASSERT_TRUE(layer["mapped"].get<bool>()) << layer["reason"];
  EXPECT_EQ(batch["images"], 4);
  EXPECT_EQ(batch["macs"], 4 * layer["macs"].get<std::int64_t>());
  EXPECT_EQ(batch["bytes_in"], 4 * layer["bytes_in"].get<std::int64_t>());
  const bool kept = batch["weights"] == "kept";
  EXPECT_EQ(batch["bytes_weights"], (kept ? 1 : 4) * layer["bytes_weights"].get<std::int64_t>());
  EXPECT_LE(batch["seconds"], 4 * layer["seconds"].get<double>());
  EXPECT_FALSE(batch["note"].get<std::string>().empty());
  EXPECT_EQ(four["total"]["batch"]["images"], 4);
  EXPECT_EQ(four["total"]["batch"]["macs"], batch["macs"]);
  EXPECT_NEAR(four["total"]["batch"]["seconds"].get<double>(), batch["seconds"].get<double>(), 1e-12);
}
INSTANTIATE_TEST_SUITE_P(Targets, BatchOfTarget, testing::Values("nve", "nmp", "snowflake", "cpu"),
                         [](const auto& target) { return target.param; });

TEST(Batch, OfAFileHoldsUnlessAnotherIsAskedFor) {
  const TemporaryFolder folder;
  const std::string file = folder.write("twenty.onnxtxt", onnx_text("dim_value: 20"));
  EXPECT_EQ(batch_report({file})["total"]["batch"]["images"], 20);
  EXPECT_EQ(batch_report({file, "--batch", "3"})["total"]["batch"]["images"], 3);
  EXPECT_FALSE(batch_report({file, "--batch", "1"})["total"].contains("batch"));
  EXPECT_THAT(run_cli({"report", file}).err, HasSubstr("20 images at a time"));
  EXPECT_THAT(run_cli({"report", file}).out, HasSubstr("A batch of 20 takes"));
}

TEST(Batch, OfAFileHoldsBesideAnInputSize) {
  const TemporaryFolder folder;
  const std::string file = folder.write("twenty.onnxtxt", onnx_text("dim_value: 20", "dim_param: \"rows\""));
  EXPECT_EQ(batch_report({file, "--input-size", "12x12"})["total"]["batch"]["images"], 20);
}

TEST(Coverage, CountsTransposedConvolutions) {
  const TemporaryFolder folder;
  const std::string file = folder.write("up.xml", mostly_transposed);
  const BatchJson json = batch_report({file, "--target", "nmp"});
  const BatchJson& up = json["layers"][1];
  EXPECT_EQ(up["macs"], 16 * 16 * 16 * 64 * 36);
  EXPECT_EQ(up["shape"]["kernel"], BatchJson({6, 6}));
  EXPECT_DOUBLE_EQ(json["coverage"].get<double>(), 1.0 / 17);
  EXPECT_THAT(run_cli({"report", file, "--target", "nmp"}).out, HasSubstr("Totals cover 5.9 % of all MACs."));
}

TEST(Coverage, IsUnknownWhereAShapeIs) {
  const TemporaryFolder folder;
  const std::string file = folder.write("open.onnxtxt", onnx_text("dim_value: 1", "dim_param: \"rows\""));
  const BatchJson json = batch_report({file, "--target", "nmp"});
  EXPECT_TRUE(json["coverage"].is_null());
  EXPECT_TRUE(json["layers"][0]["macs"].is_null());
  EXPECT_THAT(run_cli({"report", file, "--target", "nmp"}).out, HasSubstr("Coverage is unknown"));
}

TEST(Coverage, OfMostlyUnmappedNetworksIsBelowTheLeastOfASweep) {
  const TemporaryFolder folder;
  folder.write("up.xml", mostly_transposed);
  const std::string space = folder.write("space.xml", R"(<space name="up" minimum-coverage="0.5">
  <network file="up.xml"/>
  <machines target="nmp" presets="nmp-board" levels="burst"><parameter name="tles">2 4</parameter></machines>
</space>
)");
  const std::string results = folder.path("results.db");
  const CliResult swept = run_cli({"sweep", space, "-o", results});
  ASSERT_EQ(swept.exit_code, 0) << swept.err;
  const CliResult front = run_cli({"front", results, "--json"});
  const BatchJson json = BatchJson::parse(front.out, nullptr, false);
  EXPECT_EQ(json["below_coverage"], 2) << front.out << front.err;
}

}  // namespace
}  // namespace convscope::app
