// Snowflake's goals: ResNet-50 compiled and timed within a second, of which its simulation is the smaller part, and
// within five at level best; another bandwidth, or number of CUs, within a quarter of a second for AlexNet.

#include <algorithm>
#include <chrono>
#include <memory>
#include <vector>

#include <benchmark/benchmark.h>

#include "core/base/resources.h"
#include "core/catalogue/standard.h"
#include "core/engine/engine.h"
#include "core/snowflake/compile/compiler.h"
#include "core/snowflake/compile/network_plan.h"
#include "core/snowflake/host/run.h"
#include "core/snowflake/simulate/recording.h"

namespace {

using namespace convscope;
using namespace convscope::snowflake;

Program program_of(const char* name) {
  Diagnostics diagnostics;
  const auto network =
      *catalogue::standard()->read_network(sample_path(std::string("networks/") + name + ".xml"), diagnostics);
  const Machine machine;
  const auto plan = make_plan(network, machine);
  const ParsedNetwork& parsed = plan->parsed;
  std::vector<Choice> choices;
  for (const ParsedLayer& layer : parsed.layers)
    choices.push_back(choose(layer.layer, parsed.regions, machine, CompileLevel::paper));
  return compile_network(name, parsed, choices, machine).program;
}

void report_run(benchmark::State& state, const SimulationResult& result, double goal_milliseconds) {
  if (result.refusal) state.SkipWithError(result.refusal->what.c_str());
  state.counters["instructions"] = static_cast<double>(result.total.instructions);
  state.counters["simulated_ms"] = result.cycles / Machine{}.clock_hz * 1e3;
  state.counters["goal_ms"] = goal_milliseconds;
}

void snowflake_simulate(benchmark::State& state, const char* name, double goal_milliseconds) {
  const Program program = program_of(name);
  SimulationResult result;
  for (auto _ : state) result = simulate(program);
  report_run(state, result, goal_milliseconds);
}
BENCHMARK_CAPTURE(snowflake_simulate, alexnet, "snowflake_alexnet_owt", 50)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(snowflake_simulate, resnet18, "snowflake_resnet18", 200)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(snowflake_simulate, resnet50, "snowflake_resnet50", 800)->Unit(benchmark::kMillisecond);

void snowflake_record_resnet50(benchmark::State& state) {
  const Program program = program_of("snowflake_resnet50");
  Recording recording;
  for (auto _ : state) recording = record(program);
  report_run(state, recording.result, 1000);
}
BENCHMARK(snowflake_record_resnet50)->Unit(benchmark::kMillisecond);

// With data, against the reference: what a test of a whole network costs.
void snowflake_compare_alexnet(benchmark::State& state) {
  const Program program = program_of("snowflake_alexnet_owt");
  std::optional<ComparedRun> run;
  Diagnostics diagnostics;
  for (auto _ : state) run = run_and_compare(program, 1, diagnostics);
  if (!run || !run->equal()) return state.SkipWithError(run ? run->text().c_str() : diagnostics.text().c_str());
  report_run(state, run->result, 5000);
}
BENCHMARK(snowflake_compare_alexnet)->Unit(benchmark::kMillisecond);

/// As the window and the command line compile it: each layer alone and all as one program, verified and timed.
engine::Request request_for(const char* name, const char* level) {
  const auto all = catalogue::standard();
  Diagnostics diagnostics;
  const auto network = all->read_network(sample_path(std::string("networks/") + name + ".xml"), diagnostics);
  const auto target = all->find_target("snowflake");
  return {
      std::make_shared<network::Network>(*network), target, arch::ParameterValues(target->machine()), level, "", 0, {}};
}

void snowflake_compile(benchmark::State& state, const char* name, const char* level, double goal_milliseconds) {
  const engine::Request request = request_for(name, level);
  const auto one_core = engine::make_thread_executor(1);
  for (auto _ : state) {
    const auto cache = engine::make_memory_cache();
    const engine::CompiledNetwork compiled = engine::compile(request, *one_core, *cache);
    if (!compiled.linked) state.SkipWithError("not linked");
    state.counters["simulated_ms"] = compiled.total.seconds.value * 1e3;
  }
  state.counters["goal_ms"] = goal_milliseconds;
}
BENCHMARK_CAPTURE(snowflake_compile, resnet50, "snowflake_resnet50", "paper", 1000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(snowflake_compile, resnet50_best, "snowflake_resnet50", "best", 5000)->Unit(benchmark::kMillisecond);

/// A parameter dragged to and fro: what is computed before the table can be painted.
void snowflake_drag(benchmark::State& state, const char* parameter, const std::vector<double>& values) {
  engine::Request request = request_for("snowflake_alexnet_owt", "paper");
  const auto executor = engine::make_thread_executor(2);
  const auto cache = engine::make_memory_cache();
  const auto index = request.machine.description().find(parameter);
  if (!index) return state.SkipWithError("no such parameter");
  std::vector<double> milliseconds;
  for (auto _ : state)
    for (const double value : values) {
      request.machine.set_at(*index, value);
      const auto begin = std::chrono::steady_clock::now();
      engine::compile(request, *executor, *cache);
      milliseconds.push_back(
          std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
    }
  std::sort(milliseconds.begin(), milliseconds.end());
  state.counters["p95_ms"] = milliseconds[milliseconds.size() * 95 / 100];
  state.counters["goal_ms"] = 250;
}
BENCHMARK_CAPTURE(snowflake_drag, bandwidth, "bandwidth", {4.0, 4.4, 4.8, 5.2, 5.6, 6.0, 6.4, 6.8, 7.2, 7.6})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(snowflake_drag, cus, "cus", {1, 2, 3, 5, 6, 7, 8})->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
