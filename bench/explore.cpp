// The explorer's goals on two cores: 10,000 NMP machines over ResNet-50 within 20 s with full tiles and 180 s with
// exact borders; 1,000 NVE machines over the speed sign network within 300 s. NMP's grids are the whole 10,000; NVE's
// is a fraction of the same kind, and `for_goal_s` the time that the goal's number of points takes at the measured
// rate. `cpu_s` is processor time. `saved` is how many times as much of it compiling each machine from scratch takes.

#include <chrono>
#include <ctime>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "core/base/resources.h"
#include "core/catalogue/standard.h"
#include "core/explore/space/space_reader.h"
#include "core/explore/sweep/sweep.h"

namespace {

using namespace convscope;
using namespace convscope::explore;

std::shared_ptr<const Space> space_of(const std::string& network, const std::string& machines) {
  Diagnostics diagnostics;
  auto space =
      read_space(fmt::format("<space name='bench'><network file='networks/{}.xml'/>{}</space>", network, machines),
                 "bench", *file_sources(sample_path(""), catalogue::standard()), diagnostics);
  return space ? std::make_shared<const Space>(std::move(*space)) : nullptr;
}

/// Wall and processor seconds.
struct Taken {
  double wall = 0, cpu = 0;
};

template <typename Work>
Taken time_of(Work work) {
  const auto begin = std::chrono::steady_clock::now();
  const std::clock_t cpu = std::clock();
  work();
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(),
          static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC};
}

Taken sweep_time(const std::shared_ptr<const Space>& space) {
  const auto executor = engine::make_tbb_executor(2);
  const auto cache = make_sweep_cache();
  Sweep sweep(space, make_strategy({}, space), nullptr);
  Diagnostics diagnostics;
  return time_of([&] { sweep.run(*executor, *cache, {}, {}, diagnostics); });
}

/// Some of the points, each with a cache of its own that dies with it.
double cpu_seconds_from_scratch(const std::shared_ptr<const Space>& space, std::uint64_t points) {
  const auto executor = engine::make_tbb_executor(2);
  const Taken taken = time_of([&] {
    executor->parallel_for(static_cast<int>(points), [&](int i) {
      const auto cache = engine::make_memory_cache();
      const std::uint64_t index = space->size() * (2 * static_cast<std::uint64_t>(i) + 1) / (2 * points);
      benchmark::DoNotOptimize(evaluate(*space, space->point(index), *cache, {}));
    });
  });
  return taken.cpu / static_cast<double>(points);
}

void explore_space(benchmark::State& state, const std::string& network, const std::string& machines, double points,
                   double goal_seconds, std::uint64_t compared_points) {
  const auto space = space_of(network, machines);
  if (!space) return state.SkipWithError("the space was refused");
  const auto size = static_cast<double>(space->size());
  Taken taken;
  for (auto _ : state) taken = sweep_time(space);
  state.counters["points_per_s"] = size / taken.wall;
  state.counters["cpu_s"] = taken.cpu;
  state.counters["for_goal_s"] = points * taken.wall / size;
  state.counters["goal_s"] = goal_seconds;
  const std::uint64_t compared = std::min<std::uint64_t>(space->size(), compared_points);
  state.counters["saved"] = cpu_seconds_from_scratch(space, compared) * size / taken.cpu;
}

// 10 TLEs x 10 input x 10 weight memories x 10 bandwidths.
std::string nmp_machines(const char* borders) {
  return fmt::format(
      "<machines target='nmp' presets='nmp-board'><parameter name='borders'>{}</parameter>"
      "<parameter name='tles'>1 2 3 4 6 8 10 12 14 16</parameter>"
      "<parameter name='input_memory' from='1024' to='524288'/><parameter name='weight_memory' from='1024' "
      "to='524288'/>"
      "<parameter name='output_memory' equals='input_memory'/>"
      "<parameter name='bandwidth' from='4' to='40' step='4'/></machines>",
      borders);
}

void nmp_machines_with_full_tiles(benchmark::State& state) {
  explore_space(state, "resnet50", nmp_machines("full-tiles"), 10'000, 20, 499);
}
void nmp_machines_with_exact_borders(benchmark::State& state) {
  explore_space(state, "resnet50", nmp_machines("exact"), 10'000, 180, 499);
}
void nve_machines(benchmark::State& state) {
  explore_space(state, "speed_sign",
                "<machines target='nve'><parameter name='lanes'>8 16</parameter>"
                "<parameter name='port_width'>64 128</parameter>"
                "<parameter name='instruction_buffer'>512 1024</parameter>"
                "<parameter name='bandwidth'>200 400 800 1600 3200</parameter></machines>",
                1'000, 300, 20);
}
BENCHMARK(nmp_machines_with_full_tiles)->Unit(benchmark::kSecond)->UseRealTime()->Iterations(1);
BENCHMARK(nmp_machines_with_exact_borders)->Unit(benchmark::kSecond)->UseRealTime()->Iterations(1);
BENCHMARK(nve_machines)->Unit(benchmark::kSecond)->UseRealTime()->Iterations(1);

}  // namespace
