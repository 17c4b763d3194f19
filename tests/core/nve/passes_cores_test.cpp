// Fusion and layout for several cores that share one way to DRAM.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/artifact/explanation.h"
#include "core/nve/passes/core_sharing.h"
#include "tests/core/nve/layers.h"

namespace convscope::nve::test {
namespace {

using testing::HasSubstr;

Machine with_cores(int cores) {
  Machine machine;
  machine.cores = cores;
  machine.bandwidth = 100e9;
  return machine;
}

Switches without_sharing() {
  Switches switches = optimal;
  switches.sharing = false;
  return switches;
}

TEST(Cores, DivideWhatOneWouldFuse) {
  const network::Layer layer = sample("face_detection").layers[1];  // 14 maps, all in one program
  ASSERT_EQ(compile(layer, optimal, with_cores(1))->program_count(), 1);
  const double alone = compile(layer, optimal, with_cores(1))->metrics().cycles.value;
  for (const int cores : {2, 4, 7, 14}) {
    const auto compiled = compile(layer, optimal, with_cores(cores));
    EXPECT_GE(compiled->program_count(), cores);
    EXPECT_LT(compiled->metrics().cycles.value, (cores < 14 ? 1.5 : 2) * alone / cores);
    EXPECT_LT(compiled->metrics().cycles.value,
              compile(layer, without_sharing(), with_cores(cores))->metrics().cycles.value);
    Diagnostics diagnostics;
    const target::SimulationResult result = simulate(*compiled, "seed:7", 3, 1, diagnostics);
    EXPECT_TRUE(result.ran && result.matches) << diagnostics.text();
  }
}

// Where the bus is what cores wait for, inputs that are loaded once for all maps are worth more than a second core.
TEST(Cores, StayFusedWhereTheBandwidthBinds) {
  const network::Layer layer = sample("face_detection").layers[1];
  Machine machine = with_cores(4);
  const int fast = compile(layer, optimal, machine)->program_count();
  machine.bandwidth = 2e6;
  const auto slow = compile(layer, optimal, machine);
  EXPECT_LT(slow->program_count(), fast);
  EXPECT_LT(slow->metrics().seconds.value, 1.001 * compile(layer, without_sharing(), machine)->metrics().seconds.value);
}

// Polyphase columns come in two pieces, each with a descriptor of its own.
TEST(Transfers, DecideTheLayoutWhereTheyTakeLonger) {
  const network::Layer layer = sample("face_detection").layers[0];
  Machine machine;
  machine.transfer_mode = TransferMode::scatter_gather;
  machine.descriptor_cycles = 2000;
  const auto chosen = compile(layer, optimal, machine), other = compile(layer, optimal, {});
  EXPECT_LT(figure(*chosen, "pixel_columns"), figure(*other, "pixel_columns"));
  EXPECT_LE(chosen->metrics().seconds.value, compile(layer, without_sharing(), machine)->metrics().seconds.value);
}

TEST(Cores, AreExplained) {
  const network::Layer layer = sample("face_detection").layers[1];
  const auto explanation = compile(layer, optimal, with_cores(4))->explanation();
  EXPECT_THAT(explanation->summary, HasSubstr("4 cores busy for"));
  const auto found = std::find_if(explanation->rejected.begin(), explanation->rejected.end(), [](const auto& each) {
    return each.name == "without fusion for cores and transfers";
  });
  ASSERT_NE(found, explanation->rejected.end());
  EXPECT_THAT(found->reason, HasSubstr("% cycles"));
  EXPECT_GT(found->seconds.value, compile(layer, optimal, with_cores(4))->metrics().seconds.value);
}

TEST(Sharing, CountsWhatTransfersTake) {
  Machine machine;
  EXPECT_DOUBLE_EQ(sharing_of(machine).word_cycles, 1);  // 8 bytes at 800 MB/s and 100 MHz
  EXPECT_EQ(sharing_of(machine).column_cycles, 0);
  machine.transfer_mode = TransferMode::host_reordered;
  EXPECT_DOUBLE_EQ(sharing_of(machine).pixel_word_cycles, 2);
  machine.transfer_mode = TransferMode::scatter_gather;
  EXPECT_EQ(sharing_of(machine).column_cycles, 40);
  EXPECT_EQ(busiest_core({3, 9, 4, 2}, 2), 9);
  EXPECT_EQ(busiest_core({5, 4, 3, 3, 3}, 2), 10);
}

}  // namespace
}  // namespace convscope::nve::test
