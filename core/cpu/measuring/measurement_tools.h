#pragma once
// Measuring on this host: searches for a layer's fastest program, or somebody's own source. Results go to the store.

#include <string>
#include <vector>

#include "core/target/measure.h"

namespace convscope::cpu {

class CpuMeasurementTools : public target::MeasurementTools {
 public:
  CpuMeasurementTools();
  const std::vector<target::OptionDescription>& options() const override { return options_; }
  /// The fastest program that was found: seconds, GFLOP/s, the largest error, and how the estimate compares. What came
  /// of all variants is a note. A layer that can't be measured, and a source that fails, are errors with the reason.
  std::vector<artifact::Observation> measure(const target::CompileRequest& request, const target::OptionValues& options,
                                             const std::stop_token& stop, Diagnostics& diagnostics) const override;
  bool measures_whole() const override { return true; }
  /// Programs that measurements of layers found before, else estimated ones; core/cpu/network.
  std::optional<target::WholeMeasurement> measure_whole(const target::NetworkRequest& request,
                                                        const target::OptionValues& options,
                                                        const std::stop_token& stop,
                                                        Diagnostics& diagnostics) const override;
  std::optional<arch::Preset> detect(const std::stop_token& stop, Diagnostics& diagnostics) const override;

 private:
  std::vector<target::OptionDescription> options_;
};

}  // namespace convscope::cpu
