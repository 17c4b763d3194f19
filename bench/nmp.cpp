// NMP's goals on two cores: InceptionV3's 94 convolutions within 4 ms and the five networks within 8 ms with full tiles
// (the paper: 59 s for InceptionV3 on 16 cores), within 16 and 40 ms with exact borders; 250 million tilings a second
// when every tiling of the space is tried.

#include <atomic>
#include <thread>

#include <benchmark/benchmark.h>

#include "core/base/resources.h"
#include "core/catalogue/catalogue.h"
#include "core/engine/engine.h"
#include "core/nmp/search/search.h"
#include "core/nmp/solution.h"
#include "tests/core/nmp/networks.h"

namespace {

using namespace convscope;
using namespace convscope::nmp;

Machine board(Borders borders) {
  Machine m;
  m.bandwidth = 16e9;
  m.mac_efficiency = 0.75;
  m.command_seconds = 630e-9;
  m.borders = borders;
  return m;
}

std::vector<Convolution> convolutions(std::size_t networks) {
  std::vector<Convolution> all;
  std::string reason;
  const auto paper = paper_networks();
  for (std::size_t i = 0; i < networks; ++i)
    for (const network::Layer& layer : paper[i].layers) all.push_back(*convolution_of(layer, reason));
  return all;
}

/// Runs work(i) for all i on both cores.
template <typename Work>
void on_two_cores(std::size_t count, Work work) {
  std::atomic<std::size_t> next{0};
  const auto run = [&] {
    for (std::size_t i = next++; i < count; i = next++) work(i);
  };
  std::jthread other(run);
  run();
}

void search(benchmark::State& state, Borders borders, std::size_t networks, double goal, double paper_seconds) {
  const auto all = convolutions(networks);
  const Machine machine = board(borders);
  for (auto _ : state) {
    const auto cache = engine::make_memory_cache();
    on_two_cores(all.size(), [&](std::size_t i) { benchmark::DoNotOptimize(solve(all[i], machine, {}, *cache, {})); });
  }
  state.counters["goal_ms"] = goal;
  if (paper_seconds > 0) state.counters["paper_ms"] = 1000 * paper_seconds;
}

void inception_with_full_tiles(benchmark::State& state) {
  search(state, Borders::full, 1, 4, 59);
}
void five_networks_with_full_tiles(benchmark::State& state) {
  search(state, Borders::full, 5, 8, 0);
}
void inception_with_exact_borders(benchmark::State& state) {
  search(state, Borders::exact, 1, 16, 0);
}
void five_networks_with_exact_borders(benchmark::State& state) {
  search(state, Borders::exact, 5, 40, 0);
}
BENCHMARK(inception_with_full_tiles)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(five_networks_with_full_tiles)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(inception_with_exact_borders)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(five_networks_with_exact_borders)->Unit(benchmark::kMillisecond)->UseRealTime();

// Every tiling of InceptionV3's fifth layer, through the closed form.
void every_tiling(benchmark::State& state) {
  const Convolution c = convolutions(1)[4];
  std::atomic<std::int64_t> tilings{0};
  const CostModel model(c, board(Borders::exact));
  for (auto _ : state)
    on_two_cores(
        9, [&](std::size_t i) { tilings += exhaustive_tiling(model, partitions[i / 3], schedules[i % 3]).tilings; });
  state.counters["tilings"] = benchmark::Counter(static_cast<double>(tilings), benchmark::Counter::kIsRate);
  state.counters["goal"] = 250e6;
}
BENCHMARK(every_tiling)->Unit(benchmark::kMillisecond)->UseRealTime();

// Dragging a slider on ResNet-50: all layers again, nothing cached. Goal: 100 ms with repainting.
void resnet_after_bandwidth(benchmark::State& state) {
  const auto target = catalogue::find_target("nmp");
  network::Network network;
  network.layers = paper_networks()[3].layers;
  arch::ParameterValues machine(target->machine());
  const auto cache = engine::make_memory_cache();
  Diagnostics diagnostics;
  int step = 0;
  for (auto _ : state) {
    machine.set("bandwidth", std::to_string(10 + 0.001 * step++), diagnostics);
    on_two_cores(network.layers.size(), [&](std::size_t i) {
      benchmark::DoNotOptimize(target->compile({&network, static_cast<int>(i), &machine, "burst"}, *cache, {}));
    });
  }
  state.counters["goal_ms"] = 100;
}
BENCHMARK(resnet_after_bandwidth)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
