#include "core/nmp/cost/banked.h"

#include <gtest/gtest.h>

#include "core/nmp/search/search.h"
#include "networks.h"

namespace convscope::nmp {
namespace {

DramTimings ddr4(int ranks, int window) {
  DramTimings dram;
  dram.ranks = ranks;
  dram.window = window;
  return dram;
}

struct Row {
  DramTimings dram;
  double gigabytes[6];
};

// Cycle-accurate simulations of DDR4-3200: runs that start 16 KiB after one another. A queue of 32 and 8 for each bank
// is a window of 40.
TEST(Banked, MeetsSimulatedBandwidthsWithinTenPercent) {
  const std::int64_t lengths[] = {16, 64, 256, 1024, 4096, 16384};
  const Row rows[] = {{ddr4(2, 40), {5.2, 20.7, 23.6, 23.0, 23.8, 16.8}},
                      {ddr4(1, 32), {2.6, 10.5, 23.3, 24.4, 21.0, 15.8}}};
  for (const Row& row : rows)
    for (int i = 0; i < 6; ++i) {
      const double ours = banked_bandwidth({(1 << 20) / lengths[i], lengths[i], 16384}, row.dram) / 1e9;
      EXPECT_NEAR(ours, row.gigabytes[i], 0.1 * row.gigabytes[i]) << lengths[i] << " bytes, ranks " << row.dram.ranks;
    }
}

TEST(Banked, PaysLatencyForEachLineWithOneRequestInFlight) {
  const DramTimings dram = ddr4(1, 1);
  const double one = banked_cycles({1, 64, 0}, dram), many = banked_cycles({1, 4096, 0}, dram);
  EXPECT_GT(many, 60 * (dram.column + dram.short_gap));
  EXPECT_GT(one, dram.column);
}

TEST(Banked, NeverBeatsTheDataBus) {
  for (const std::int64_t bytes : {1, 2, 63, 64, 65, 146, 1000, 8192, 100000})
    for (const std::int64_t stride : {0, 64, 146, 4096, 8192, 16384, 100000})
      for (const std::int64_t count : {1, 3, 50}) {
        const DramTimings dram = ddr4(1, 32);
        const Runs runs{count, bytes, std::max(stride, count > 1 ? bytes : stride)};
        EXPECT_LE(banked_bandwidth(runs, dram), dram.line_bytes * dram.clock_hz / dram.short_gap)
            << count << " runs of " << bytes << " every " << stride;
      }
}

TEST(Banked, ChoosesAtLeastAsWellAsOtherLevelsByItsOwnMeasure) {
  Machine machine;
  machine.mac_efficiency = 0.75;
  std::string reason;
  const auto layers = paper_networks()[4].layers;
  for (std::size_t i = 0; i < 6; ++i) {
    const CostModel model(*convolution_of(layers[i], reason), machine);
    const auto banked = best_tiling(model, {CostLevel::banked, {}, {}}, {});
    const auto burst = best_tiling(model, {}, {});
    EXPECT_LE(banked->price, price_of(model, burst->tiling, burst->totals, CostLevel::banked) * (1 + 1e-12)) << i;
  }
}

}  // namespace
}  // namespace convscope::nmp
