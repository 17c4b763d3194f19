// Quantization's goals: a network's formats from ranges that were seen before within half a second, calibration within
// a second an image. Skipped where the folder of models is absent.

#include <chrono>

#include <benchmark/benchmark.h>

#include "core/catalogue/standard.h"
#include "core/quantization/fold_normalizations.h"
#include "core/quantization/given_ranges.h"

namespace {

using namespace convscope;
using namespace convscope::quantization;

double seconds_of(const auto& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Time is that of the formats, as `quantize --ranges` makes them once the file is read; counters tell of the one
/// calibration that the ranges are from.
void quantize_by_ranges(benchmark::State& state, const char* file) {
  Diagnostics diagnostics;
  const auto network = catalogue::standard()->read_network(std::string(CONVSCOPE_MODELS) + "/" + file, diagnostics);
  if (!network || !network->graph) return state.SkipWithError(diagnostics.text().c_str());
  network::Graph graph = *network->graph;
  fold_normalizations(graph);
  const auto input = seeded_inputs(graph, 1, diagnostics);
  if (!input) return state.SkipWithError(diagnostics.text().c_str());
  std::optional<NetworkFormats> calibrated, formats;
  const double calibration = seconds_of([&] { calibrated = calibrate(graph, {*input}, {}, diagnostics); });
  if (!calibrated) return state.SkipWithError(diagnostics.text().c_str());
  GivenRanges ranges;
  for (std::size_t i = 0; i < graph.tensors.size(); ++i) ranges[graph.tensors[i].name] = calibrated->ranges[i];
  double given = 0;
  for (auto _ : state) given += seconds_of([&] { formats = formats_of_ranges(graph, ranges, {}, file, diagnostics); });
  if (!formats || formats->formats != calibrated->formats) return state.SkipWithError("other formats");
  given /= static_cast<double>(state.iterations());
  state.counters["goal_ms"] = 500;
  state.counters["calibration_ms"] = calibration * 1e3;
  state.counters["calibration_goal_ms"] = 1000;
  state.counters["calibration_ratio"] = calibration / given;
}
BENCHMARK_CAPTURE(quantize_by_ranges, squeezenet, "onnx-real/squeezenet-fp16-winml/SqueezeNet_fp16.onnx")
    ->Unit(benchmark::kMillisecond);

}  // namespace
