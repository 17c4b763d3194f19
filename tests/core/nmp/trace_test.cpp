// The state of the NMP at any cycle: jumps against a run from the start, the end against the simulator's own run, who
// wrote a byte against a log of the run, what is told as written against what changed.

#include <cmath>
#include <cstdlib>
#include <map>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/base/cancellation.h"
#include "core/base/key.h"
#include "core/nmp/architecture/assembly.h"
#include "core/nmp/cost/cost_model.h"
#include "core/nmp/generate/generate.h"
#include "core/nmp/host/seeded_data.h"
#include "core/nmp/program_tools.h"
#include "core/nmp/simulate/simulator.h"
#include "generated_tilings.h"
#include "hand_program.h"
#include "tests/core/target/trace_checks.h"

namespace convscope::nmp {
namespace {

using artifact::AccessKind;
using artifact::CycleChanges;
using artifact::MachineState;
using artifact::StateAccess;
using artifact::UnitActivity;
using target::TracePredicate;
using TracePointer = std::shared_ptr<const target::Trace>;

/// Two TLEs of two TLTs with small memories.
Machine small_machine() {
  Machine m = plain(board());
  m.tles = 2;
  m.tlts = 2;
  m.input_bytes = m.weight_bytes = m.output_bytes = 512;
  return m;
}

Convolution small_convolution() {
  Convolution c;
  c.rows = c.columns = {8, 8, 3, 1, 1, 1};
  c.channels = 4;
  c.units = 6;
  return c;
}

Program generated(CostLevel level, bool free_running, bool ring = false) {
  Machine machine = small_machine();
  machine.free_running = free_running;
  machine.ring.on = ring;
  const Convolution convolution = small_convolution();
  const CostModel model(convolution, machine);
  RandomProblems random(5);
  std::optional<Tiling> tiling;
  for (int i = 0; i < 50 && (!tiling || (ring && model.evaluate(*tiling).ring_in.hops == 0)); ++i)
    tiling = random_tiling(model, random);
  EXPECT_TRUE(tiling);
  GeneratedProgram made =
      generate_for_seeded_data("L", convolution, usual_computing(convolution), machine, level, tiling.value());
  EXPECT_TRUE(made.program) << made.reason;
  return made.program.value();
}

struct Sample {
  const char* name;
  Program (*program)();
};

const std::vector<Sample>& samples() {
  static const std::vector<Sample> all{{"hand", [] { return hand_program(); }},
                                       {"lockstep", [] { return generated(CostLevel::burst, false); }},
                                       {"free_running", [] { return generated(CostLevel::burst, true); }},
                                       {"walk", [] { return generated(CostLevel::walk, true); }},
                                       {"ring", [] { return generated(CostLevel::burst, false, true); }},
                                       {"free_ring", [] { return generated(CostLevel::burst, true, true); }}};
  return all;
}

TracePointer traced(const Program& program, std::int64_t bytes = target::default_checkpoint_bytes) {
  const NmpProgramTools tools;
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
  Program program() const { return samples()[static_cast<std::size_t>(GetParam())].program(); }
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
  const int wanted = std::getenv("CONVSCOPE_FULL") ? 2500 : 150;
  cycles.reserve(static_cast<std::size_t>(wanted));
  for (int i = 0; i < wanted; ++i) cycles.push_back(any(random));
  for (const std::int64_t cycle : cycles) expected[cycle];
  for (auto& [cycle, hash] : expected) hash = hash_of(plain->state(cycle));  // ascending: one run
  for (const std::int64_t cycle : cycles) ASSERT_EQ(hash_of(jumping->state(cycle)), expected[cycle]) << cycle;
}

/// What a run tells, by cycle.
struct Log : Observer {
  explicit Log(const Program& of) : program(of) {}
  void transferred(const TransferRun& run) override { transfers.push_back(run); }
  void convolved(const ConvolutionRun& run) override { convolutions.push_back(run); }
  std::int64_t cycle_of(double seconds) const {
    return static_cast<std::int64_t>(std::floor(seconds * program.machine.clock_hz + 1e-6));
  }
  const Program& program;
  std::vector<TransferRun> transfers;
  std::vector<ConvolutionRun> convolutions;
};

TEST_P(TraceTest, EndsAsTheSimulatorDoes) {
  const Program program = this->program();
  const TracePointer trace = traced(program);
  std::vector<std::uint8_t> dram = seeded_dram(program, 1);
  Log log(program);
  const SimulationResult result = simulate(program, dram, {}, &log);
  ASSERT_FALSE(result.refusal);
  EXPECT_EQ(trace->cycles(), std::llround(std::ceil(result.seconds * program.machine.clock_hz - 1e-6)));
  int regions = 0;
  for (int block = 0; block < static_cast<int>(trace->schema().blocks.size()); ++block) {
    const artifact::StateBlock& about = trace->schema().blocks[static_cast<std::size_t>(block)];
    if (!about.name.starts_with("DRAM: ")) continue;
    const std::int64_t from = std::stoll(about.help.substr(std::string("bytes from ").size()));
    const auto held = trace->values(trace->cycles() - 1, block, 0, about.size()).numbers;
    for (std::size_t i = 0; i < held.size(); ++i)
      if (held[i] != artifact::no_value) {
        ASSERT_EQ(held[i], dram[static_cast<std::size_t>(from) + i]) << about.name << " " << i;
      }
    ++regions;
  }
  EXPECT_GE(regions, 3);
  std::vector<std::int64_t> instructions(result.tlts.size());
  std::int64_t computing = 0;
  trace->visit(0, trace->cycles(),
               [&](const CycleChanges& changes) {
                 for (std::size_t tlt = 0; tlt < instructions.size(); ++tlt)
                   instructions[tlt] += changes.units[tlt].activity == UnitActivity::busy ? 1 : 0;
                 for (std::size_t tlt = 0; tlt < instructions.size(); ++tlt)
                   computing += changes.units[instructions.size() + tlt].activity == UnitActivity::busy ? 1 : 0;
                 return true;
               },
               {});
  for (std::size_t tlt = 0; tlt < instructions.size(); ++tlt)
    EXPECT_EQ(instructions[tlt], result.tlts[tlt].instructions) << "TLT " << tlt;
  double expected = 0;
  for (const ConvolutionRun& run : log.convolutions) expected += (run.end - run.begin) * program.machine.clock_hz;
  EXPECT_NEAR(static_cast<double>(computing), expected, 2.0 * static_cast<double>(log.convolutions.size()));
}

struct Byte {
  int tlt = -1, instruction = 0;
  std::int64_t cycle = 0;
  bool operator==(const Byte&) const = default;
};

/// Stretches of bytes that the same event wrote, as the trace puts them in words.
std::string in_words(const std::vector<Byte>& bytes, const Program& program) {
  std::vector<std::string> stretches;
  for (std::size_t first = 0; first < bytes.size();) {
    std::size_t end = first + 1;
    while (end < bytes.size() && bytes[end] == bytes[first]) ++end;
    const Byte& b = bytes[first];
    if (b.tlt >= 0)
      stretches.push_back(fmt::format("{} to {}: TLE {} TLT {}, instruction {}, cycle {}", first, end - 1,
                                      b.tlt / program.machine.tlts, b.tlt % program.machine.tlts, 4 * b.instruction,
                                      b.cycle));
    first = end;
  }
  const std::size_t named = std::min<std::size_t>(stretches.size(), 8);
  std::string text = fmt::format("{}", fmt::join(stretches.begin(), stretches.begin() + static_cast<int>(named), "; "));
  if (named < stretches.size()) text += fmt::format("; and {} stretches more", stretches.size() - named);
  return text;
}

// Byte by byte, from a log of the simulator's own run.
TEST_P(TraceTest, TellsWhoWroteEachByte) {
  const Program program = this->program();
  const TracePointer trace = traced(program);
  std::vector<std::uint8_t> dram = seeded_dram(program, 1);
  Log log(program);
  ASSERT_FALSE(simulate(program, dram, {}, &log).refusal);
  for (const std::int64_t cycle : {trace->cycles() / 3, 2 * trace->cycles() / 3, trace->cycles() - 1}) {
    struct Event {
      double end;
      int tle, tlt;
      Memory memory;
      std::int64_t first, count;
      Byte writer;
    };
    std::vector<Event> events;
    for (const TransferRun& run : log.transfers)
      for (int other = 0; other < program.tlts(); ++other) {
        const int tle = other / program.machine.tlts, tlt = other % program.machine.tlts;
        const std::uint32_t mask = run.shape.multicast, ring = run.shape.ring;
        const bool takes = (mask == 0 ? tlt == run.tlt : (mask >> tlt & 1U) != 0) &&
                           (ring == 0 ? tle == run.tle : (ring >> tle & 1U) != 0);
        if (run.store || run.local.memory == Memory::data || !takes) continue;
        events.push_back({run.end,
                          tle,
                          tlt,
                          run.local.memory,
                          run.local.byte,
                          run.shape.size(),
                          {run.tle * program.machine.tlts + run.tlt, run.instruction, log.cycle_of(run.end)}});
      }
    for (const ConvolutionRun& run : log.convolutions)
      events.push_back({run.end,
                        run.tle,
                        run.tlt,
                        Memory::output,
                        run.out.byte,
                        run.settings.bytes_written(),
                        {run.tle * program.machine.tlts + run.tlt, run.instruction, log.cycle_of(run.end)}});
    std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.end < b.end; });
    std::size_t seen = 0;
    for (int tle = 0; tle < program.machine.tles; ++tle)
      for (const Memory memory : {Memory::input, Memory::weights, Memory::output}) {
        const int block = trace->schema().find(fmt::format("who wrote {} of TLE {}", name_of(memory), tle));
        ASSERT_GE(block, 0);
        const auto told = trace->values(cycle, block, 0, program.machine.tlts).texts;
        for (int tlt = 0; tlt < program.machine.tlts; ++tlt) {
          std::vector<Byte> bytes(static_cast<std::size_t>(memory_bytes(program.machine, memory)));
          for (const Event& e : events)
            if (e.tle == tle && e.tlt == tlt && e.memory == memory && e.writer.cycle <= cycle)
              std::fill_n(bytes.begin() + e.first, e.count, e.writer);
          const std::string expected = in_words(bytes, program);
          EXPECT_EQ(told[static_cast<std::size_t>(tlt)], expected) << name_of(memory) << ", cycle " << cycle;
          seen += expected.size();
        }
      }
    EXPECT_GT(seen, 0U);
  }
}

