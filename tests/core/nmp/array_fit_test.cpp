// MAC arrays that tiles don't always fill: against a walk over every tile, and the search over all tilings.

#include "core/nmp/cost/array_fit.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "core/nmp/artifacts/plan.h"
#include "core/nmp/search/search.h"
#include "random_problems.h"

namespace convscope::nmp {
namespace {

/// Pieces of at most `size` that `length` is cut into; all of them full ones, if asked for.
std::vector<int> cut_into(int length, int size, bool exact) {
  std::vector<int> all;
  for (int first = 0; first < length; first += size) all.push_back(exact ? std::min(size, length - first) : size);
  return all;
}

int ceil_of(int a, int b) {
  return (a + b - 1) / b;
}

/// A machine whose MACs are laid out in some way.
Machine with_array(Machine m, RandomProblems& random) {
  m.array.height = 1 + random.pick(5);
  m.array.width = 1 + random.pick(4);
  m.array.kind = random.pick(2) == 0 ? ArrayKind::lanes : ArrayKind::rows;
  const int pooled = 1 + random.pick(3);
  m.macs_per_cycle = m.array.height * m.array.width * (m.array.kind == ArrayKind::lanes ? pooled : 1);
  m.array.held_inputs = random.pick(7);
  m.array.sums_port = random.pick(3);
  m.joint_memory = random.pick(2) == 0;
  return m;
}

/// Tile by tile: channels of a chunk in tiles, filters in tiles, rows and columns in tiles.
struct TileByTile {
  const Convolution& c;
  const Machine& m;
  const Tiling& t;
  TltWork work;

  template <typename Visit>
  void each(Visit visit) const {
    const bool exact = m.borders == Borders::exact;
    for (const int r : cut_into(work.slice_rows, t.rows, exact))
      for (const int w : cut_into(c.columns.out, t.columns, exact))
        for (const int u : cut_into(work.units, t.units, exact))
          for (int chunk = 0; chunk < work.chunks; ++chunk) {
            const int here = exact ? std::min(work.chunk, c.channels - chunk * work.chunk) : work.chunk;
            for (const int n : cut_into(here, t.channels, exact)) visit(r, w, u * c.maps_per_unit, n);
          }
  }

  long lanes() const {
    long cycles = 0, sums = 0;
    const int lane = m.macs_per_cycle / (m.array.height * m.array.width);
    each([&](int r, int w, int u, int n) {
      cycles += long{ceil_of(n, m.array.height)} * ceil_of(u, m.array.width) * ceil_of(r * w * c.taps(), lane);
      sums += long{r} * w * u;
    });
    return longer(cycles, sums);
  }

  /// Sets of which `channels` work on different channels; every division of the sets is tried.
  long rows() const {
    long best = -1;
    const int most = std::max(1, m.array.height / c.rows.kernel) * m.array.width;
    for (int channels = 1; channels <= most; ++channels) {
      long cycles = 0, sums = 0;
      each([&](int r, int w, int u, int n) {
        const auto sets = [&](int height) {
          return std::max(1, m.array.height / c.rows.kernel) * std::max(1, m.array.width / height);
        };
        const int along = std::min(channels, sets(r)), high = ceil_of(c.rows.kernel, m.array.height);
        cycles += long{ceil_of(r, m.array.width)} * high * w * c.columns.kernel * ceil_of(n, along) *
                  ceil_of(u, sets(r) / along);
        const int held = m.array.held_inputs == 0 ? c.channels : std::max(1, m.array.held_inputs / c.columns.kernel);
        sums += long{r} * w * u * high * ceil_of(n, std::min(channels, sets(t.rows)) * held);
      });
      const long all = longer(cycles, sums);
      if (best < 0 || all < best) best = all;
    }
    return best;
  }

