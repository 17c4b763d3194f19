#pragma once
// Two widths in one network: what is stored narrow as far as a bound on the error at the outputs allows.

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/base/cancellation.h"
#include "core/quantization/calibration.h"

namespace convscope::quantization {

struct MixedOptions {
  int narrow_bits = 8;     ///< fewer than CalibrationOptions::bits
  double least_sqnr = 30;  ///< in decibels, of each output over all inputs
};

/// Tensors that are narrowed together: those that pools, views, additions and concatenations tie to one point, and the
/// weights of the products that read them, as a machine multiplies words of one width.
struct WidthUnit {
  std::vector<int> tensors;     ///< indices in the graph, ascending
  std::int64_t bits_saved = 0;  ///< of all elements of known size
  double sqnr = 0;              ///< least over the outputs if it alone is narrow, of the first input; in decibels
  bool narrow = false;
};

struct MixedWidths {
  NetworkFormats formats;
  std::vector<WidthUnit> units;  ///< in the order in which they are narrowed: most saved for the noise they make, first
  bool bound_met = false;        ///< false: not even the wide formats meet it; then nothing is narrow
};

/// Units of a graph whose tensors have formats as observed, in the order of their first tensors.
std::vector<WidthUnit> width_units(const network::Graph& graph, const Observations& seen, int bits_less);

/// Each unit is narrowed alone to see the noise that it makes at the outputs of the first input; then as many as the
/// bound allows over all inputs, in that order, found by bisection and measured. Not proven the most: noise of several
/// units adds up only about, and other sets than first ones aren't tried. Executes the network once a unit and a few
/// times an input. Nothing, with the executor's errors, if an execution fails. Throws Cancelled.
std::optional<MixedWidths> choose_widths(const network::Graph& graph,
                                         const std::vector<reference::FloatTensors>& inputs,
                                         const CalibrationOptions& wide, const MixedOptions& options,
                                         Diagnostics& diagnostics, const std::stop_token& stop = {},
                                         const ProgressCallback& progress = {});

}  // namespace convscope::quantization
