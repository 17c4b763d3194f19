#pragma once
// Measuring a network's layers on real hardware, one after the other and nothing else beside.

#include <optional>

#include "core/base/diagnostic.h"
#include "core/engine/engine.h"
#include "core/target/measure.h"

namespace convscope::engine {

struct MeasuredLayer {
  int layer = 0;
  std::vector<artifact::Observation> observations;  ///< empty if it could not be measured: a diagnostic says why
};

/// Measures the request's layers on the caller's thread; the target has measurement tools. There is one measurement at
/// a time in a process: others wait for their turn. The caller starts nothing else meanwhile. What was measured before
/// a stop is returned, and `stopped` is set.
struct Measurement {
  std::vector<MeasuredLayer> layers;
  bool stopped = false;
};
Measurement measure(const Request& request, const target::OptionValues& options, target::PassCache& cache,
                    const std::stop_token& stop, const ProgressCallback& progress, Diagnostics& diagnostics);

/// Measures the request's network as a whole, if its target's tools do; in turn with other measurements, as above.
struct WholeMeasurement {
  std::optional<target::WholeMeasurement> measured;  ///< nothing if it could not be: a diagnostic says why
  bool stopped = false;
};
WholeMeasurement measure_whole(const Request& request, const target::OptionValues& options, const std::stop_token& stop,
                               Diagnostics& diagnostics);

}  // namespace convscope::engine
