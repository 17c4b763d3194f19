// Opening real networks: read, shapes inferred, layers listed. Goal: with the painted tree 300 ms, so this takes at
// most half of that. Skipped where the folder of models is absent.

#include <benchmark/benchmark.h>

#include "core/catalogue/standard.h"

namespace {

using namespace convscope;

void open_network(benchmark::State& state, const char* file) {
  const std::string path = std::string(CONVSCOPE_MODELS) + "/" + file;
  std::size_t layers = 0;
  for (auto _ : state) {
    Diagnostics diagnostics;
    const auto network = catalogue::standard()->read_network(path, diagnostics);
    if (!network) return state.SkipWithError(diagnostics.text().c_str());
    layers = network->layers.size();
  }
  state.counters["layers"] = static_cast<double>(layers);
  state.counters["goal_ms"] = 150;
}
BENCHMARK_CAPTURE(open_network, resnet50, "onnx-light/light_resnet50.onnx")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(open_network, caffe_inception_v3, "caffe/soeaver/deploy_inception-v3.prototxt")
    ->Unit(benchmark::kMillisecond);

}  // namespace
