// Goals of a trace of a million cycles, on NVE, Snowflake and NMP: any jump within 50 ms (95th percentile), a step and
// a step back within 16 ms, checkpoints within 64 MB. A picture of the state is part of each: what happened in the
// cycle, and up to 4,096 elements of every block.

#include <algorithm>
#include <chrono>
#include <memory>
#include <random>
#include <vector>

#include <benchmark/benchmark.h>

#include "core/catalogue/standard.h"
#include "core/engine/engine.h"
#include "core/target/programs.h"

namespace {

using namespace convscope;

/// A layer of about a million cycles.
struct Subject {
  const char *target, *level, *layer;
};
constexpr Subject nve{"nve", "fusion", "18x60000x1 -> 2, 3x3"},
    snowflake{"snowflake", "paper", "27x27x64 -> 192, 5x5, pad 2 2 2 2"},
    nmp{"nmp", "burst", "56x56x64 -> 96, 3x3, pad 1 1 1 1"};

std::string program_of(const Subject& subject) {
  Diagnostics diagnostics;
  const auto network = catalogue::standard()->read_network(subject.layer, diagnostics);
  if (!network) return {};
  const auto target = catalogue::standard()->find_target(subject.target);
  const arch::ParameterValues machine(target->machine());
  const auto cache = engine::make_memory_cache();
  const auto plan = target->prepare({&*network, &machine, subject.level}, *cache, {});
  const auto layer = target->compile({&*network, 0, &machine, subject.level, plan.get()}, *cache, {});
  return layer->mapped() ? layer->program_file(std::max(0, target::program_with_file(*layer, 0))) : std::string();
}

std::shared_ptr<const target::Trace> open(const Subject& subject) {
  const auto target = catalogue::standard()->find_target(subject.target);
  const target::ProgramTools& tools = *target->program_tools();
  Diagnostics diagnostics;
  return tools.trace(program_of(subject), "program", target::OptionValues(*tools.trace_options()),
                     target::default_checkpoint_bytes, {}, diagnostics);
}

void look_at(const target::Trace& trace, std::int64_t cycle) {
  benchmark::DoNotOptimize(trace.changes(cycle));
  const auto& blocks = trace.schema().blocks;
  for (std::size_t block = 0; block < blocks.size(); ++block)
    benchmark::DoNotOptimize(
        trace.values(cycle, static_cast<int>(block), 0, std::min<std::int64_t>(4096, blocks[block].size())));
}

/// `next` gives the cycle to look at from the one before.
template <typename Next>
void measure(benchmark::State& state, const Subject& subject, double goal_milliseconds, Next next) {
  const auto trace = open(subject);
  if (!trace) return state.SkipWithError("no trace");
  std::vector<double> milliseconds;
  std::int64_t cycle = trace->cycles() / 2;
  for (auto _ : state) {
    cycle = next(cycle, trace->cycles());
    const auto start = std::chrono::steady_clock::now();
    look_at(*trace, cycle);
    milliseconds.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  std::sort(milliseconds.begin(), milliseconds.end());
  const double p95 = milliseconds[milliseconds.size() * 95 / 100];
  state.counters["cycles"] = static_cast<double>(trace->cycles());
  state.counters["checkpoint_MB"] = static_cast<double>(trace->checkpoint_bytes()) / (1 << 20);
  state.counters["p95_ms"] = p95;
  state.counters["measured/goal"] = p95 / goal_milliseconds;
}

void trace_jump(benchmark::State& state, const Subject& subject) {
  std::mt19937_64 random(11);
  measure(state, subject, 50, [&](std::int64_t, std::int64_t cycles) {
    return std::uniform_int_distribution<std::int64_t>(0, cycles - 1)(random);
  });
}
BENCHMARK_CAPTURE(trace_jump, nve, nve)->Unit(benchmark::kMillisecond)->Iterations(400);
BENCHMARK_CAPTURE(trace_jump, snowflake, snowflake)->Unit(benchmark::kMillisecond)->Iterations(400);
BENCHMARK_CAPTURE(trace_jump, nmp, nmp)->Unit(benchmark::kMillisecond)->Iterations(400);

void trace_step(benchmark::State& state, const Subject& subject) {
  measure(state, subject, 16, [](std::int64_t cycle, std::int64_t) { return cycle + 1; });
}
BENCHMARK_CAPTURE(trace_step, nve, nve)->Unit(benchmark::kMillisecond)->Iterations(400);
BENCHMARK_CAPTURE(trace_step, snowflake, snowflake)->Unit(benchmark::kMillisecond)->Iterations(400);
BENCHMARK_CAPTURE(trace_step, nmp, nmp)->Unit(benchmark::kMillisecond)->Iterations(400);

void trace_step_back(benchmark::State& state, const Subject& subject) {
  measure(state, subject, 16, [](std::int64_t cycle, std::int64_t) { return cycle - 1; });
}
BENCHMARK_CAPTURE(trace_step_back, nve, nve)->Unit(benchmark::kMillisecond)->Iterations(400);
BENCHMARK_CAPTURE(trace_step_back, snowflake, snowflake)->Unit(benchmark::kMillisecond)->Iterations(400);
BENCHMARK_CAPTURE(trace_step_back, nmp, nmp)->Unit(benchmark::kMillisecond)->Iterations(400);

void trace_open(benchmark::State& state, const Subject& subject) {
  for (auto _ : state) benchmark::DoNotOptimize(open(subject));
}
BENCHMARK_CAPTURE(trace_open, nve, nve)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(trace_open, snowflake, snowflake)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(trace_open, nmp, nmp)->Unit(benchmark::kMillisecond);

}  // namespace
