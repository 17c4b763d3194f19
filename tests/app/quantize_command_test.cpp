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

TEST(QuantizeCommand, SaysWhatIsMissing) {
  const TemporaryFolder folder;
  EXPECT_THAT(run_cli({"quantize", sample("face_detection")}).err, HasSubstr("no operators"));
  EXPECT_THAT(run_cli({"quantize", sample("lenet")}).err, HasSubstr("has no values"));
  EXPECT_THAT(run_cli({"quantize", digits, "--images", folder.path(".")}).err, HasSubstr("there are no images"));
  EXPECT_EQ(run_cli({"quantize", digits, "--bits", "1"}).exit_code, 2);
}

}  // namespace
}  // namespace convscope::app
