#include <algorithm>
#include <cassert>
#include <mutex>
#include <numeric>

#include "core/engine/compile_layers.h"
#include "core/engine/with_layer.h"

namespace convscope::engine {
namespace {

[[maybe_unused]] int layer_count(const Request& request) {
  return static_cast<int>(request.network->layers.size());
}

/// Layers to compile in the order in which they start: the visible one, then ascending.
std::vector<int> layer_order(const Request& request) {
  std::vector<int> order = request.only_layers;
  if (order.empty()) {
    order.resize(request.network->layers.size());
    std::iota(order.begin(), order.end(), 0);
  }
  std::sort(order.begin(), order.end());
  order.erase(std::unique(order.begin(), order.end()), order.end());
  assert(order.empty() || (order.front() >= 0 && order.back() < layer_count(request)));
  std::stable_partition(order.begin(), order.end(), [&](int layer) { return layer == request.visible_layer; });
  return order;
}

CompiledNetwork empty_result(const Request& request) {
  CompiledNetwork result{.network = request.network,
                         .target = request.target,
                         .machine = request.machine,
                         .level = request.level,
                         .preset = request.preset,
                         .layers = {},
                         .total = {},
                         .roofline = {}};
  result.layers.resize(request.network->layers.size());
  return result;
}

bool has_all_layers(const CompiledNetwork& compiled) {
  return std::all_of(compiled.layers.begin(), compiled.layers.end(), [](const auto& layer) { return layer; });
}

void link(CompiledNetwork& compiled, const target::NetworkRequest& request, target::PassCache& cache,
          const std::stop_token& stop) {
  compiled.linked = compiled.target->link(request, compiled.plan.get(), compiled.layers, cache, stop);
  if (!compiled.linked) return;
  assert(compiled.linked->layers().size() == compiled.layers.size());
  compiled.layers = compiled.linked->layers();
}

void add_totals(CompiledNetwork& compiled) {
  compiled.total =
      compiled.linked ? compiled.linked->metrics() : compiled.target->total(compiled.layers, compiled.machine);
  compiled.roofline = compiled.target->roofline(*compiled.network, compiled.layers, compiled.machine);
  compiled.coverage = coverage(compiled);
  compiled.complete = has_all_layers(compiled);
}

/// Tells of finished layers, one at a time.
class Reporter {
 public:
  Reporter(const Request& request, std::size_t layers, std::stop_token stop, const LayerCallback& layer_done,
           const ProgressCallback& progress)
      : request_(request), layers_(layers), stop_(std::move(stop)), layer_done_(layer_done), progress_(progress) {}

  void done(int layer, const std::shared_ptr<const target::CompiledLayer>& compiled) {
    const std::lock_guard lock(mutex_);
    throw_if_stopped(stop_);
    ++finished_;
    if (layer_done_) layer_done_(layer, compiled);
    throw_if_stopped(stop_);  // the callback itself may have asked
    const std::string& name = request_.network->layers[static_cast<std::size_t>(layer)].name;
    if (progress_) progress_(static_cast<double>(finished_) / static_cast<double>(layers_), "compiled " + name);
  }

 private:
  const Request& request_;
  const std::size_t layers_;
  const std::stop_token stop_;
  const LayerCallback& layer_done_;
  const ProgressCallback& progress_;
  std::mutex mutex_;
  std::size_t finished_ = 0;
};

}  // namespace

artifact::Coverage coverage(const CompiledNetwork& compiled) {
  double mapped = 0, all = 0;
  for (std::size_t i = 0; i < compiled.layers.size(); ++i) {
    const network::Layer& layer = compiled.network->layers[i];
    if (!layer.macs_known()) return std::nullopt;
    const double macs = static_cast<double>(layer.macs()) * static_cast<double>(layer.images);
    all += macs;
    if (compiled.layers[i] && compiled.layers[i]->mapped()) mapped += macs;
  }
  return artifact::coverage_of(mapped, all);
}

CompiledNetwork with_layer(CompiledNetwork compiled, int layer, std::shared_ptr<const target::CompiledLayer> result) {
  assert(!compiled.linked);
  compiled.layers[static_cast<std::size_t>(layer)] = std::move(result);
  add_totals(compiled);
  return compiled;
}

CompiledNetwork compile_layers(const Request& request, Executor& executor, target::PassCache& cache,
                               const std::stop_token& stop, const LayerCallback& layer_done,
                               const ProgressCallback& progress) {
  assert(request.network && request.target);
  const std::vector<int> order = layer_order(request);
  CompiledNetwork result = empty_result(request);
  Reporter reporter(request, order.size(), stop, layer_done, progress);
  const target::NetworkRequest whole{request.network.get(), &request.machine, request.level};
  result.plan = request.target->prepare(whole, cache, stop);

  executor.parallel_for(static_cast<int>(order.size()), [&](int position) {
    throw_if_stopped(stop);
    const int layer = order[static_cast<std::size_t>(position)];
    const target::CompileRequest layer_request{request.network.get(), layer, &request.machine, request.level,
                                               result.plan.get()};
    auto compiled = request.target->compile(layer_request, cache, stop);
    assert(compiled);
    result.layers[static_cast<std::size_t>(layer)] = compiled;
    reporter.done(layer, compiled);
  });
  throw_if_stopped(stop);
  if (has_all_layers(result)) link(result, whole, cache, stop);
  add_totals(result);
  return result;
}

CompiledNetwork compile(const Request& request, Executor& executor, target::PassCache& cache,
                        const std::stop_token& stop, const ProgressCallback& progress) {
  return compile_layers(request, executor, cache, stop, {}, progress);
}

}  // namespace convscope::engine
