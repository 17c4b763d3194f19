// quantize as a user's shell runs it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli.h"

namespace convscope::app {
namespace {

using nlohmann::json;
using testing::HasSubstr;

const std::string digits = CONVSCOPE_SOURCE_DIR "/tests/models/graphdef/digits.pb";

json quantized(std::vector<std::string> options) {
  options.insert(options.begin(), {"quantize", digits, "--json", "--inputs", "2"});
  const CliResult result = run_cli(options);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return json::parse(result.out);
}

TEST(QuantizeCommand, MoreBitsLoseLess) {
  const json wide = quantized({}), narrow = quantized({"--bits", "8"});
  EXPECT_EQ(wide["inputs"], 2);
  const double difference = wide["outputs"][0]["sqnr"].get<double>() - narrow["outputs"][0]["sqnr"].get<double>();
  EXPECT_NEAR(difference, 8 * 6.02, 9) << "six decibels a bit";
  for (const json& tensor : narrow["tensors"])
    EXPECT_TRUE(tensor["bits"] == 8 || (tensor["constant"] == true && tensor["bits"] == 32)) << "biases alone are wide";
  EXPECT_EQ(quantized({}), wide);
}

TEST(QuantizeCommand, CalibratesWithImages) {
  const TemporaryFolder folder;
  folder.write(
      "a.pgm", "P2\n14 14\n255\n" + [] {
        std::string pixels;
        for (int i = 0; i < 196; ++i) pixels += std::to_string(i) + " ";
        return pixels;
      }());
  const json result = quantized({"--images", folder.path("."), "--mean", "100", "--scale", "50"});
  EXPECT_EQ(result["inputs"], 1);
  EXPECT_EQ(result["tensors"][0]["name"], "image");
  EXPECT_DOUBLE_EQ(result["tensors"][0]["least"], -2);
  EXPECT_DOUBLE_EQ(result["tensors"][0]["most"], 1.9);
  EXPECT_EQ(result["tensors"][0]["fraction"], 14);
}

TEST(QuantizeCommand, NarrowsUnderABound) {
  const json free = quantized({"--narrow", "8", "--least-sqnr", "-50"}), wide = quantized({}),
             some = quantized({"--narrow", "8", "--least-sqnr", "40"});
  EXPECT_FALSE(wide.contains("narrow"));
  EXPECT_TRUE(free["narrow"]["met"]);
  for (const json& unit : free["narrow"]["units"]) EXPECT_TRUE(unit["narrow"]);
  EXPECT_GE(some["outputs"][0]["sqnr"], 40);
  EXPECT_LE(some["outputs"][0]["sqnr"], wide["outputs"][0]["sqnr"]);
  const CliResult out_of_reach = run_cli({"quantize", digits, "--inputs", "1", "--narrow", "8", "--least-sqnr", "390"});
  EXPECT_EQ(out_of_reach.exit_code, 0);
  EXPECT_THAT(out_of_reach.err, HasSubstr("aren't reached with 16 bits"));
  EXPECT_THAT(run_cli({"quantize", digits, "--narrow", "16"}).err, HasSubstr("isn't below --bits 16"));
}

TEST(QuantizeCommand, GivesFiltersTheirPoints) {
  const json result = quantized({"--per-filter", "--bits", "8"});
  int weights = 0;
  for (const json& tensor : result["tensors"]) {
    if (!tensor.contains("filter_fractions")) continue;
    ++weights;
    for (const json& fraction : tensor["filter_fractions"]) EXPECT_GE(fraction, tensor["fraction"]);
  }
  EXPECT_GT(weights, 0);
}

TEST(QuantizeCommand, StoresWeightsAsFlyte) {
  const json coarse = quantized({"--stored-weights", "flyte-8"});
  EXPECT_EQ(coarse["stored_weights"], "flyte-8");
  EXPECT_FALSE(coarse.contains("bits"));
  EXPECT_GT(coarse["outputs"][0]["sqnr"], 0);
  EXPECT_LT(coarse["outputs"][0]["sqnr"], 20);
  for (const char* storage : {"flyte-16", "flyte-24"})
    EXPECT_TRUE(quantized({"--stored-weights", storage})["outputs"][0]["sqnr"].is_null())
        << "its weights have few bits";
  const CliResult words = run_cli({"quantize", digits, "--stored-weights", "flyte-16"});
  EXPECT_THAT(words.out, HasSubstr(": nothing lost at output"));
  EXPECT_THAT(words.out, testing::Not(HasSubstr("inf")));
  EXPECT_EQ(run_cli({"quantize", digits, "--stored-weights", "flyte-17"}).exit_code, 2);
}

TEST(QuantizeCommand, TakesRangesThatWereSeenBefore) {
  const TemporaryFolder folder;
  const json seen = quantized({"--per-filter"});
  folder.write("ranges.json", seen.dump());
  const CliResult result =
      run_cli({"quantize", digits, "--json", "--per-filter", "--ranges", folder.path("ranges.json")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json again = json::parse(result.out);
  ASSERT_EQ(again["tensors"].size(), seen["tensors"].size());
  for (std::size_t i = 0; i < seen["tensors"].size(); ++i)
    for (const char* key : {"name", "format", "least", "most", "filter_fractions"})
      EXPECT_EQ(again["tensors"][i].value(key, json()), seen["tensors"][i].value(key, json())) << key;
  EXPECT_EQ(again["inputs"], 0);
  EXPECT_TRUE(again["same_answer"].is_null() && again["outputs"][0]["sqnr"].is_null()) << "nothing was measured";
  const CliResult words = run_cli({"quantize", digits, "--ranges", folder.path("ranges.json")});
  EXPECT_THAT(words.out, HasSubstr("nothing was executed"));
  EXPECT_THAT(words.out, testing::Not(HasSubstr("nothing lost")));
  json less = seen;
  less["tensors"].erase(0);
  folder.write("less.json", less.dump());
  EXPECT_EQ(run_cli({"quantize", digits, "--ranges", folder.path("ranges.json"), "--percentile", "99"}).exit_code, 2);
  EXPECT_THAT(run_cli({"quantize", digits, "--ranges", folder.path("less.json")}).err,
              HasSubstr("there is no range of it"));
  EXPECT_NE(run_cli({"quantize", digits, "--ranges", folder.path("missing.json")}).exit_code, 0);
}

/// Integers of 8 bits by 0.25, or by what `scale` says, multiplied by 1 and -0.5.
std::string quantized_model(const std::string& scale) {
  return R"(ir_version: 8 opset_import { version: 13 } graph { name: "tiny"
  node { op_type: "QuantizeLinear" input: "in" input: "scale" input: "zero" output: "whole" }
  node { op_type: "DequantizeLinear" input: "whole" input: "scale" input: "zero" output: "real" }
  node { op_type: "DequantizeLinear" input: "integers" input: "scale" output: "weights" }
  node { name: "product" op_type: "MatMul" input: "real" input: "weights" output: "out" }
  initializer { name: "scale" data_type: 1 float_data: )" +
         scale + R"( }
  initializer { name: "zero" data_type: 3 int32_data: 0 }
  initializer { name: "integers" data_type: 3 dims: 1 dims: 2 int32_data: [4, -2] }
  input { name: "in" type { tensor_type { elem_type: 1 shape { dim { dim_value: 3 } dim { dim_value: 1 } } } } }
  output { name: "out" type { tensor_type { elem_type: 1 shape { dim { dim_value: 3 } dim { dim_value: 2 } } } } }
})";
}

TEST(QuantizeCommand, KeepsTheScalesOfAFile) {
  const TemporaryFolder folder;
  folder.write("exact.onnxtxt", quantized_model("0.25"));
  folder.write("next.onnxtxt", quantized_model("0.3"));
  const auto of = [&](const std::string& file, std::vector<std::string> options) {
    options.insert(options.begin(), {"quantize", folder.path(file), "--inputs", "5"});
    const CliResult result = run_cli(options);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  };
  const auto tensor = [](const json& result, const std::string& name) {
    for (const json& each : result["tensors"])
      if (each["name"] == name) return each;
    return json();
  };
  const json exact = json::parse(of("exact.onnxtxt", {"--json"})), next = json::parse(of("next.onnxtxt", {"--json"}));
  EXPECT_EQ(tensor(exact, "whole")["format"], "Q6.2");
  EXPECT_EQ(tensor(exact, "whole")["origin"], "file");
  EXPECT_TRUE(tensor(exact, "whole")["own_scale"]["exact"]);
  EXPECT_EQ(tensor(exact, "weights")["format"], "Q6.2");
  EXPECT_TRUE(tensor(exact, "weights")["own_scale"]["sqnr_by_point"].is_null()) << "nothing is lost";
  EXPECT_EQ(tensor(exact, "out")["origin"], "calibration");
  EXPECT_EQ(tensor(exact, "out")["bits"], 16);
  EXPECT_EQ(exact["own_scales_sqnr"].size(), 1U);
  EXPECT_FALSE(tensor(next, "weights")["own_scale"]["exact"]);
  EXPECT_GT(tensor(next, "weights")["own_scale"]["sqnr_by_point"], 10);
  EXPECT_THAT(of("next.onnxtxt", {}), HasSubstr("file, next point"));
  EXPECT_THAT(of("next.onnxtxt", {}), HasSubstr("0 of them a power of two around 0"));
  const json anew = json::parse(of("exact.onnxtxt", {"--json", "--calibrate-anew"}));
  EXPECT_EQ(tensor(anew, "weights")["format"], "Q1.15");
  EXPECT_FALSE(tensor(anew, "weights").contains("origin"));
  EXPECT_THAT(run_cli({"quantize", folder.path("exact.onnxtxt"), "--narrow", "8"}).err, HasSubstr("aren't kept"));
}

TEST(QuantizeCommand, SaysWhatIsMissing) {
  const TemporaryFolder folder;
  EXPECT_THAT(run_cli({"quantize", sample("face_detection")}).err, HasSubstr("no operators"));
  EXPECT_THAT(run_cli({"quantize", sample("lenet")}).err, HasSubstr("has no values"));
  EXPECT_THAT(run_cli({"quantize", digits, "--images", folder.path(".")}).err, HasSubstr("there are no images"));
  EXPECT_EQ(run_cli({"quantize", digits, "--bits", "1"}).exit_code, 2);
}

}  // namespace
}  // namespace convscope::app
