// Goal: what one frame of the schedule view asks of a timeline of a million cycles costs far less than the frame.

#include "core/artifact/timeline.h"

#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

namespace {

using namespace convscope::artifact;

constexpr int resource_count = 16;
constexpr std::int64_t period = 200, repetitions = 5000;  // 1,000,000 cycles
constexpr std::int64_t pixels = 1920;

// Each resource is busy in three cycles of four.
TimelineSection steady_state() {
  TimelineSection section{"steady state", period, repetitions, 0, 0, {}};
  for (std::int64_t cycle = 0; cycle < period; ++cycle)
    for (int resource = 0; resource < resource_count; ++resource)
      if ((cycle + resource) % 4 != 0)
        section.cells.push_back({resource, cycle, 1, 1, 0, OperationClass::multiply_accumulate, {}});
  return section;
}

Timeline million_cycles() {
  std::vector<std::string> resources;
  for (int i = 0; i < resource_count; ++i) resources.push_back("unit " + std::to_string(i));
  return Timeline(std::move(resources), {steady_state()});
}

// Zoomed in: about 2000 cells are drawn one by one. Goal: 0.1 ms.
void visit_2000_cells(benchmark::State& state) {
  const Timeline timeline = million_cycles();
  constexpr std::int64_t cycles = 2000 * 4 / (3 * resource_count);
  std::int64_t begin = 0, visited = 0;
  for (auto _ : state) {
    timeline.visit(begin, begin + cycles, [&](const PlacedCell& cell) { visited += cell.begin >= 0; });
    begin = (begin + 7919) % (timeline.length() - cycles);
  }
  state.counters["cells"] = benchmark::Counter(static_cast<double>(visited), benchmark::Counter::kAvgIterations);
}
BENCHMARK(visit_2000_cells)->Unit(benchmark::kMicrosecond);

// Zoomed out: each pixel of each lane is an occupancy. Goal: 4 ms.
void busy_of_every_pixel(benchmark::State& state) {
  const Timeline timeline = million_cycles();
  for (auto _ : state) {
    std::int64_t busy = 0;
    for (int resource = 0; resource < resource_count; ++resource)
      for (std::int64_t pixel = 0; pixel < pixels; ++pixel)
        busy += timeline.busy(resource, pixel * timeline.length() / pixels, (pixel + 1) * timeline.length() / pixels);
    benchmark::DoNotOptimize(busy);
  }
}
BENCHMARK(busy_of_every_pixel)->Unit(benchmark::kMicrosecond);

}  // namespace