bool written(const CycleChanges& changes, int block, std::int64_t element) {
  return std::any_of(changes.accesses.begin(), changes.accesses.end(), [&](const StateAccess& access) {
    return access.block == block && access.kind == AccessKind::write && access.meets(element, 1);
  });
}

TEST_P(TraceTest, WhatChangesWasTold) {
  const TracePointer trace = traced(program());
  const std::int64_t all = trace->cycles();
  for (const std::int64_t first : {std::int64_t{0}, all / 3, std::max<std::int64_t>(all - 200, 0)}) {
    MachineState before = trace->state(first - 1);
    for (std::int64_t cycle = first; cycle < std::min(all, first + 200); ++cycle) {
      const CycleChanges changes = trace->changes(cycle);
      const MachineState after = trace->state(cycle);
      for (std::size_t b = 0; b < after.size(); ++b) {
        if (after[b] == before[b]) continue;
        const auto told = [&](std::size_t i) { return written(changes, static_cast<int>(b), static_cast<int>(i)); };
        for (std::size_t i = 0; i < after[b].numbers.size(); ++i)
          if (after[b].numbers[i] != before[b].numbers[i]) {
            EXPECT_TRUE(told(i)) << trace->schema().blocks[b].name << " " << i << ", cycle " << cycle;
          }
        for (std::size_t i = 0; i < after[b].texts.size(); ++i)
          if (after[b].texts[i] != before[b].texts[i]) {
            EXPECT_TRUE(told(i)) << trace->schema().blocks[b].name << " " << i << ", cycle " << cycle;
          }
      }
      before = after;
    }
  }
}