  long longer(long cycles, long sums) const {
    return m.array.sums_port == 0 ? cycles : std::max(cycles, (sums + m.array.sums_port - 1) / m.array.sums_port);
  }
};

TEST(ArrayFit, CountsTileByTile) {
  RandomProblems random(31);
  int compared = 0;
  for (int i = 0; i < 1500; ++i) {
    const Problem p = random.next(i % 2 == 0 ? Borders::full : Borders::exact);
    const Machine m = with_array(p.machine, random);
    const Convolution& c = p.convolution;
    const int chunk = 1 + random.pick(c.channels), chunks = ceil_of(c.channels, chunk);
    const TltWork work{1 + random.pick(c.rows.out), 1 + random.pick(c.units), chunk, chunks};
    const int rows = 1 + random.pick(work.slice_rows), columns = 1 + random.pick(c.columns.out);
    const int channels = 1 + random.pick(chunk), units = 1 + random.pick(work.units);
    const Tiling t{Partition::filters, Schedule::weight_stationary, rows, columns, channels, units};
    const TileByTile walked{c, m, t, work};
    const long expected = (m.array.kind == ArrayKind::lanes ? walked.lanes() : walked.rows()) * c.repeats;
    ASSERT_EQ(array_cycles(c, m, t, work), expected) << i;
    ASSERT_LE(least_array_cycles(c, m, t, work), expected) << i;
    ++compared;
  }
  EXPECT_EQ(compared, 1500);
}

TEST(ArrayFit, SearchEqualsTryingEveryTiling) {
  RandomProblems random(32);
  int mapped = 0;
  for (int i = 0; i < 150; ++i) {
    const Problem p = random.next(i % 2 == 0 ? Borders::full : Borders::exact);
    const CostModel model(p.convolution, with_array(p.machine, random));
    const auto found = best_tiling(model, {}, {});
    std::optional<Candidate> best;
    if (model.sums().chunk > 0)
      for (const Partition partition : partitions)
        for (const Schedule schedule : schedules) {
          const auto all = exhaustive_tiling(model, partition, schedule);
          if (all.best && (!best || better(*all.best, *best))) best = all.best;
        }
    ASSERT_EQ(found.has_value(), best.has_value()) << i;
    if (!found) continue;
    ++mapped;
    ASSERT_NEAR(found->price, best->price, 1e-9 * best->price)
        << i << " " << tiling_text(found->tiling) << " " << tiling_text(best->tiling);
    ASSERT_EQ(model.violation(found->tiling), "");
  }
  EXPECT_GT(mapped, 75);
}

// A lane of one MAC for each of 8 channels and 4 filters: 3 channels leave five of eight idle.
TEST(ArrayFit, LanesIdleWhereATileDoesNotFillThem) {
  Machine m;
  m.macs_per_cycle = 32;
  m.array = {ArrayKind::lanes, 8, 4, 0, 0};
  m.borders = Borders::exact;
  Convolution c;
  c.rows = c.columns = {10, 10, 1, 1, 1, 0};
  c.channels = 3;
  c.units = 4;
  const TltWork work{10, 4, 3, 1};
  EXPECT_EQ(array_cycles(c, m, {{}, {}, 10, 10, 3, 4}, work), 100);
  EXPECT_EQ(array_cycles(c, m, {{}, {}, 10, 10, 1, 4}, work), 300);
  EXPECT_EQ(array_cycles(c, m, {{}, {}, 10, 10, 3, 3}, work), 200);
}

// Eyeriss' third layer of AlexNet: kernels of 3 rows in four sets of 13 columns, 156 of 168 MACs.
TEST(ArrayFit, RowStationarySetsLieSideBySide) {
  Machine m;
  m.macs_per_cycle = 168;
  m.array = {ArrayKind::rows, 12, 14, 12, 0};
  Convolution c;
  c.rows = c.columns = {13, 13, 3, 1, 1, 1};
  c.channels = 256;
  c.units = 384;
  const TltWork work{13, 384, 256, 1};
  const auto cycles = array_cycles(c, m, {{}, {}, 13, 13, 256, 384}, work);
  EXPECT_DOUBLE_EQ(static_cast<double>(c.macs()) / static_cast<double>(cycles), 156);
}

TEST(ArrayFit, RefusesArraysThatAreNotTheMacs) {
  for (const auto& [array, height, width, fits] :
       {std::tuple{"lanes", "2", "2", true}, std::tuple{"lanes", "3", "1", false}, std::tuple{"rows", "2", "2", false},
        std::tuple{"rows", "4", "2", true}, std::tuple{"pooled", "3", "5", true}}) {
    auto values = parameter_values(Machine{});
    Diagnostics diagnostics;
    ASSERT_TRUE(values.set("array", array, diagnostics) && values.set("array_height", height, diagnostics) &&
                values.set("array_width", width, diagnostics));
    EXPECT_EQ(values.check(diagnostics), fits) << array << height << width << diagnostics.text();
    EXPECT_EQ(parameter_values(machine_from(values)), values);
  }
  auto values = parameter_values(Machine{});
  Diagnostics diagnostics;
  ASSERT_TRUE(values.set("memory_sharing", "joint", diagnostics) &&
              values.set("double_buffering", "chosen", diagnostics));
  EXPECT_FALSE(values.check(diagnostics));
}

}  // namespace
}  // namespace convscope::nmp
