// The state of NVE at any cycle: jumps against a run from the start, what is told as written against what changed, the
// window against the image, searches against looking at every cycle.

#include <map>
#include <random>

#include <gtest/gtest.h>

#include "core/nve/program_tools.h"
#include "tests/core/nve/layers.h"
#include "tests/core/target/trace_checks.h"

namespace convscope::nve {
namespace {

using artifact::AccessKind;
using artifact::CycleChanges;
using artifact::MachineState;
using artifact::StateAccess;
using artifact::StateKind;
using target::TracePredicate;
using TracePointer = std::shared_ptr<const target::Trace>;

struct Sample {
  const char* name;
  network::Layer layer;
  Machine machine = {};
};

std::vector<Sample> samples() {
  Machine small;
  small.lanes = 8;
  small.local_buffer_words = 256;
  Machine banks = small;
  banks.memory = MemoryKind::two_banks;
  Machine single = small;
  single.memory = MemoryKind::simple_dual_port;
  return {{"two maps", test::make_layer(3, 3, 1, {16, 40}, {{0}, {0, 1}}, 2), small},
          {"stride", test::make_layer(5, 3, 2, {20, 25}, {{0}}, 1), small},
          {"two banks", test::make_layer(3, 3, 1, {8, 30}, {{0, 1}}, 2), banks},
          {"one read port", test::make_layer(2, 3, 1, {8, 30}, {{0}, {1}}, 2), single}};
}

TracePointer traced(const Sample& sample, std::int64_t bytes = target::default_checkpoint_bytes, int strip = 0) {
  const auto layer = test::compile(sample.layer, test::optimal, sample.machine);
  EXPECT_TRUE(layer->mapped()) << layer->reason();
  const NveProgramTools tools;
  Diagnostics diagnostics;
  target::OptionValues options(*tools.trace_options());
  EXPECT_TRUE(options.set("strip", std::to_string(strip), diagnostics));
  auto trace = tools.trace(layer->program_file(0), "program", options, bytes, {}, diagnostics);
  EXPECT_TRUE(trace) << diagnostics.text();
  return trace;
}

/// All but the input, which never changes.
MachineState state_of(const target::Trace& trace, std::int64_t cycle) {
  MachineState state;
  const auto& blocks = trace.schema().blocks;
  for (int b = 0; b < static_cast<int>(blocks.size()); ++b) {
    const auto& block = blocks[static_cast<std::size_t>(b)];
    if (block.kind == StateKind::image && !block.output) continue;
    state.push_back(trace.values(cycle, b, 0, block.size()));
  }
  return state;
}

class TraceTest : public testing::TestWithParam<int> {
 protected:
  static Sample sample() { return samples()[static_cast<std::size_t>(GetParam())]; }
};

TEST_P(TraceTest, JumpsShowWhatARunFromTheStartShows) {
  const TracePointer plain = traced(sample(), 0), jumping = traced(sample());
  ASSERT_EQ(plain->cycles(), jumping->cycles());
  EXPECT_EQ(plain->checkpoint_bytes(), 0);
  EXPECT_TRUE(plain->refusal().empty()) << plain->refusal();
  std::map<std::int64_t, MachineState> expected;
  std::mt19937_64 random(7);
  std::uniform_int_distribution<std::int64_t> any(-1, plain->cycles() - 1);
  std::vector<std::int64_t> cycles;
  for (int i = 0; i < 2500; ++i) cycles.push_back(any(random));
  for (const std::int64_t cycle : cycles) expected[cycle];
  for (auto& [cycle, state] : expected) state = state_of(*plain, cycle);  // ascending: one run
  for (const std::int64_t cycle : cycles) ASSERT_EQ(state_of(*jumping, cycle), expected[cycle]) << "cycle " << cycle;
}

bool written(const CycleChanges& changes, int block, std::int64_t element) {
  return std::any_of(changes.accesses.begin(), changes.accesses.end(), [&](const StateAccess& access) {
    return access.block == block && access.kind == AccessKind::write && access.meets(element, 1);
  });
}

TEST_P(TraceTest, WhatChangesWasTold) {
  const TracePointer trace = traced(sample());
  MachineState before = trace->state(-1);
  for (std::int64_t cycle = 0; cycle < std::min<std::int64_t>(trace->cycles(), 400); ++cycle) {
    const CycleChanges changes = trace->changes(cycle);
    EXPECT_EQ(changes.cycle, cycle);
    const MachineState after = trace->state(cycle);
    for (std::size_t b = 0; b < after.size(); ++b) {
      if (after[b] == before[b]) continue;
      for (std::size_t i = 0; i < after[b].numbers.size(); ++i)
        if (after[b].numbers[i] != before[b].numbers[i]) {
          EXPECT_TRUE(written(changes, static_cast<int>(b), static_cast<std::int64_t>(i)))
              << trace->schema().blocks[b].name << " " << i << ", cycle " << cycle;
        }
      if (after[b].texts != before[b].texts) {
        EXPECT_TRUE(written(changes, static_cast<int>(b), 0)) << "cycle " << cycle;
      }
    }
    before = after;
  }
}

TEST_P(TraceTest, PixelsOfTheWindowAreThoseOfTheImage) {
  const TracePointer trace = traced(sample(), target::default_checkpoint_bytes, sample().layer.out.size.height > 8);
  const auto& blocks = trace->schema().blocks;
  const int window = trace->schema().find("window");
  std::int64_t seen = 0, worked = 0;
  for (std::int64_t cycle = 0; cycle < trace->cycles(); cycle += 7) {
    const auto values = trace->values(cycle, window, 0, blocks[static_cast<std::size_t>(window)].size());
    for (const artifact::WindowPixel& pixel : trace->window(cycle)) {
      const auto& image = blocks[static_cast<std::size_t>(pixel.image)];
      ASSERT_EQ(image.kind, StateKind::image);
      const bool inside = pixel.row >= 0 && pixel.row < image.rows && pixel.column >= 0 && pixel.column < image.columns;
      const std::int64_t expected =
          inside ? trace->values(cycle, pixel.image, pixel.row * image.columns + pixel.column, 1).numbers[0] : 0;
      ASSERT_EQ(values.numbers[static_cast<std::size_t>(pixel.element)], expected)
          << "cycle " << cycle << ", pixel " << pixel.element;
      ++seen;
      worked += pixel.lane >= 0 ? 1 : 0;
    }
  }
  EXPECT_GT(seen, 400);
  EXPECT_GT(worked, 200);
}

TEST_P(TraceTest, OutputsGrowUntilAllAreThere) {
  const TracePointer trace = traced(sample());
  for (int b = 0; b < static_cast<int>(trace->schema().blocks.size()); ++b) {
    const auto& block = trace->schema().blocks[static_cast<std::size_t>(b)];
    if (!block.output) continue;
    const auto held = [&](std::int64_t cycle) {
      const auto values = trace->values(cycle, b, 0, block.size());
      return std::count_if(values.numbers.begin(), values.numbers.end(),
                           [](std::int64_t value) { return value != artifact::no_value; });
    };
    EXPECT_EQ(held(-1), 0);
    EXPECT_EQ(held(trace->cycles() - 1), block.size());
    const auto half = held(trace->cycles() / 2);
    EXPECT_GT(half, block.size() / 4);
    EXPECT_LT(half, block.size());
  }
}

TEST_P(TraceTest, SearchesFindWhatLookingAtEveryCycleFinds) {
  const TracePointer trace = traced(sample());
  const std::vector<CycleChanges> all = target::all_changes(*trace);
  ASSERT_EQ(static_cast<std::int64_t>(all.size()), trace->cycles());
  const int buffer = trace->schema().find("local buffer"), sums = trace->schema().find("accumulators");
  std::vector<TracePredicate> predicates(5);
  predicates[0] = {.access = TracePredicate::Access::written, .block = buffer, .first = 40, .count = 8};
  predicates[1] = {.access = TracePredicate::Access::read, .block = buffer, .first = 0, .count = 8};
  predicates[2] = {.access = TracePredicate::Access::written, .block = sums, .first = 0, .count = 1};
  predicates[3] = {.unit = 0, .activity = artifact::UnitActivity::idle};
  predicates[4] = {.address = all[all.size() / 2].address, .iteration = 3};
  target::expect_searches_find(*trace, all, predicates, 60);
}

TEST_P(TraceTest, CheckpointsKeepToTheirBound) {
  for (const std::int64_t bound : {std::int64_t{0}, std::int64_t{100'000}, std::int64_t{1'000'000}})
    EXPECT_LE(traced(sample(), bound)->checkpoint_bytes(), bound);
}

TEST_P(TraceTest, UnitsSayWhatTheyDoOrWhyNot) {
  const TracePointer trace = traced(sample());
  const CycleChanges changes = trace->changes(trace->cycles() / 2);
  EXPECT_GE(changes.iteration, 0);
  EXPECT_FALSE(trace->instruction(changes.address).empty());
  for (std::size_t unit = 0; unit < changes.units.size(); ++unit) {
    const std::string text = trace->text(static_cast<int>(unit), changes);
    EXPECT_EQ(text.find("nothing for it") != std::string::npos,
              changes.units[unit].activity == artifact::UnitActivity::idle)
        << text;
  }
}

INSTANTIATE_TEST_SUITE_P(Samples, TraceTest, testing::Range(0, 4), [](const auto& parameter) {
  std::string name = samples()[static_cast<std::size_t>(parameter.param)].name;
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
});

TEST(TraceRefusals, ProgramsAndStripsThatCannotRun) {
  const NveProgramTools tools;
  const Sample sample = samples().front();
  const std::string program = test::compile(sample.layer, test::fusion, sample.machine)->program_file(0);
  const auto refused = [&](std::string_view content, const char* option, const char* value) {
    Diagnostics diagnostics;
    target::OptionValues options(*tools.trace_options());
    options.set(option, value, diagnostics);
    const auto trace = tools.trace(content, "program", options, target::default_checkpoint_bytes, {}, diagnostics);
    return !trace && diagnostics.has_errors();
  };
  EXPECT_FALSE(refused(program, "strip", "1"));
  EXPECT_TRUE(refused(program, "strip", "2"));
  EXPECT_TRUE(refused(program, "image", "no/such/image.png"));
  EXPECT_TRUE(refused(program.substr(0, program.size() / 2), "strip", "0"));
  EXPECT_TRUE(refused("{}", "strip", "0"));
  std::stop_source stop;
  stop.request_stop();
  Diagnostics diagnostics;
  EXPECT_THROW(tools.trace(program, "program", target::OptionValues(*tools.trace_options()),
                           target::default_checkpoint_bytes, stop.get_token(), diagnostics),
               Cancelled);
}

}  // namespace
}  // namespace convscope::nve
