#include "core/dram/simulate/simulate.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "core/base/cancellation.h"
#include "core/dram/simulate/timeline.h"
#include "naive.h"

namespace convscope::dram {
namespace {

class Random {
 public:
  explicit Random(unsigned seed) : generator_(seed) {}
  int operator()(int low, int high) {
    return low + static_cast<int>(generator_() % static_cast<unsigned>(high - low + 1));
  }
  template <typename T>
  T pick(std::initializer_list<T> values) {
    return *(values.begin() + (*this)(0, static_cast<int>(values.size()) - 1));
  }

 private:
  std::mt19937 generator_;
};

/// A kind with some of its figures changed so that they still agree.
Parameters random_parameters(Random& random) {
  Parameters p = kinds()[static_cast<std::size_t>(random(0, static_cast<int>(kinds().size()) - 1))].parameters;
  Organization& o = p.organization;
  o.ranks = random.pick({1, 2, 4});
  o.mapping = all_mappings()[static_cast<std::size_t>(random(0, 119))];
  o.rows = random.pick({4, 64, 65536});
  o.banks = random.pick({o.groups, 8, 16});
  o.row_bytes = random.pick({256, 1024, 8192});
  p.controller.in_flight = random.pick({0, 0, 1, 5, 40});
  p.controller.queue = random(2, 32);
  p.controller.bank_queue = random(1, 8);
  p.controller.row_hits = random(1, 6);
  p.controller.write_batch = random(0, p.controller.queue - 1);
  p.controller.page = random.pick({Page::open, Page::closed});
  p.timings.tFAW = random(p.timings.tRRD_S, 100);
  p.timings.rank_switch = random(0, 3);
  p.timings.tRFC = random(10, 100);
  p.timings.tREFI = random(2 * o.ranks * (p.timings.tRFC + p.timings.tRC), 4000);
  return p;
}

/// Runs here and there, some of them again.
std::vector<Request> random_requests(Random& random, const Parameters& p) {
  std::vector<Request> requests;
  const int bursts = random(1, 12);
  bool write = random(0, 1) == 1;
  for (int i = 0; i < bursts; ++i) {
    if (random(0, 3) == 0) write = !write;
    const bool barrier = random(0, 3) == 0;
    const std::uint64_t start =
        static_cast<std::uint64_t>(random(0, 1 << 20)) * random.pick<std::uint64_t>({1, 64, 4096});
    const int lines = random(1, 24);
    const auto step = static_cast<std::uint64_t>(p.organization.line_bytes() * random.pick({1, 1, 7, 128}));
    for (int k = 0; k < lines; ++k)
      requests.push_back({start % 100'000'000 + static_cast<std::uint64_t>(k) * step, write, barrier && k == 0});
  }
  return requests;
}

RequestSource source_of(const std::vector<Request>& requests) {
  return [&requests, i = std::size_t{0}](Request& request) mutable {
    if (i == requests.size()) return false;
    request = requests[i++];
    return true;
  };
}

Simulation run(const Parameters& p, const std::vector<Request>& requests, bool settle = false) {
  return simulate(p, source_of(requests), {1'000'000, settle});
}

TEST(DramSimulate, EqualsLookingAtEveryCycle) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const Parameters p = random_parameters(random);
    ASSERT_EQ(contradiction(p), "") << seed;
    const std::vector<Request> requests = random_requests(random, p);
    for (const bool settle : {false, true}) {
      const Simulation fast = run(p, requests, settle), naive = simulate_naively(p, requests, settle);
      ASSERT_EQ(fast.log.size(), naive.log.size()) << seed;
      for (std::size_t i = 0; i < fast.log.size(); ++i) {
        ASSERT_EQ(fast.log[i], naive.log[i]) << "seed " << seed << ", command " << i << " at " << naive.log[i].cycle;
      }
      ASSERT_EQ(fast.cycles, naive.cycles) << seed;
      EXPECT_EQ(fast.activates, naive.activates) << seed;
      EXPECT_EQ(fast.precharges, naive.precharges) << seed;
      EXPECT_EQ(fast.refreshes, naive.refreshes) << seed;
      EXPECT_EQ(fast.reads, naive.reads) << seed;
      EXPECT_EQ(fast.writes, naive.writes) << seed;
    }
  }
}

TEST(DramSimulate, ReadsALineAfterItsRowWasOpened) {
  const Parameters& p = kind("DDR4-3200");
  const Simulation s = run(p, {{0, false, false}});
  ASSERT_EQ(s.log.size(), 2U);
  EXPECT_EQ(s.log[0].kind, CommandKind::activate);
  EXPECT_EQ(s.log[1].cycle - s.log[0].cycle, p.timings.tRCD);
  EXPECT_EQ(s.cycles, s.log[1].cycle + p.timings.CL + p.organization.burst_cycles());
}

