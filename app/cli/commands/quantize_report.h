#pragma once
// What `quantize` prints.

#include <optional>
#include <string>

#include "app/cli/commands/calibration_inputs.h"
#include "app/cli/options.h"
#include "core/network/network.h"
#include "core/quantization/mixed_widths.h"
#include "core/quantization/own_points.h"

namespace convscope::cli {

struct QuantizeOptions {
  NetworkOptions network;
  quantization::CalibrationOptions calibration;
  CalibrationInputs inputs;
  std::optional<int> narrow;  ///< bits of what may be narrower
  double least_sqnr = 30;
  std::string ranges;  ///< a file with what was seen before; empty: inputs are executed
  std::string stored;  ///< storage of weights that are computed with as floating point; empty: all in fixed point
  bool keeps_normalizations = false, calibrates_anew = false, json = false;
};

/// Scales that the file states, as formats.
struct OwnResult {
  std::vector<std::optional<quantization::OwnScale>> scales;  ///< by tensor, as the points
  quantization::OwnPoints points;
};

struct QuantizeResult {
  const network::Graph& graph;
  quantization::MixedWidths widths;
  quantization::NetworkError error;
  int folded = 0;  ///< batch norms
  std::optional<OwnResult> own = {};

  const quantization::Error& error_of(int tensor) const { return error.tensors[static_cast<std::size_t>(tensor)]; }
  const quantization::Format* format_of(int tensor) const {
    const auto& format = widths.formats.formats[static_cast<std::size_t>(tensor)];
    return format ? &*format : nullptr;
  }
  /// Null where the file states no scale.
  const quantization::OwnScale* scale_of(int tensor) const {
    return own && own->scales[static_cast<std::size_t>(tensor)] ? &*own->scales[static_cast<std::size_t>(tensor)]
                                                                : nullptr;
  }
};

/// A network's formats and errors, as docs/quantize.md says.
std::string quantize_json(const QuantizeOptions& options, const network::Network& network,
                          const QuantizeResult& result);
/// One row a node: the formats of its weights and its output, the values seen, and the error there.
std::string quantize_text(const QuantizeOptions& options, const network::Network& network,
                          const QuantizeResult& result);

}  // namespace convscope::cli
