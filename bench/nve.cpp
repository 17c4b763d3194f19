// NVE's goals: the speed-sign network compiled within 150 ms on one core, a first result within 50 ms after a parameter
// changed (what a drag waits for), simulation fast enough to check a layer while one looks at it.

#include <cmath>

#include <benchmark/benchmark.h>

#include "core/base/resources.h"
#include "core/catalogue/standard.h"
#include "core/engine/engine.h"

namespace {

using namespace convscope;

network::Network speed_sign() {
  Diagnostics diagnostics;
  return *catalogue::standard()->read_network(sample_path("networks/speed_sign.xml"), diagnostics);
}

void compile_all(const network::Network& network, const arch::ParameterValues& machine, target::PassCache& cache) {
  const auto target = catalogue::standard()->find_target("nve");
  for (int layer = 0; layer < static_cast<int>(network.layers.size()); ++layer)
    benchmark::DoNotOptimize(target->compile({&network, layer, &machine, "fusion"}, cache, {}));
}

void report_goal(benchmark::State& state, double goal_milliseconds) {
  state.counters["goal_ms"] = goal_milliseconds;
}

void compile_from_scratch(benchmark::State& state) {
  const network::Network network = speed_sign();
  const arch::ParameterValues machine(catalogue::standard()->find_target("nve")->machine());
  for (auto _ : state) {
    const auto cache = engine::make_memory_cache();
    compile_all(network, machine, *cache);
  }
  report_goal(state, 150);
}
BENCHMARK(compile_from_scratch)->Unit(benchmark::kMillisecond);

// Bandwidth is not a scheduling parameter: every pass comes from the cache.
void recompile_after_bandwidth(benchmark::State& state) {
  const network::Network network = speed_sign();
  arch::ParameterValues machine(catalogue::standard()->find_target("nve")->machine());
  const auto cache = engine::make_memory_cache();
  compile_all(network, machine, *cache);
  Diagnostics diagnostics;
  int step = 0;
  for (auto _ : state) {
    machine.set("bandwidth", std::to_string(400 + step++ % 400), diagnostics);
    compile_all(network, machine, *cache);
  }
  report_goal(state, 50);
}
BENCHMARK(recompile_after_bandwidth)->Unit(benchmark::kMillisecond);

// A scheduling parameter: the visible layer first.
void recompile_visible_layer_after_latency(benchmark::State& state) {
  const network::Network network = speed_sign();
  const auto target = catalogue::standard()->find_target("nve");
  arch::ParameterValues machine(target->machine());
  Diagnostics diagnostics;
  int step = 0;
  for (auto _ : state) {
    const auto cache = engine::make_memory_cache();
    machine.set("output_latency", std::to_string(1 + step++ % 8), diagnostics);
    benchmark::DoNotOptimize(target->compile({&network, 1, &machine, "fusion"}, *cache, {}));
  }
  report_goal(state, 50);
}
BENCHMARK(recompile_visible_layer_after_latency)->Unit(benchmark::kMillisecond);

void simulate_first_strip(benchmark::State& state) {
  const network::Network network = speed_sign();
  const auto target = catalogue::standard()->find_target("nve");
  const arch::ParameterValues machine(target->machine());
  const auto cache = engine::make_memory_cache();
  const auto layer = target->compile({&network, 1, &machine, "fusion"}, *cache, {});
  Diagnostics diagnostics;
  std::int64_t cycles = 0;
  target::OptionValues options(target->simulation_tools()->options());
  options.set("strips", "1", diagnostics);
  for (auto _ : state)
    cycles += std::llround(layer->simulate(options, {}, diagnostics)->counted.front().quantity.value);
  state.counters["cycles_per_second"] = benchmark::Counter(static_cast<double>(cycles), benchmark::Counter::kIsRate);
}
BENCHMARK(simulate_first_strip)->Unit(benchmark::kMillisecond);

}  // namespace
