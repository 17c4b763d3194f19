#pragma once
// Measurement: a target runs what it compiles on real hardware. No pass: nothing of it is memoized, and it asks for the
// machine alone (core/engine/measure.h sees to that).

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/arch/preset.h"
#include "core/artifact/observation.h"
#include "core/base/diagnostic.h"
#include "core/target/options.h"
#include "core/target/target.h"

namespace convscope::target {

/// A step of a network that ran as a whole: a layer, a part of one, or what brings data from one to the next.
struct MeasuredStep {
  std::string name;  ///< of the layers that it computes
  std::string what;  ///< how, for people
  int layer = -1;    ///< of the network; -1: none
  std::vector<artifact::Observation> observations;
};

/// A network whose layers ran one after the other, each on what the one before it made.
struct WholeMeasurement {
  std::vector<artifact::Observation> total;
  std::vector<MeasuredStep> steps;
  std::vector<std::string> left_out;  ///< nodes at the network's ends that nothing is measured of
};

class MeasurementTools {
 public:
  virtual ~MeasurementTools() = default;
  /// What a measurement can be told, e.g. how often it is repeated.
  virtual const std::vector<OptionDescription>& options() const = 0;
  /// Measures one layer, the caller having the machine to itself. Empty, with diagnostics, if it can't be measured.
  /// Throws Cancelled.
  virtual std::vector<artifact::Observation> measure(const CompileRequest& request, const OptionValues& options,
                                                     const std::stop_token& stop, Diagnostics& diagnostics) const = 0;
  /// Whether measure_whole does anything.
  virtual bool measures_whole() const { return false; }
  /// Measures a network as a whole, its values checked, the caller having the machine to itself. Nothing, with
  /// diagnostics, if it can't be measured. Throws Cancelled.
  virtual std::optional<WholeMeasurement> measure_whole(const NetworkRequest& /*request*/,
                                                        const OptionValues& /*options*/,
                                                        const std::stop_token& /*stop*/,
                                                        Diagnostics& /*diagnostics*/) const {
    return std::nullopt;
  }
  /// A preset of the computer that it measures on, its speeds measured; the caller has it to itself. Nothing, with
  /// diagnostics where something went wrong, if the target can't tell. Throws Cancelled.
  virtual std::optional<arch::Preset> detect(const std::stop_token& /*stop*/, Diagnostics& /*diagnostics*/) const {
    return std::nullopt;
  }
};

}  // namespace convscope::target
