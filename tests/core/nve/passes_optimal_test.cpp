// The two levels beyond the thesis: whole strips, simulated, against the figures that this machine can reach
// (thesis, Table 5 and beyond).

#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "core/nve/passes/bind_program.h"
#include "core/nve/passes/circular_packing.h"
#include "core/nve/passes/plan_layer.h"
#include "core/schedule/bounds/bounds.h"
#include "tests/core/nve/layers.h"

namespace convscope::nve::test {
namespace {

struct Reached {
  const char* network;
  int layer;
  const Switches* switches;
  double least;  // MAC per instruction
};

class Reach : public testing::TestWithParam<Reached> {};

TEST_P(Reach, SimulatedOverAStrip) {
  const network::Layer layer = sample(GetParam().network).layers[static_cast<std::size_t>(GetParam().layer)];
  const auto compiled = compile(layer, *GetParam().switches);
  ASSERT_TRUE(compiled->mapped()) << compiled->reason();
  EXPECT_TRUE(compiled->metrics().verified);
  Diagnostics diagnostics;
  const target::SimulationResult result = simulate(*compiled, "seed:7", 3, 1, diagnostics);
  EXPECT_TRUE(result.ran && result.matches) << diagnostics.text();
  // What was simulated is what the figure is made of.
  const bool half = GetParam().switches->half_vector && layer.kernel == network::Size{1, 1};
  const int rows = half ? 8 : 16, strips = (layer.out.size.height + rows - 1) / rows;
  EXPECT_EQ(figure(*compiled, "instructions"), counted(result, "cycles") * strips);
  EXPECT_GE(figure(*compiled, "mac_per_instruction"), GetParam().least);
}

INSTANTIATE_TEST_SUITE_P(
    Optimal, Reach,
    testing::Values(Reached{"face_detection", 0, &optimal, 15.50}, Reached{"face_detection", 1, &optimal, 15.25},
                    Reached{"face_detection", 2, &optimal, 15.53}, Reached{"face_detection", 3, &optimal, 6.15},
                    Reached{"speed_sign", 0, &optimal, 15.50}, Reached{"speed_sign", 1, &optimal, 15.80},
                    Reached{"speed_sign", 2, &optimal, 15.88}, Reached{"speed_sign", 3, &optimal, 6.30}));
INSTANTIATE_TEST_SUITE_P(ThesisLayout, Reach,
                         testing::Values(Reached{"face_detection", 0, &thesis_layout, 13.65},
                                         Reached{"face_detection", 1, &thesis_layout, 12.7},
                                         Reached{"face_detection", 2, &thesis_layout, 15.53},
                                         Reached{"face_detection", 3, &thesis_layout, 4.85},
                                         Reached{"speed_sign", 0, &thesis_layout, 13.65},
                                         Reached{"speed_sign", 1, &thesis_layout, 13.65},
                                         Reached{"speed_sign", 2, &thesis_layout, 15.88},
                                         Reached{"speed_sign", 3, &thesis_layout, 4.89}));

// Programs of a layer at a level, scheduled.
std::vector<std::shared_ptr<const StructureProgram>> programs(const network::Layer& layer, const Switches& switches) {
  target::NoCache cache;
  const target::PassRun run{cache, {}};
  const OutputSize output{layer.out.size.height, layer.out.size.width};
  const LayerPlan plan = plan_layer(run, layer.inputs, window_of(layer), output, switches, Sharing{}, Machine{});
  std::vector<std::shared_ptr<const StructureProgram>> result;
  for (const MapGroup& group : plan.groups)
    result.push_back(schedule_structure(run, group.structure, plan.window, switches, Machine{}).pointer());
  return result;
}

TEST(Interval, IsTheProvenBoundOfEveryProgram) {
  for (const char* network : {"filter_3x3", "face_detection", "speed_sign"})
    for (const network::Layer& layer : sample(network).layers)
      for (const Switches* switches : {&thesis_layout, &optimal}) {
        SCOPED_TRACE(testing::Message() << network << " " << layer.name);
        const auto program = programs(layer, *switches).front();
        ASSERT_TRUE(program->certificate);
        EXPECT_TRUE(program->certificate->optimal());
        EXPECT_EQ(program->certificate->bound, program->loop.initiation_interval);
        EXPECT_EQ(schedule::resource_bound(program->loop.problem), program->loop.initiation_interval);
      }
}

// 03-nve's steady states: 14 maps fused in one loop; the registers' chain of four maps in image order.
TEST(Interval, OfKnownLoops) {
  const network::Network face = sample("face_detection"), speed = sample("speed_sign");
  EXPECT_EQ(programs(face.layers[0], optimal).front()->loop.initiation_interval, 148);
  EXPECT_EQ(programs(face.layers[1], optimal).front()->loop.initiation_interval, 334);
  EXPECT_EQ(programs(face.layers[3], optimal).front()->loop.initiation_interval, 18);
  // 80 writes and 20.25 words of coefficients a column: two columns at once, 101 for each alone.
  EXPECT_EQ(programs(speed.layers[3], optimal).front()->loop.initiation_interval, 201);
  EXPECT_EQ(programs(face.layers[0], thesis_layout).front()->loop.initiation_interval, 168);
}

// No word starts at a body's bias or with a column, where pixels take port A for all of the time.
TEST(CircularPacking, StraddlesBodiesAndIterations) {
  const Structure structure{1, {{0}, {0}, {0}, {0}}};
  const PackedLoop packed = pack_circular({6, 6, 2, 2}, structure, Machine{});
  for (const auto& starts : packed.starts)
    for (int start : starts) EXPECT_TRUE(start > 0 && (start - 1) % 6 != 0) << start;
  EXPECT_EQ(packed.interval, 168);
  EXPECT_EQ(packed.bound, 168);
}

TEST(CircularPacking, NeverWorseThanItsBoundAllows) {
  for (int height = 1; height <= 8; ++height)
    for (int width : {1, 3}) {
      const PackedLoop packed = pack_circular({height, width, 1, 1}, {3, {{0, 1}, {2}}}, Machine{});
      EXPECT_GE(packed.interval, packed.bound) << height;
      std::size_t starts = 0;
      for (const auto& map : packed.starts) starts += map.size();
      EXPECT_EQ(starts, static_cast<std::size_t>(packed.words));
    }
}

// A bias and nine weights of each connection; with words to spare nothing else takes a cycle.
TEST(CircularPacking, ChainIsWhatNoPackingComesBelow) {
  const Machine machine;
  EXPECT_EQ(chain_length({3, 3, 1, 1}, {1, {{0}}}, machine), 10);
  EXPECT_EQ(chain_length({6, 6, 2, 2}, {1, {{0}, {0}, {0}, {0}}}, machine), 168);
  for (int height = 1; height <= 8; ++height) {
    const Window window{height, 3, 1, 1};
    const Structure structure{3, {{0, 1}, {2}}};
    const std::int64_t chain = chain_length(window, structure, machine);
    EXPECT_GE(chain, 2 + 9 * height) << height;
    EXPECT_LE(chain, pack_circular(window, structure, machine).bound) << height;
  }
}

// Polyphase moves six words a column where five were.
TEST(Polyphase, TransfersAreShownAsTheyAre) {
  const network::Layer layer = sample("face_detection").layers[0];
  const StoredColumn thesis(Machine{}, 6, 2, false), phases(Machine{}, 6, 2, true);
  EXPECT_EQ(thesis.words(), 5);
  EXPECT_EQ(phases.words(), 6);
  EXPECT_GT(figure(*compile(layer, optimal), "words_transferred"),
            1.1 * figure(*compile(layer, thesis_layout), "words_transferred"));
}

TEST(Polyphase, SortsRowsByPhase) {
  const StoredColumn column(Machine{}, 5, 2, true);
  EXPECT_EQ(column.phases(), 2);
  EXPECT_EQ(column.kernel_rows(0), 3);
  EXPECT_EQ(column.kernel_rows(1), 2);
  EXPECT_EQ(column.row(0, 1), 2);
  EXPECT_EQ(column.row(2, 1), 34);
  EXPECT_EQ(column.row(3, 0), 1);
  EXPECT_EQ(column.place(4), 1);
}

TEST(HalfVector, IsTakenWherePortAIsTheBoundOnly) {
  const network::Network face = sample("face_detection");
  const auto one_by_one = programs(face.layers[3], optimal), others = programs(face.layers[2], optimal);
  EXPECT_EQ(one_by_one.front()->emitted.program.rows_per_strip(), 8);
  EXPECT_EQ(one_by_one.front()->emitted.program.first_lane(), 8);
  EXPECT_EQ(others.front()->emitted.program.rows_per_strip(), 16);
}

// Each switch alone may be left out, and costs what it gained.
TEST(Optimizations, AreNeverALoss) {
  const network::Network face = sample("face_detection");
  for (const network::Layer& layer : face.layers) {
    const double best = compile(layer, optimal)->metrics().cycles.value;
    for (bool Switches::*each : {&Switches::circular, &Switches::peeling, &Switches::partition, &Switches::polyphase,
                                 &Switches::half_vector, &Switches::fusion}) {
      Switches without = optimal;
      without.*each = false;
      const auto compiled = compile(layer, without);
      ASSERT_TRUE(compiled->mapped()) << layer.name << compiled->reason();
      EXPECT_GE(compiled->metrics().cycles.value, best * 0.9999) << layer.name;
    }
  }
}

// Exact schedules may begin and end in more, and plans go by estimates: narrow maps, slow buses.
TEST(Optimizations, LevelsGetNoSlower) {
  std::mt19937 random(5);
  const auto pick = [&](int least, int most) { return std::uniform_int_distribution<int>(least, most)(random); };
  for (int i = 0; i < 20; ++i) {
    const int height = pick(1, 4), width = pick(1, 4), stride = pick(1, 2), inputs = pick(1, 12), maps = pick(1, 16);
    const network::Size out{pick(8, 30), pick(4, 12)};
    std::vector<int> all(static_cast<std::size_t>(inputs));
    std::iota(all.begin(), all.end(), 0);
    const std::vector<std::vector<int>> table(static_cast<std::size_t>(maps), all);
    const network::Layer layer = make_layer(height, width, stride, out, table, inputs);
    Machine machine;
    machine.bandwidth = i % 2 == 0 ? 800e6 : 40e6;
    const auto seconds = [&](const Switches& switches) {
      const auto compiled = compile(layer, switches, machine);
      EXPECT_TRUE(compiled->mapped()) << compiled->reason();
      return compiled->metrics().seconds.value;
    };
    const double thesis = seconds(fusion), same_layout = seconds(thesis_layout), any = seconds(optimal);
    EXPECT_LE(same_layout, thesis) << layer.name << i;
    EXPECT_LE(any, same_layout) << layer.name << i;
  }
}

}  // namespace
}  // namespace convscope::nve::test
