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
  for (const json& tensor : narrow["tensors"]) EXPECT_EQ(tensor["bits"], 8);
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

TEST(QuantizeCommand, SaysWhatIsMissing) {
  const TemporaryFolder folder;
  EXPECT_THAT(run_cli({"quantize", sample("face_detection")}).err, HasSubstr("no operators"));
  EXPECT_THAT(run_cli({"quantize", sample("lenet")}).err, HasSubstr("has no values"));
  EXPECT_THAT(run_cli({"quantize", digits, "--images", folder.path(".")}).err, HasSubstr("there are no images"));
  EXPECT_EQ(run_cli({"quantize", digits, "--bits", "1"}).exit_code, 2);
}

}  // namespace
}  // namespace convscope::app