TEST(DramSimulate, WaitsAtABarrierForAllReads) {
  const Parameters& p = kind("DDR4-3200");
  const Simulation s = run(p, {{0, false, false}, {64, false, true}});
  ASSERT_EQ(s.log.size(), 3U);
  EXPECT_GE(s.log[2].cycle, s.log[1].cycle + p.timings.CL + p.organization.burst_cycles());
}

TEST(DramSimulate, AnswersWritesWhenTheyAreTakenAndSettlesThemOnDemand) {
  const Parameters& p = kind("DDR3-1866");
  const std::vector<Request> writes{{0, true, false}, {64, true, false}, {1 << 20, true, false}};
  EXPECT_EQ(run(p, writes).cycles, 3);
  EXPECT_EQ(run(p, writes).writes, 0);
  const Simulation settled = run(p, writes, true);
  EXPECT_EQ(settled.writes, 3);
  EXPECT_GT(settled.cycles, p.timings.tRCD + p.timings.CWL);
}

TEST(DramSimulate, TakesALineThatWaitsOnce) {
  const Parameters& p = kind("DDR3-1866");
  EXPECT_EQ(run(p, {{0, false, false}, {32, false, false}, {0, false, false}}).reads, 1);
  const Simulation from_queue = run(p, {{0, true, false}, {8, false, false}});
  EXPECT_EQ(from_queue.reads, 0);
}

TEST(DramSimulate, ClosesRowsThatNobodyWaitsForUnderAClosedPage) {
  Parameters p = kind("LPDDR4-2400");
  std::vector<Request> requests;
  for (std::uint64_t i = 0; i < 50; ++i) requests.push_back({i * (std::uint64_t{1} << 20), false, true});
  const Simulation open = run(p, requests);
  p.controller.page = Page::closed;
  const Simulation closed = run(p, requests);
  EXPECT_GT(open.precharges, 0);
  EXPECT_EQ(closed.precharges, 0);
  EXPECT_LT(closed.cycles, open.cycles);
}

TEST(DramSimulate, SpreadsTrafficOverChannels) {
  Parameters p = kind("DDR4-3200");
  std::vector<Request> requests;
  for (std::uint64_t i = 0; i < 4096; ++i) requests.push_back({i * 64, false, false});
  const Simulation one = run(p, requests);
  p.organization.channels = 4;
  const Simulation four = run(p, requests);
  EXPECT_EQ(one.reads, four.reads);
  EXPECT_NEAR(static_cast<double>(one.cycles) / static_cast<double>(four.cycles), 4, 0.4);
}

TEST(DramSimulate, LimitsTheReadsInFlight) {
  Parameters p = kind("DDR4-3200");
  std::vector<Request> requests;
  for (std::uint64_t i = 0; i < 100; ++i) requests.push_back({i * 64, false, false});
  p.controller.in_flight = 1;
  EXPECT_GE(run(p, requests).cycles, 100 * (p.timings.CL + p.organization.burst_cycles()));
  p.controller.in_flight = 40;
  EXPECT_LE(run(p, requests).cycles, 100 * p.timings.tCCD_L + 100);
}

TEST(DramSimulate, StopsWhenAsked) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(simulate(
                   kind("DDR3-1866"), [](Request&) { return true; }, {}, stop.get_token()),
               Cancelled);
}

TEST(DramSimulate, KeepsNoMoreCommandsThanAsked) {
  std::vector<Request> requests;
  for (std::uint64_t i = 0; i < 100; ++i) requests.push_back({i * 64, false, false});
  EXPECT_EQ(simulate(kind("DDR3-1866"), source_of(requests), {10, false}).log.size(), 10U);
  const std::vector<Request> none;
  EXPECT_TRUE(simulate(kind("DDR3-1866"), source_of(none), {10, false}).log.empty());
}

TEST(DramTimeline, HasABankARow) {
  const Parameters& p = kind("LPDDR3-1600");
  std::vector<Request> requests;
  for (std::uint64_t i = 0; i < 2000; ++i) requests.push_back({i * 64, i % 2 == 0, false});
  const Simulation s = run(p, requests, true);
  const auto timeline = make_timeline(s.log, p);
  ASSERT_TRUE(timeline);
  EXPECT_EQ(timeline->resources().size(), 8U);
  EXPECT_EQ(timeline->resources()[3], "rank 0 bank 3");
  std::size_t cells = 0;
  timeline->visit(0, timeline->length(), [&](const artifact::PlacedCell&) { ++cells; });
  EXPECT_EQ(cells, s.log.size() + static_cast<std::size_t>(s.refreshes) * 7);
  EXPECT_GT(s.refreshes, 0);
  EXPECT_FALSE(make_timeline({}, p));
}

}  // namespace
}  // namespace convscope::dram
