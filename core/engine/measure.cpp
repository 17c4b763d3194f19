#include "core/engine/measure.h"

#include <cassert>
#include <chrono>
#include <mutex>
#include <numeric>
#include <thread>

namespace convscope::engine {
namespace {

/// The machine's cores: they are the process's, so this is what all measurements of it share.
std::mutex& measuring() {
  static std::mutex mutex;
  return mutex;
}

/// Asks again and again, as ThreadSanitizer of Clang 14 doesn't know the locks with a time that libstdc++ 12 uses.
std::unique_lock<std::mutex> wait_for_turn(const std::stop_token& stop) {
  std::unique_lock turn(measuring(), std::defer_lock);
  while (!turn.try_lock()) {
    throw_if_stopped(stop);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return turn;
}

std::vector<int> wanted_layers(const Request& request) {
  if (!request.only_layers.empty()) return request.only_layers;
  std::vector<int> all(request.network->layers.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace

Measurement measure(const Request& request, const target::OptionValues& options, target::PassCache& cache,
                    const std::stop_token& stop, const ProgressCallback& progress, Diagnostics& diagnostics) {
  const target::MeasurementTools* tools = request.target->measurement_tools();
  assert(tools != nullptr);
  Measurement measurement;
  try {
    const auto turn = wait_for_turn(stop);
    const auto plan = request.target->prepare({request.network.get(), &request.machine, request.level}, cache, stop);
    const std::vector<int> wanted = wanted_layers(request);
    for (const int layer : wanted) {
      throw_if_stopped(stop);
      if (progress)
        progress(static_cast<double>(measurement.layers.size()) / static_cast<double>(wanted.size()),
                 "measuring " + request.network->layers[static_cast<std::size_t>(layer)].name);
      measurement.layers.push_back(
          {layer, tools->measure({request.network.get(), layer, &request.machine, request.level, plan.get()}, options,
                                 stop, diagnostics)});
    }
  } catch (const Cancelled&) {
    measurement.stopped = true;
  }
  return measurement;
}

WholeMeasurement measure_whole(const Request& request, const target::OptionValues& options, const std::stop_token& stop,
                               Diagnostics& diagnostics) {
  const target::MeasurementTools* tools = request.target->measurement_tools();
  assert(tools != nullptr);
  WholeMeasurement measurement;
  try {
    const auto turn = wait_for_turn(stop);
    measurement.measured =
        tools->measure_whole({request.network.get(), &request.machine, request.level}, options, stop, diagnostics);
  } catch (const Cancelled&) {
    measurement.stopped = true;
  }
  return measurement;
}

}  // namespace convscope::engine
