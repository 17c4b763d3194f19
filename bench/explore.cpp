// The explorer's goals on two cores: 10,000 NMP machines over ResNet-50 within 20 s with full tiles and 180 s with
// exact borders; 1,000 NVE machines over the speed sign network within 300 s. Grids here are a fraction of that, of the
// same kind; `for_goal_s` is the time that the goal's number of points takes at the measured rate. `saved` is how many
// times faster a sweep is than compiling each of its machines from scratch.

#include <chrono>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "core/base/resources.h"
#include "core/explore/space_reader.h"
#include "core/explore/sweep.h"

namespace {

using namespace convscope;
using namespace convscope::explore;

std::shared_ptr<const Space> space_of(const std::string& network, const std::string& machines) {
  Diagnostics diagnostics;
  auto space =
      read_space(fmt::format("<space name='bench'><network file='networks/{}.xml'/>{}</space>", network, machines),
                 "bench", *file_sources(sample_path("")), diagnostics);
  return space ? std::make_shared<const Space>(std::move(*space)) : nullptr;
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double sweep_seconds(const std::shared_ptr<const Space>& space) {
  const auto executor = engine::make_tbb_executor(2);
  const auto cache = make_sweep_cache();
  Sweep sweep(space, make_strategy({}, space), nullptr);
  Diagnostics diagnostics;
  const auto begin = std::chrono::steady_clock::now();
  sweep.run(*executor, *cache, {}, {}, diagnostics);
  return seconds_since(begin);
}

/// Some of the points, each with a cache of its own that dies with it.
double seconds_from_scratch(const std::shared_ptr<const Space>& space, std::uint64_t points) {
  const auto executor = engine::make_tbb_executor(2);
  const auto begin = std::chrono::steady_clock::now();
  executor->parallel_for(static_cast<int>(points), [&](int i) {
    const auto cache = engine::make_memory_cache();
    const std::uint64_t index = space->size() * static_cast<std::uint64_t>(i) / points;
    benchmark::DoNotOptimize(evaluate(*space, space->point(index), *cache, {}));
  });
  return seconds_since(begin) / static_cast<double>(points);
}

void explore_space(benchmark::State& state, const std::string& network, const std::string& machines, double points,
                   double goal_seconds) {
  const auto space = space_of(network, machines);
  if (!space) return state.SkipWithError("the space was refused");
  const auto size = static_cast<double>(space->size());
  double seconds = 0;
  for (auto _ : state) seconds = sweep_seconds(space);
  state.counters["points_per_s"] = size / seconds;
  state.counters["for_goal_s"] = points * seconds / size;
  state.counters["goal_s"] = goal_seconds;
  state.counters["saved"] = seconds_from_scratch(space, std::min<std::uint64_t>(space->size(), 20)) * size / seconds;
}

// Of the goal's grid of 10 TLEs x 10 input x 10 weight memories x 10 bandwidths.
std::string nmp_machines(const char* borders) {
  return fmt::format(
      "<machines target='nmp' presets='nmp-board'><parameter name='borders'>{}</parameter>"
      "<parameter name='tles'>2 8</parameter><parameter name='input_memory'>2048 16384</parameter>"
      "<parameter name='weight_memory'>2048 8192</parameter><parameter name='output_memory' equals='input_memory'/>"
      "<parameter name='bandwidth' from='4' to='40' step='4'/></machines>",
      borders);
}

void nmp_machines_with_full_tiles(benchmark::State& state) {
  explore_space(state, "resnet50", nmp_machines("full-tiles"), 10'000, 20);
}
void nmp_machines_with_exact_borders(benchmark::State& state) {
  explore_space(state, "resnet50", nmp_machines("exact"), 10'000, 180);
}
void nve_machines(benchmark::State& state) {
  explore_space(state, "speed_sign",
                "<machines target='nve'><parameter name='lanes'>8 16</parameter>"
                "<parameter name='port_width'>64 128</parameter>"
                "<parameter name='instruction_buffer'>512 1024</parameter>"
                "<parameter name='bandwidth'>200 400 800 1600 3200</parameter></machines>",
                1'000, 300);
}
BENCHMARK(nmp_machines_with_full_tiles)->Unit(benchmark::kSecond)->UseRealTime()->Iterations(1);
BENCHMARK(nmp_machines_with_exact_borders)->Unit(benchmark::kSecond)->UseRealTime()->Iterations(1);
BENCHMARK(nve_machines)->Unit(benchmark::kSecond)->UseRealTime()->Iterations(1);

}  // namespace
