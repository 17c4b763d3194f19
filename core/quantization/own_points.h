#pragma once
// The points next to the scales that a file states, for machines that hold Qm.n; and what being next costs.

#include <optional>
#include <stop_token>
#include <vector>

#include "core/quantization/calibration.h"
#include "core/quantization/own_scales.h"

namespace convscope::quantization {

/// A tensor under its scale, and under the point that stands for it.
struct OwnPoint {
  Format format;             ///< of the type's width; of several scales the one with the least fraction
  FilterPoints filters;      ///< empty unless there are several scales
  Error by_scale, by_point;  ///< over the exact values of all inputs
};

struct OwnPoints {
  std::vector<std::optional<OwnPoint>> points;  ///< by tensor; nothing where no scale is stated
  NetworkFormats formats;                       ///< of all tensors: these points, the others calibrated
  std::vector<Error> outputs;                   ///< by graph output: with the scales as they are in the file
};

/// Of each stated scale s the format of its width with the point next to log2 s, among the two or (where the integers
/// aren't signed ones around 0, so that the format needs room for the sign) three that could be the one with the least
/// noise over the values seen. Others are calibrated as `options` say, and follow these where they share a point with
/// them. `inputs` are executed a few times each. Nothing, with the executor's errors, if an execution fails. Throws
/// Cancelled.
std::optional<OwnPoints> own_points(const ScaledGraph& scaled, const std::vector<reference::FloatTensors>& inputs,
                                    const CalibrationOptions& options, Diagnostics& diagnostics,
                                    const std::stop_token& stop = {});

}  // namespace convscope::quantization
