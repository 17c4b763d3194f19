// Snowflake's goals: ResNet-50 compiled and timed within a second, of which its simulation is the smaller part.

#include <benchmark/benchmark.h>

#include "core/base/resources.h"
#include "core/catalogue/standard.h"
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

}  // namespace
