// The state of Snowflake at any cycle: jumps against a run from the start, the end against the simulator's own run,
// what is told as written against what changed, searches against looking at every cycle.

#include <cmath>
#include <cstdlib>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "core/base/cancellation.h"
#include "core/base/key.h"
#include "core/snowflake/architecture/assembly.h"
#include "core/snowflake/program_tools.h"
#include "core/snowflake/simulate/core.h"
#include "core/snowflake/simulate/machine_data.h"
#include "core/snowflake/simulate/simulator.h"
#include "tests/core/snowflake/compiled_layer.h"
#include "tests/core/target/trace_checks.h"

namespace convscope::snowflake {
namespace {

using artifact::AccessKind;
using artifact::CycleChanges;
using artifact::MachineState;
using artifact::StateAccess;
using artifact::UnitActivity;
using target::TracePredicate;
using TracePointer = std::shared_ptr<const target::Trace>;

struct Sample {
  const char* name;
  LayerSpec spec;
};

const std::vector<Sample>& samples() {
  static const std::vector<Sample> all{
      {"convolution", {.height = 12, .width = 12, .channels = 16, .outputs = 32}},
      {"bypass", {.height = 8, .width = 8, .channels = 16, .outputs = 16, .bypass = true, .relu = true}},
      {"raw_input",
       {.height = 15,
        .width = 15,
        .channels = 3,
        .outputs = 16,
        .kernel_height = 5,
        .kernel_width = 5,
        .stride_height = 2,
        .stride_width = 2,
        .raw_input = true}},
      {"max_pool",
       {.kind = LayerKind::max_pool,
        .height = 12,
        .width = 12,
        .channels = 32,
        .outputs = 32,
        .stride_height = 2,
        .stride_width = 2}}};
  return all;
}

Machine small_machine() {
  Machine m;
  m.cus = 2;
  m.vmacs = 2;
  m.maps_bank_words = 4096;
  m.kernel_bank_words = 1024;
  return m;
}

Program program_of(const Sample& sample) {
  const CompiledSingle compiled = compile_single(sample.spec, small_machine());
  EXPECT_TRUE(compiled.refused.empty()) << compiled.refused;
  return compiled.program;
}

TracePointer traced(const Program& program, std::int64_t bytes = target::default_checkpoint_bytes) {
  const SnowflakeProgramTools tools;
  Diagnostics diagnostics;
  auto trace = tools.trace(write_program_file(program), "program", target::OptionValues(*tools.trace_options()), bytes,
                           {}, diagnostics);
  EXPECT_TRUE(trace) << diagnostics.text();
  return trace;
}

std::uint64_t hash_of(const MachineState& state) {
  KeyBuilder key;
  for (const artifact::StateValues& block : state) {
    for (const std::int64_t number : block.numbers) key.add(number);
    for (const std::string& text : block.texts) key.add(std::string_view(text));
  }
  return hash64(key.take());
}

class TraceTest : public testing::TestWithParam<int> {
 protected:
  Program program() const { return program_of(samples()[static_cast<std::size_t>(GetParam())]); }
};

TEST_P(TraceTest, JumpsShowWhatARunFromTheStartShows) {
  const Program program = this->program();
  const TracePointer plain = traced(program, 0), jumping = traced(program);
  ASSERT_EQ(plain->cycles(), jumping->cycles());
  EXPECT_EQ(plain->checkpoint_bytes(), 0);
  EXPECT_TRUE(plain->refusal().empty()) << plain->refusal();
  std::map<std::int64_t, std::uint64_t> expected;
  std::mt19937_64 random(7);
  std::uniform_int_distribution<std::int64_t> any(-1, plain->cycles() - 1);
  std::vector<std::int64_t> cycles;
  for (int i = 0; i < (std::getenv("CONVSCOPE_FULL") ? 2500 : 500); ++i) cycles.push_back(any(random));
  for (const std::int64_t cycle : cycles) expected[cycle];
  for (auto& [cycle, hash] : expected) hash = hash_of(plain->state(cycle));  // ascending: one run
  for (const std::int64_t cycle : cycles) ASSERT_EQ(hash_of(jumping->state(cycle)), expected[cycle]) << cycle;
}

TEST_P(TraceTest, EndsAsTheSimulatorDoes) {
  const Program program = this->program();
  const TracePointer trace = traced(program);
  std::vector<std::int16_t> dram = dram_image(program, seeded_data(program, 1));
  const SimulationResult result = simulate(program, dram, nullptr);
  EXPECT_EQ(trace->cycles(), std::llround(std::ceil(result.cycles)));
  std::int64_t issued = 0, busy = 0;
  std::array<std::int64_t, vector_stalls> stalled{};
  std::array<std::int64_t, control_stalls> waited{};
  trace->visit(0, trace->cycles(),
               [&](const CycleChanges& changes) {
                 issued += changes.units[0].activity == UnitActivity::busy ? 1 : 0;
                 busy += changes.units[1].activity == UnitActivity::busy ? 1 : 0;
                 if (changes.units[0].activity == UnitActivity::stalled)
                   ++waited[static_cast<std::size_t>(changes.units[0].what)];
                 if (changes.units[1].activity == UnitActivity::stalled)
                   ++stalled[static_cast<std::size_t>(changes.units[1].what)];
                 return true;
               },
               {});
  EXPECT_EQ(issued, result.total.instructions);
  EXPECT_EQ(busy, result.total.vector_cycles);
  EXPECT_EQ(stalled, result.total.vector_stall_cycles);
  EXPECT_EQ(waited, result.total.control_stall_cycles);
}

/// Timing alone knows no words: the data of a run with data, at its end.
TEST_P(TraceTest, HoldsTheWordsOfARunWithData) {
  const Program program = this->program();
  const TracePointer trace = traced(program);
  std::vector<std::int16_t> dram = dram_image(program, seeded_data(program, 1));
  simulation::MachineData data(program.machine, dram, nullptr);
  simulation::NoObserver observer;
  const auto result = simulation::Core(program, data, observer).run(1'000'000'000, {});
  ASSERT_FALSE(result.refusal);
  const auto held = [&](const std::string& name) {
    const int block = trace->schema().find(name);
    return trace->values(trace->cycles() - 1, block, 0, trace->schema().blocks[static_cast<std::size_t>(block)].size())
        .numbers;
  };
  for (int cu = 0; cu < program.machine.cus; ++cu) {
    const auto maps = data.maps(cu);
    EXPECT_EQ(held("maps of CU " + std::to_string(cu)), std::vector<std::int64_t>(maps.begin(), maps.end()));
  }
  const auto sums = held("accumulators");
  for (int v = 0; v < program.machine.cus * program.machine.vmacs; ++v) {
    const auto expected = data.accumulators(v / program.machine.vmacs, v % program.machine.vmacs);
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), sums.begin() + v * program.machine.macs)) << "vMAC " << v;
  }
}

