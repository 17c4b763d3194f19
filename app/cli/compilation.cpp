#include "app/cli/compilation.h"

#include <chrono>
#include <mutex>

#include "core/engine/compile_layers.h"
#include "core/engine/faults.h"

namespace convscope::cli {
namespace {

using Layers = std::vector<std::shared_ptr<const target::CompiledLayer>>;

engine::CompiledNetwork partial_network(const engine::Request& request, Layers layers) {
  engine::CompiledNetwork compiled{
      request.network, request.target, request.machine, request.level, request.preset, std::move(layers), {}, {}};
  compiled.total = request.target->total(compiled.layers, request.machine);
  compiled.coverage = engine::coverage(compiled);
  return compiled;
}

}  // namespace

Compilation compile_keeping_finished(const engine::Request& request, Context& context) {
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  Layers finished(request.network->layers.size());
  std::mutex mutex;
  const auto keep = [&](int layer, std::shared_ptr<const target::CompiledLayer> compiled) {
    const std::lock_guard lock(mutex);
    finished[static_cast<std::size_t>(layer)] = std::move(compiled);
  };
  const auto executor = context.make_executor();
  const auto cache = engine::make_memory_cache();
  try {
    auto compiled =
        engine::compile_layers(request, *executor, *cache, context.interrupt.token(), keep, context.console.progress());
    return {std::move(compiled), false, seconds()};
  } catch (const Cancelled&) {
    return {partial_network(request, std::move(finished)), true, seconds()};
  }
}

bool report_faults(const engine::CompiledNetwork& compiled, Diagnostics& diagnostics) {
  const std::vector<engine::Fault> found = engine::faults(compiled);
  for (const engine::Fault& fault : found)
    diagnostics.error({compiled.network->source_file, 0, {}}, target::fault_reason(fault.text()), {},
                      "the fault is ConvScope's: please report it with the network and the machine");
  return !found.empty();
}

}  // namespace convscope::cli
