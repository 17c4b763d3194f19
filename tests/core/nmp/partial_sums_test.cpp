// Sums of products on their way: points that leave room for them, and the least error where there is none to spare.

#include "core/nmp/trained/partial_sums.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "made_graph.h"
#include "trained_frame.h"

namespace convscope::nmp {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(PartialSums, ErrByRoundingAndBySaturation) {
  const quantization::Format format{8, 0};
  const auto error = [&](const std::vector<std::vector<double>>& parts, double low = -infinity) {
    return error_of_sums(parts, format, low, infinity);
  };
  EXPECT_EQ(error({{100}, {20}, {-5}}), 0);
  EXPECT_EQ(error({{100}, {100}, {-90}}), 73.0 * 73) << "127 + -90 in the place of 110";
  EXPECT_EQ(error({{0.25}, {0.25}}), 0.25) << "0 and 0.25, rounded to 0, in the place of 0.5";
  EXPECT_EQ(error({{-100, 3}, {-100, 4}, {50, 0}}, 0), 0) << "a clamp hides that";
  EXPECT_EQ(error({{200}, {0}}), 73.0 * 73) << "results saturate as well";
}

/// Its channels, 64 in pairs that cancel, are added up in parts: large on the way, small in the end.
network::Network cancelling(float scale) {
  MadeGraph g;
  const int image = g.input({1, 64, 6, 6});
  std::vector<float> weights = random_floats(std::size_t{16} * 64, 5, .01F);
  for (std::size_t filter = 0; filter < 16; ++filter)
    for (std::size_t channel = 0; channel < 64; ++channel)
      weights[filter * 64 + channel] += channel < 32 ? scale : -scale;
  const int both = g.node("Relu", {g.node("Add", {image, g.constant({1, 64, 6, 6}, 1)})});
  return g.network({g.convolution_by(both, g.floats({16, 64, 1, 1}, weights))});
}

/// Small memories: more parts.
Machine narrow_machine(int element_bytes, int partial_sum_bytes) {
  Machine machine = machine_of(element_bytes, partial_sum_bytes);
  machine.input_bytes = machine.weight_bytes = machine.output_bytes = 512;
  return machine;
}

struct Measured {
  double sqnr = 0, without = 0;  ///< dB, without a look at partial sums
  std::int64_t parts = 0;
};

Measured measured(const network::Network& network, const Machine& machine) {
  const TrainedNetwork compiled(network, machine);
  Measured result;
  for (const bool without : {false, true}) {
    Diagnostics diagnostics;
    const auto program = compiled.trained(inputs_of(network), diagnostics, without);
    EXPECT_TRUE(program) << diagnostics.text();
    if (!program) return {};
    EXPECT_EQ(refusals_of(*program->linked.program), "");
    const TrainedRun run = compiled.run(*program);
    EXPECT_TRUE(run.run.equal()) << run.run.text();
    EXPECT_TRUE(without || run.fault.empty()) << run.fault;
    (without ? result.without : result.sqnr) = run.error.sqnr();
    for (const ProgramLayer& layer : program->linked.program->layers)
      result.parts = std::max(result.parts, static_cast<std::int64_t>(layer.channel_parts.size()));
  }
  return result;
}

TEST(PartialSums, HaveRoomForWhatIsLargeOnTheWay) {
  for (const auto& [element, sum] : {std::pair{2, 2}, {1, 1}, {2, 4}, {1, 2}}) {
    SCOPED_TRACE(testing::Message() << element << " bytes, sums of " << sum);
    const Measured large = measured(cancelling(.3F), narrow_machine(element, sum));
    EXPECT_GT(large.parts, 2);
    EXPECT_GE(large.sqnr, large.without + (sum == element ? 10 : 0)) << "wider ones had room before";
    const Measured small = measured(cancelling(0), narrow_machine(element, sum));
    EXPECT_GE(small.sqnr, small.without - .5) << "nobody loses by it";
  }
}

}  // namespace
}  // namespace convscope::nmp
