// The faster forms against the simulator, on tiles of images.

#include <cmath>
#include <cstdlib>
#include <random>

#include <gtest/gtest.h>

#include "core/dram/forms/banked.h"
#include "core/dram/forms/walk.h"
#include "core/dram/simulate/simulate.h"

namespace convscope::dram {
namespace {

int draw(std::mt19937& generator, int low, int high) {
  return low + static_cast<int>(generator() % static_cast<unsigned>(high - low + 1));
}

/// A tile of an image whose rows are at least a line long.
Pattern random_tile(std::mt19937& generator, int line) {
  const int element = draw(generator, 1, 2);
  int width = draw(generator, 4, 512);
  if (draw(generator, 0, 3) == 0) width = 1 << draw(generator, 4, 11);
  width = std::max(width, line / element);
  const int height = draw(generator, 1, 256), columns = draw(generator, line / element, width);
  const int rows = draw(generator, 1, std::min(height, 32)), maps = draw(generator, 1, 64);
  const int start = draw(generator, 0, 1 << 24);
  const bool write = draw(generator, 0, 1) == 1;
  const std::int64_t pitch = std::int64_t{width} * element;
  return {
      static_cast<std::uint64_t>(start) * 2, std::int64_t{columns} * element, rows, pitch, maps, pitch * height, write};
}

std::int64_t simulated(const Parameters& p, const Pattern& pattern, bool settle) {
  Lines lines(pattern, p.organization.line_bytes());
  return simulate(p,
                  [&](Request& request) {
                    if (lines.done()) return false;
                    request = {lines.address(), pattern.write, false};
                    lines.next();
                    return true;
                  },
                  {0, settle})
      .cycles;
}

struct Mean {
  double sum = 0;
  int count = 0;
  void add(double value) { sum += value, ++count; }
  double value() const { return sum / std::max(1, count); }
};

class DramForms : public testing::TestWithParam<std::string> {};

TEST_P(DramForms, MeetTheSimulatorOnRandomTiles) {
  const Parameters& p = kind(GetParam());
  std::mt19937 generator(11);
  Mean walk, banked;
  const int count = std::getenv("CONVSCOPE_FULL") ? 2000 : 60;
  for (int i = 0; i < count; ++i) {
    const Pattern tile = random_tile(generator, p.organization.line_bytes());
    const auto exact = static_cast<double>(simulated(p, tile, false));
    walk.add(std::abs(static_cast<double>(Walk(p).transfer(tile)) / exact - 1));
    // The closed form knows no transfer after this one in which the last stores would end.
    const double settled = tile.write ? static_cast<double>(simulated(p, tile, true)) : exact;
    banked.add(std::abs(banked_cycles(tile, p) / settled - 1));
  }
  EXPECT_LT(walk.value(), 0.10);
  EXPECT_LT(banked.value(), 0.25);
}

INSTANTIATE_TEST_SUITE_P(Kinds, DramForms,
                         testing::Values("DDR3-1866", "DDR3-2133", "DDR4-2400", "DDR4-3200", "LPDDR3-1600",
                                         "LPDDR4-2400"),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST(DramBanked, NeverBeatsTheBus) {
  std::mt19937 generator(3);
  for (const Kind& k : kinds())
    for (int i = 0; i < 200; ++i) {
      const Pattern tile = random_tile(generator, draw(generator, 0, 1) == 0 ? 2 : 64);
      const double seconds = banked_cycles(tile, k.parameters) / k.parameters.organization.clock_hz;
      EXPECT_GE(seconds * k.parameters.organization.peak(), static_cast<double>(tile.useful_bytes())) << k.name;
    }
}

TEST(DramForm, TakeNoTimeForNothing) {
  for (const Kind& k : kinds()) {
    EXPECT_EQ(banked_cycles({}, k.parameters), 0);
    EXPECT_EQ(Walk(k.parameters).transfer({}), 0);
  }
}

TEST(DramForm, KnowLimitsOfWhatIsInFlight) {
  Parameters p = kind("DDR4-3200");
  p.controller.in_flight = 1;
  const Pattern run{0, 4096, 1, 0, 1, 0, false};
  const double exact = static_cast<double>(simulated(p, run, false));
  EXPECT_NEAR(static_cast<double>(Walk(p).transfer(run)) / exact, 1, 0.1);
  EXPECT_NEAR(banked_cycles(run, p) / exact, 1, 0.25);
}

TEST(DramWalk, CountsLoadsThatComeAfterStoresLikeTheSimulator) {
  const Parameters& p = kind("DDR4-2400");
  std::mt19937 generator(5);
  std::vector<Pattern> transfers;
  for (int i = 0; i < 60; ++i) transfers.push_back(random_tile(generator, 64));
  Walk walk(p);
  std::int64_t walked = 0;
  for (const Pattern& t : transfers) walked += walk.transfer(t);
  std::size_t at = 0;
  Lines lines(transfers[0], 64);
  bool first = true;
  const auto exact = simulate(p, [&](Request& request) {
    while (lines.done()) {
      if (++at == transfers.size()) return false;
      lines = Lines(transfers[at], 64);
      first = true;
    }
    request = {lines.address(), transfers[at].write, std::exchange(first, false)};
    lines.next();
    return true;
  });
  EXPECT_NEAR(static_cast<double>(walked) / static_cast<double>(exact.cycles), 1, 0.06);
}

TEST(DramForm, FollowTheAddressMapping) {
  Parameters p = kind("DDR4-3200");
  const Pattern tile{0, 64, 16, 8192 * 16, 16, 8192 * 16 * 16, false};  // one bank of each rank
  p.organization.mapping = {Field::row, Field::rank, Field::bank, Field::group, Field::column};
  const double rows_apart = banked_cycles(tile, p);
  const auto walked_apart = Walk(p).transfer(tile);
  p.organization.mapping = {Field::rank, Field::bank, Field::group, Field::row, Field::column};
  EXPECT_GE(banked_cycles(tile, p), rows_apart);
  EXPECT_GE(Walk(p).transfer(tile), walked_apart);
}

}  // namespace
}  // namespace convscope::dram
