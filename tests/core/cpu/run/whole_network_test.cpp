#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "core/cpu/network/measure_network.h"
#include "core/cpu/run/host.h"
#include "tests/core/cpu/small_network.h"

namespace convscope::cpu::test {
namespace {

struct StoreFile {
  std::string path =
      (std::filesystem::temp_directory_path() / ("whole" + std::to_string(getpid()) + ".sqlite")).string();
  ~StoreFile() {
    for (const char* end : {"", "-wal", "-shm"}) std::filesystem::remove(path + end);
  }
};

TEST(WholeNetwork, ComputesWhatTheReferenceExecutorDoes) {
  const StoreFile file;
  Diagnostics diagnostics;
  const auto store = Store::open(file.path, diagnostics);
  ASSERT_TRUE(store) << diagnostics.text();
  NetworkMeasureOptions options;
  options.sampling = {5, 0.1, false};
  for (const Family family : {runs_here(Family::avx512) ? Family::avx512 : Family::scalar}) {
    Machine machine;
    machine.family = family;
    machine.registers = traits(family).registers;
    const auto times = measure_whole(small_network(), machine, *store, this_host().identity(), find_availability(),
                                     options, {}, diagnostics);
    ASSERT_TRUE(times) << traits(family).key << diagnostics.text();
    ASSERT_EQ(times->answer.steps.size(), times->program.steps.size());
    EXPECT_GT(times->answer.whole.minimum, 0);
    EXPECT_GT(times->answer.whole.error, 0) << "float isn't double";
    EXPECT_EQ(times->program.measured, 0);
    ASSERT_EQ(times->outputs.size(), 1U);
    EXPECT_GT(times->outputs.front().largest, 1) << "of logits: no probability is above 1";
    EXPECT_GT(times->outputs.front().relative(), 0);
    EXPECT_LE(times->outputs.front().relative(), 1e-4);
    double steps = 0;
    for (const auto& step : times->answer.steps) steps += step.minimum;
    EXPECT_LE(steps, times->answer.whole.minimum * 1.001) << "minima of steps are at most that of all";
  }
}

TEST(WholeNetwork, MovesElements) {
  const StoreFile file;
  Diagnostics diagnostics;
  const auto store = Store::open(file.path, diagnostics);
  ASSERT_TRUE(store) << diagnostics.text();
  NetworkMeasureOptions options;
  options.sampling = {2, 0.02, false};
  for (const int bytes : {4, 3, 2}) {
    Machine machine;
    machine.family = Family::scalar;
    machine.registers = traits(Family::scalar).registers;
    machine.activations = {bytes};
    const auto times = measure_whole(moving_network(), machine, *store, this_host().identity(), find_availability(),
                                     options, {}, diagnostics);
    ASSERT_TRUE(times) << bytes << diagnostics.text();
    ASSERT_EQ(times->outputs.size(), 6U);
    for (const OutputError& output : times->outputs) {
      EXPECT_GT(output.largest, 0) << output.tensor;
      EXPECT_LE(output.relative(), bytes == 4 ? 1e-5 : bytes == 3 ? 1e-3 : .1) << output.tensor;
    }
  }
}

/// Rounding of what is stored is all that it may be off by: a bit of the mantissa is 6 dB.
TEST(WholeNetwork, HoldsItsTensorsAndWeightsAsFlyte) {
  const StoreFile file;
  Diagnostics diagnostics;
  const auto store = Store::open(file.path, diagnostics);
  ASSERT_TRUE(store) << diagnostics.text();
  NetworkMeasureOptions options;
  options.sampling = {2, 0.02, false};
  const auto sqnr = [&](Family family, const flyte::Storage& weights, const flyte::Storage& activations) {
    Machine machine;
    machine.family = family;
    machine.registers = traits(family).registers;
    machine.weights = weights;
    machine.activations = activations;
    const auto times = measure_whole(small_network(), machine, *store, this_host().identity(), find_availability(),
                                     options, {}, diagnostics);
    EXPECT_TRUE(times) << diagnostics.text();
    for (const auto& buffer : times ? times->program.buffers : std::vector<NetworkProgram::Buffer>())
      EXPECT_TRUE(buffer.layout.order == "C" || buffer.layout.storage == weights ||
                  buffer.layout.storage == activations);
    return times ? times->outputs.front().sqnr : 0;
  };
  const auto truncated = flyte::Rounding::truncated;
  const Family family = runs_here(Family::avx2) ? Family::avx2 : Family::scalar;
  const double weights24 = sqnr(family, {3}, {}), weights16 = sqnr(family, {2}, {});
  EXPECT_NEAR(weights24 - weights16, 48, 12);
  const double both24 = sqnr(family, {3}, {3}), both16 = sqnr(family, {2}, {2});
  EXPECT_LT(both16, weights16);
  EXPECT_GT(both16, 25);
  EXPECT_NEAR(both24 - both16, 48, 12);
  EXPECT_LT(sqnr(Family::scalar, {}, {2, truncated}), both16);
  sqnr(Family::scalar, {3}, {1});  // checked step by step, whatever is left of the answer
}

/// The same programs on other inputs: each has errors of its own, of the size that storing takes.
TEST(WholeNetwork, HoldsFurtherInputsAgainstTheNetworkInFloats) {
  const StoreFile file;
  Diagnostics diagnostics;
  const auto store = Store::open(file.path, diagnostics);
  ASSERT_TRUE(store) << diagnostics.text();
  NetworkMeasureOptions options;
  options.sampling = {2, 0.02, false};
  options.inputs = 4;
  Machine machine;
  machine.family = runs_here(Family::avx2) ? Family::avx2 : Family::scalar;
  machine.weights = {2};
  const auto measure = [&] {
    return measure_whole(small_network(), machine, *store, this_host().identity(), find_availability(), options, {},
                         diagnostics);
  };
  const auto times = measure(), again = measure();
  ASSERT_TRUE(times && again) << diagnostics.text();
  ASSERT_EQ(times->others.size(), 3U);
  for (std::size_t i = 0; i < times->others.size(); ++i) {
    ASSERT_EQ(times->others[i].size(), times->outputs.size());
    const OutputError& error = times->others[i].front();
    EXPECT_NE(error.signal, times->outputs.front().signal) << "another input";
    EXPECT_NEAR(error.sqnr, times->outputs.front().sqnr, 12);
    EXPECT_EQ(error.noise, again->others[i].front().noise) << "the same seeds";
  }
  for (const NetworkProgram::Buffer& buffer : times->program.buffers) EXPECT_TRUE(buffer.contents.empty());
}

NetworkRunRequest one_step(const std::string& library) {
  NetworkRunRequest request;
  request.libraries = {library};
  request.buffers = {{16, 0}, {16, -1}};
  request.steps = {{0, "step_0", false, {0}, 1, 64, 0.5}};
  request.buffers.push_back({16, -1, {3}, 16});
  request.outputs = {{1, 64}};
  request.step_by_step = true;
  request.sampling = {2, 0.01, false};
  return request;
}

TEST(WholeNetwork, RequestsAndAnswersComeBackAsTheyWere) {
  const NetworkRunRequest request = one_step("a.so");
  const auto back = parse_network_request(text(request));
  ASSERT_TRUE(back);
  EXPECT_EQ(text(*back), text(request));
  EXPECT_FALSE(parse_network_request("{}"));
  EXPECT_FALSE(parse_network_request("nonsense"));
  NetworkRunAnswer answer;
  answer.whole.ending = Ending::wrong_result;
  answer.whole.message = "step 1";
  answer.steps = {{1, 2, 3}};
  answer.outputs = {{1, 2, 3, true}};
  const auto told = parse_network_answer(text(answer));
  ASSERT_TRUE(told);
  EXPECT_EQ(told->whole.ending, Ending::wrong_result);
  EXPECT_EQ(told->steps.front().median, 2);
  EXPECT_EQ(text(*told), text(answer));
  EXPECT_EQ(parse_network_argument(network_argument(77)), 77U);
  EXPECT_FALSE(parse_network_argument("{\"problem\":1}"));
}

}  // namespace
}  // namespace convscope::cpu::test