/// What the window shows of an image is what the image holds there; what a CU reads is one pixel of its layer's input
/// after the other; and every pixel of the output is there in the end.
TEST_P(TraceTest, TheWindowLiesOnTheImages) {
  const Program program = this->program();
  const TracePointer trace = traced(program);
  const artifact::StateSchema& schema = trace->schema();
  const int window = schema.find("window");
  ASSERT_GE(window, 0);
  std::int64_t shown = 0, working = 0;
  std::mt19937_64 random(5);
  std::uniform_int_distribution<std::int64_t> any(0, trace->cycles() - 1);
  for (int i = 0; i < 150; ++i) {
    const std::int64_t cycle = any(random);
    const auto pixels = trace->window(cycle);
    const auto words = trace->values(cycle, window, 0, schema.blocks[static_cast<std::size_t>(window)].size()).numbers;
    for (const artifact::WindowPixel& pixel : pixels) {
      const auto& image = schema.blocks[static_cast<std::size_t>(pixel.image)];
      ASSERT_EQ(image.kind, artifact::StateKind::image);
      ASSERT_TRUE(pixel.row >= 0 && pixel.row < image.rows && pixel.column >= 0 && pixel.column < image.columns);
      const auto held = trace->values(cycle, pixel.image, pixel.row * image.columns + pixel.column, 1).numbers;
      EXPECT_EQ(held[0], words[static_cast<std::size_t>(pixel.element)]) << "cycle " << cycle;
      EXPECT_LT(pixel.lane, program.machine.macs);
      ++shown;
      working += pixel.lane >= 0 ? 1 : 0;
    }
  }
  EXPECT_GT(shown, 50);
  EXPECT_GT(working, 5);
  int outputs = 0;
  for (int block = 0; block < static_cast<int>(schema.blocks.size()); ++block) {
    const auto& about = schema.blocks[static_cast<std::size_t>(block)];
    if (about.kind != artifact::StateKind::image || !about.output) continue;
    ++outputs;
    for (const std::int64_t value : trace->values(-1, block, 0, about.size()).numbers)
      ASSERT_EQ(value, artifact::no_value);
    for (const std::int64_t value : trace->values(trace->cycles() - 1, block, 0, about.size()).numbers)
      ASSERT_NE(value, artifact::no_value);
  }
  EXPECT_GT(outputs, 0);
}

