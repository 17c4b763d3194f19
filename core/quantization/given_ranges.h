#pragma once
// Formats from ranges that were seen before: nothing is executed.

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/quantization/calibration.h"

namespace convscope::quantization {

/// By the name of the tensor.
using GivenRanges = std::map<std::string, Range>;

/// The ranges in what `quantize --json` prints: of each of "tensors" its "name", "least" and "most"; all else is left
/// aside. Nothing, with diagnostics, if the text is no such JSON, names a tensor twice, or has a range that is none.
std::optional<GivenRanges> parse_ranges(std::string_view text, const std::string& file, Diagnostics& diagnostics);
/// Likewise of a file of at most 64 MB.
std::optional<GivenRanges> read_ranges(const std::string& file, Diagnostics& diagnostics);

/// As `calibrate` of inputs that show these ranges, all of which is held, whatever `options.percentile` says; constants
/// are looked at themselves. Nothing, with an error for the first tensor of the network that has no range. `file` is
/// for messages.
std::optional<NetworkFormats> formats_of_ranges(const network::Graph& graph, const GivenRanges& given,
                                                const CalibrationOptions& options, const std::string& file,
                                                Diagnostics& diagnostics);

}  // namespace convscope::quantization
