// Trained networks whole, in fixed point with their own weights: every word of every layer is the reference's, and the
// answers are those of floating point up to quantization.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include <gtest/gtest.h>

#include "trained_model.h"

// Millions of products for each answer: a matter of seconds with optimization, of minutes without, or with a sanitizer.
#if !defined(__OPTIMIZE__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool slow_build = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool slow_build = true;
#else
constexpr bool slow_build = false;
#endif
#else
constexpr bool slow_build = false;
#endif

namespace convscope::snowflake {
namespace {

const std::string models = CONVSCOPE_MODELS "/onnx-real/";

/// Of seeded inputs: a few, or as many as `./test.sh --full` asks for.
int inputs_or(int few) {
  const char* asked = std::getenv("CONVSCOPE_SEEDED_INPUTS");
  return std::max(few, asked == nullptr ? 0 : std::atoi(asked));
}

class TrainedNetworks : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::is_directory(models)) GTEST_SKIP() << "the folder of real networks is absent: " << models;
  }

  /// All runs equal the reference; prints what came out.
  static FloatAgreement run(const TrainedModel& model, const std::vector<reference::FloatTensors>& inputs) {
    const Agreement sum = run_model(model, inputs);
    EXPECT_TRUE(sum.wrong.empty()) << sum.wrong.front();
    std::cout << model.network.name << ": SQNR " << sum.agreement.error.sqnr() << " dB, largest channel the same in "
              << sum.agreement.same << " of " << sum.agreement.pixels << " pixels\n";
    return sum.agreement;
  }
};

TEST_F(TrainedNetworks, MnistsGivenAnswers) {
  const std::string folder = models + "mnist8-cntk/";
  const network::Network network = read_model(folder + "model.onnx");
  std::vector<reference::FloatTensors> inputs;
  for (const char* set : {"0", "1", "2"})
    inputs.push_back(given_input(network, folder + "test_data_set_" + set + "/input_0.pb"));
  const TrainedModel model = compile_model(network, FixedPoint::by_range, inputs);
  ASSERT_EQ(model.refused, "");
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto expected = given_tensor(folder + "test_data_set_" + std::to_string(i) + "/output_0.pb");
    const std::vector<double> answer = answer_of(model, inputs[i]);
    ASSERT_EQ(answer.size(), expected.values.size());
    quantization::Error error;
    error.add(expected.values, answer);
    EXPECT_GT(error.sqnr(), 55) << i;
    EXPECT_TRUE(quantization::same_largest(expected.values, answer)) << i;
  }
  const FloatAgreement agreement = run(model, inputs);
  EXPECT_EQ(agreement.pixels, 3);
  EXPECT_EQ(agreement.same, 3);
}

TEST_F(TrainedNetworks, MnistByRangeIsBetterThanOnePositionForAll) {
  const network::Network network = read_model(models + "mnist8-cntk/model.onnx");
  const auto inputs = seeded(network, 100, slow_build ? 2 : inputs_or(20));
  const auto sqnr = [&](FixedPoint fixed_point) {
    const TrainedModel model = compile_model(network, fixed_point);
    EXPECT_EQ(model.refused, "");
    return run(model, inputs).error.sqnr();
  };
  const double by_range = sqnr(FixedPoint::by_range), q5_11 = sqnr(FixedPoint::q5_11), q8_8 = sqnr(FixedPoint::q8_8);
  EXPECT_GT(by_range, 55);
  EXPECT_GT(by_range, q5_11);
  EXPECT_GT(q5_11, q8_8 + 5);
}

// All of it is mapped: Clip at 6 by saturation, the mean over rows and columns in two steps.
TEST_F(TrainedNetworks, McuNetsGivenAnswer) {
  const std::string folder = models + "deeploy-MCUNet/";
  const network::Network network = read_model(folder + "network.onnx");
  const auto input = given_array(network, folder + "inputs.npz");
  const TrainedModel model = compile_model(network, FixedPoint::by_range, {input});
  ASSERT_EQ(model.refused, "");
  for (const std::string& reason : model.plan->parsed.reasons) EXPECT_EQ(reason, "");
  const std::vector<double> answer = answer_of(model, input);
  const std::vector<double> expected = array_values(folder + "outputs.npz");
  ASSERT_EQ(answer.size(), 10u);
  ASSERT_EQ(expected.size(), answer.size());
  quantization::Error error;
  error.add(expected, answer);
  std::cout << "MCUNet's given answer: SQNR " << error.sqnr() << " dB\n";
  EXPECT_GT(error.sqnr(), 50);
  EXPECT_TRUE(quantization::same_largest(expected, answer));
}

TEST_F(TrainedNetworks, McuNetOnSeededInputs) {
  if (slow_build) GTEST_SKIP() << "runs in optimized builds without sanitizers";
  const network::Network network = read_model(models + "deeploy-MCUNet/network.onnx");
  const TrainedModel model = compile_model(network, FixedPoint::by_range);
  ASSERT_EQ(model.refused, "");
  const FloatAgreement agreement = run(model, seeded(network, 100, inputs_or(4)));
  EXPECT_GT(agreement.error.sqnr(), 45);
  EXPECT_EQ(agreement.same, agreement.pixels);
}

// The boxes' decoding is the host's; all convolutions are one program, and the heads its outputs.
TEST_F(TrainedNetworks, UltrafaceOnSeededInputs) {
  if (slow_build) GTEST_SKIP() << "runs in optimized builds without sanitizers";
  const network::Network network = read_model(models + "ultraface-rfb-320/version-RFB-320.onnx");
  const TrainedModel model = compile_model(network, FixedPoint::by_range);
  ASSERT_EQ(model.refused, "");
  const FloatAgreement agreement = run(model, seeded(network, 100, inputs_or(1)));
  EXPECT_GT(agreement.error.sqnr(), 50);
  EXPECT_GT(static_cast<double>(agreement.same), 0.99 * static_cast<double>(agreement.pixels));
}

TEST_F(TrainedNetworks, SqueezeNetOnSeededInputs) {
  if (slow_build) GTEST_SKIP() << "runs in optimized builds without sanitizers";
  const network::Network network = read_model(models + "squeezenet-fp16-winml/SqueezeNet_fp16.onnx");
  const TrainedModel model = compile_model(network, FixedPoint::by_range);
  ASSERT_EQ(model.refused, "");
  const FloatAgreement agreement = run(model, seeded(network, 100, inputs_or(1)));
  EXPECT_GT(agreement.error.sqnr(), 45);
  EXPECT_GE(static_cast<double>(agreement.same), 0.95 * static_cast<double>(agreement.pixels));
}

}  // namespace
}  // namespace convscope::snowflake