bool written(const CycleChanges& changes, int block, std::int64_t element) {
  return std::any_of(changes.accesses.begin(), changes.accesses.end(), [&](const StateAccess& access) {
    return access.block == block && access.kind == AccessKind::write && access.meets(element, 1);
  });
}

TEST_P(TraceTest, WhatChangesWasTold) {
  const TracePointer trace = traced(program());
  const std::int64_t first = trace->cycles() / 3;
  MachineState before = trace->state(first - 1);
  for (std::int64_t cycle = first; cycle < std::min(trace->cycles(), first + 300); ++cycle) {
    const CycleChanges changes = trace->changes(cycle);
    const MachineState after = trace->state(cycle);
    for (std::size_t b = 0; b < after.size(); ++b) {
      if (after[b] == before[b]) continue;
      for (std::size_t i = 0; i < after[b].numbers.size(); ++i)
        if (after[b].numbers[i] != before[b].numbers[i]) {
          EXPECT_TRUE(written(changes, static_cast<int>(b), static_cast<std::int64_t>(i)))
              << trace->schema().blocks[b].name << " " << i << ", cycle " << cycle;
        }
      for (std::size_t i = 0; i < after[b].texts.size(); ++i)
        if (after[b].texts[i] != before[b].texts[i]) {
          EXPECT_TRUE(written(changes, static_cast<int>(b), static_cast<std::int64_t>(i)))
              << trace->schema().blocks[b].name << " " << i << ", cycle " << cycle;
        }
    }
    before = after;
  }
}

TEST_P(TraceTest, SearchesFindWhatLookingAtEveryCycleFinds) {
  const TracePointer trace = traced(program());
  const std::vector<CycleChanges> all = target::all_changes(*trace);
  ASSERT_EQ(static_cast<std::int64_t>(all.size()), trace->cycles());
  const int maps = trace->schema().find("maps of CU 0"), sums = trace->schema().find("accumulators");
  std::vector<TracePredicate> predicates(4);
  predicates[0] = {.access = TracePredicate::Access::written, .block = maps, .first = 64, .count = 1};
  predicates[1] = {.access = TracePredicate::Access::written, .block = sums, .first = 0, .count = 1};
  predicates[2] = {.unit = 1, .activity = UnitActivity::stalled};
  predicates[3] = {.address = all[all.size() / 2].address};
  target::expect_searches_find(*trace, all, predicates, 24);
}

TEST_P(TraceTest, CheckpointsKeepToTheirBound) {
  for (const std::int64_t bound : {std::int64_t{0}, std::int64_t{100'000}, std::int64_t{1'000'000}})
    EXPECT_LE(traced(program(), bound)->checkpoint_bytes(), bound);
}

TEST_P(TraceTest, UnitsSayWhatTheyDoOrWhyNot) {
  const TracePointer trace = traced(program());
  for (std::int64_t cycle = 0; cycle < trace->cycles(); cycle += 97) {
    const CycleChanges changes = trace->changes(cycle);
    ASSERT_EQ(changes.units.size(), trace->schema().units.size());
    for (std::size_t unit = 0; unit < changes.units.size(); ++unit)
      EXPECT_FALSE(trace->text(static_cast<int>(unit), changes).empty()) << cycle << ", unit " << unit;
  }
}

INSTANTIATE_TEST_SUITE_P(Samples, TraceTest, testing::Range(0, 4), [](const auto& parameter) {
  return std::string(samples()[static_cast<std::size_t>(parameter.param)].name);
});

TEST(TraceRefusals, BrokenProgramsAndStops) {
  const SnowflakeProgramTools tools;
  const std::string program = write_program_file(program_of(samples().front()));
  Diagnostics diagnostics;
  const target::OptionValues options(*tools.trace_options());
  EXPECT_FALSE(tools.trace(program.substr(0, program.size() / 2), "p", options, 0, {}, diagnostics));
  EXPECT_TRUE(diagnostics.has_errors());
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(tools.trace(program, "p", options, 0, stop.get_token(), diagnostics), Cancelled);
}

}  // namespace
}  // namespace convscope::snowflake
