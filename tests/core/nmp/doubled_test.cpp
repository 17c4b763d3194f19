// Memories that hold two tiles, chosen for each layer.

#include <gtest/gtest.h>

#include "core/nmp/nmp_target.h"
#include "core/nmp/search/solution.h"
#include "networks.h"
#include "random_problems.h"
#include "tests/core/target/counting_cache.h"

namespace convscope::nmp {
namespace {

TEST(Doubled, GainsAndNeverLoses) {
  const double most[] = {0.79, 0.97, 0.97, 0.81, 0.84};  // of the time in lockstep, by network
  target::CountingCache cache;
  std::size_t network = 0;
  for (const PaperNetwork& paper : paper_networks()) {
    double single = 0, chosen = 0;
    for (const network::Layer& layer : paper.layers) {
      std::string reason;
      const auto c = convolution_of(layer, reason);
      Machine m = board();
      const auto none = solve(*c, m, {}, cache, {});
      m.choose_doubled = true;
      const auto best = solve(*c, m, {}, cache, {});
      ASSERT_LE(best->seconds.total(), none->seconds.total()) << paper.name << " " << layer.name;
      if (!best->doubled.any()) {
        EXPECT_EQ(best->tiling, none->tiling);
      }
      single += none->seconds.total();
      chosen += best->seconds.total();
    }
    EXPECT_LT(chosen / single, most[network++]) << paper.name;
  }
}

TEST(Doubled, HidesNoMoreThanMacsAndLeavesTheFirstTileExposed) {
  Machine m = with_doubled(board(), {true, true, true});
  EXPECT_EQ(m.input_bytes, 4096);
  std::string reason;
  const CostModel model(*convolution_of(paper_networks()[0].layers[4], reason), m);
  const auto best = best_tiling(model, {}, {});
  ASSERT_TRUE(best);
  const Seconds s = seconds_of(best->totals, m);
  EXPECT_GT(s.hidden, 0);
  EXPECT_LT(s.hidden, s.mac);
  EXPECT_LT(s.hidden, s.dram() + s.commands);
  // One step has nothing to overlap with.
  Totals once = best->totals;
  for (Traffic* t : {&once.in, &once.weights, &once.out}) t->commands = 1;
  EXPECT_EQ(hidden_by_doubled(once, m, s.mac), 0);
}

TEST(Doubled, NamesTheMemoriesAndTellsTheirSizes) {
  const auto target = make_nmp_target();
  auto values = parameter_values(board());
  Diagnostics diagnostics;
  ASSERT_TRUE(values.set("double_buffering", "chosen", diagnostics));
  EXPECT_TRUE(values.check(diagnostics));
  EXPECT_EQ(parameter_values(machine_from(values)), values);
  network::Network network;
  network.layers = {paper_networks()[0].layers[4]};
  for (const char* level : {"burst", "banked", "walk"}) {
    target::CountingCache cache;
    const auto layer = target->compile({&network, 0, &values, level}, cache, {});
    ASSERT_TRUE(layer->mapped()) << level;
    EXPECT_NE(layer->metrics().text("doubled"), "") << level;
    EXPECT_LE(layer->metrics().bound.cycles, layer->metrics().cycles.value) << level;
  }
}

TEST(Doubled, IsChosenInLockstepOnly) {
  auto values = parameter_values(board());
  Diagnostics diagnostics;
  ASSERT_TRUE(values.set("double_buffering", "chosen", diagnostics));
  ASSERT_TRUE(values.set("tle_timing", "free-running", diagnostics));
  EXPECT_FALSE(values.check(diagnostics));
}

TEST(PartialSums, TakeTheirWidthOnlyWhereChannelsAreSplit) {
  Machine m = board();
  m.partial_sum_bytes = 4;
  std::string reason;
  const CostModel model(*convolution_of(paper_networks()[0].layers[4], reason), m);
  Tiling t{Partition::filters, Schedule::output_stationary, 2, 2, model.convolution().channels, 1};
  EXPECT_EQ(model.occupancy(t).output, 2 * 2 * 2);
  t.channels = 1;
  EXPECT_EQ(model.occupancy(t).output, 2 * 2 * 4);
}

}  // namespace
}  // namespace convscope::nmp
