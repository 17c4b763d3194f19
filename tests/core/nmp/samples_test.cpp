// Every layer of every sample: the search against exhaustion, both border models, without and with a shared buffer.

#include <filesystem>
#include <iostream>
#include <set>

#include <gtest/gtest.h>

#include "core/base/resources.h"
#include "core/catalogue/standard.h"
#include "core/nmp/artifacts/plan.h"
#include "core/nmp/search/search.h"
#include "exhaustion.h"
#include "oracle.h"

#if defined(__SANITIZE_ADDRESS__)
#define CONVSCOPE_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CONVSCOPE_SANITIZED 1
#endif
#endif

namespace convscope::nmp {
namespace {

std::vector<std::string> sample_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(sample_path("networks")))
    names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// The distinct convolutions of a sample; those that NMP refuses are left out.
std::vector<Convolution> convolutions(const std::string& sample) {
  Diagnostics diagnostics;
  const auto network = catalogue::standard()->read_network(sample_path("networks/" + sample + ".xml"), diagnostics);
  EXPECT_TRUE(network) << diagnostics.text();
  std::set<std::string> seen;
  std::vector<Convolution> found;
  std::string reason;
  for (const network::Layer& layer : network->layers)
    if (const auto c = convolution_of(layer, reason); c && seen.insert(c->key()).second) found.push_back(*c);
  return found;
}

Machine board_with(Borders borders, std::int64_t shared_bytes) {
  Machine m;
  m.bandwidth = 16e9;
  m.mac_efficiency = 0.75;
  m.command_seconds = 630e-9;
  m.borders = borders;
  m.shared_bytes = shared_bytes;
  return m;
}

std::int64_t tilings(const CostModel& model) {
  std::int64_t sum = 0;
  for (const Partition p : partitions)
    for (const Schedule s : schedules)
      sum += std::int64_t{model.sums().of(p).slice_rows} * model.convolution().columns.out *
             model.sums().of(p).tlt_units * model.channel_limit(p, s);
  return sum;
}

// Sanitizers make this twenty times slower: there only small layers are tried.
bool small_enough(const CostModel& model) {
#ifdef CONVSCOPE_SANITIZED
  return tilings(model) <= 2'000'000;
#else
  return tilings(model) > 0;
#endif
}

// The closed form is itself held to the oracle that walks through every tile, at the answer and at a neighbour.
void expect_walk(const CostModel& model, const Tiling& t) {
  const Totals totals = model.evaluate(t);
  const OracleCost cost = oracle_cost(model.convolution(), model.machine(), t);
  ASSERT_TRUE(cost.fits) << tiling_text(t);
  EXPECT_EQ(totals.all(), (Traffic{cost.bytes, cost.bursts, cost.commands})) << tiling_text(t);
  EXPECT_EQ(totals.mac_cycles, cost.mac_cycles) << tiling_text(t);
}

class EverySample : public testing::TestWithParam<std::string> {};

TEST_P(EverySample, SearchEqualsExhaustion) {
  int compared = 0, skipped = 0;
  for (const Convolution& c : convolutions(GetParam()))
    for (const Borders borders : {Borders::full, Borders::exact})
      for (const std::int64_t shared : {0, 2048}) {
        const CostModel model(c, board_with(borders, shared));
        if (!small_enough(model)) {
          ++skipped;
          continue;
        }
        const auto found = best_tiling(model, {}, {});
        const auto best = exhaust(model);
        ASSERT_EQ(found.has_value(), best.has_value());
        if (!found) continue;
        ++compared;
        ASSERT_EQ(found->tiling, best->tiling) << tiling_text(found->tiling) << " / " << tiling_text(best->tiling);
        expect_walk(model, found->tiling);
      }
  std::cout << compared << " searches compared, " << skipped << " left out\n";
  EXPECT_GT(compared + skipped, 0);
}

INSTANTIATE_TEST_SUITE_P(Samples, EverySample, testing::ValuesIn(sample_names()),
                         [](const auto& sample) { return sample.param; });

}  // namespace
}  // namespace convscope::nmp