TEST_P(TraceTest, SearchesFindWhatLookingAtEveryCycleFinds) {
  const TracePointer trace = traced(program());
  const std::vector<CycleChanges> all = target::all_changes(*trace);
  ASSERT_EQ(static_cast<std::int64_t>(all.size()), trace->cycles());
  const int inputs = trace->schema().find("MB0 of TLE 0"), posts = trace->schema().find("semaphores");
  ASSERT_GE(inputs, 0);
  ASSERT_GE(posts, 0);
  std::vector<TracePredicate> predicates(4);
  predicates[0] = {.access = TracePredicate::Access::written, .block = inputs, .first = 4, .count = 1};
  predicates[1] = {.access = TracePredicate::Access::written, .block = posts, .first = 0, .count = 6};
  predicates[2] = {.unit = 0, .activity = UnitActivity::stalled};
  predicates[3] = {.address = all[all.size() / 2].address};
  target::expect_searches_find(*trace, all, predicates, 12);
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

// In lockstep the DRAM waits while the ring carries a tile.
TEST(TraceOfARing, ShowsWhatItCarries) {
  for (const bool free_running : {false, true}) {
    const Program program = generated(CostLevel::burst, free_running, true);
    const TracePointer trace = traced(program);
    const SimulationResult run = simulate(program);
    ASSERT_GT(run.ring_seconds, 0);
    const auto& units = trace->schema().units;
    ASSERT_EQ(units.back(), "ring");
    const std::size_t ring = units.size() - 1, dram = ring - 1;
    std::int64_t carries = 0, together = 0, transfers = 0;
    for (const TleRun& tle : run.tles) transfers += tle.transfers;
    trace->visit(0, trace->cycles(),
                 [&](const CycleChanges& changes) {
                   const bool busy = changes.units[ring].activity == UnitActivity::busy;
                   carries += busy ? 1 : 0;
                   together += busy && changes.units[dram].activity == UnitActivity::busy ? 1 : 0;
                   return true;
                 },
                 {});
    EXPECT_NEAR(static_cast<double>(carries), run.ring_seconds * program.machine.clock_hz,
                2.0 * static_cast<double>(transfers));
    if (!free_running) {
      EXPECT_EQ(together, carries);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Samples, TraceTest, testing::Range(0, 6), [](const auto& parameter) {
  return std::string(samples()[static_cast<std::size_t>(parameter.param)].name);
});

TEST(TraceRefusals, BrokenProgramsOptionsAndStops) {
  const NmpProgramTools tools;
  const std::string program = write_program_file(hand_program());
  Diagnostics diagnostics;
  const target::OptionValues options(*tools.trace_options());
  EXPECT_FALSE(tools.trace(program.substr(0, program.size() / 2), "p", options, 0, {}, diagnostics));
  EXPECT_TRUE(diagnostics.has_errors());
  target::OptionValues third(*tools.trace_options());
  Diagnostics none;
  EXPECT_TRUE(third.set("tlt", "2", none));
  Diagnostics refused;
  EXPECT_FALSE(tools.trace(program, "p", third, 0, {}, refused));
  EXPECT_TRUE(refused.text().find("there is no TLT 2") != std::string::npos) << refused.text();
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(tools.trace(program, "p", options, 0, stop.get_token(), diagnostics), Cancelled);
}

}  // namespace
}  // namespace convscope::nmp
