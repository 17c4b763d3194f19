#pragma once
// Images as inputs of networks in floating point.

#include <optional>
#include <string>

#include "core/base/diagnostic.h"
#include "core/network/graph.h"
#include "core/reference/executor.h"

namespace convscope::reference {

/// A pixel p of 0 to 255 becomes (p - mean) / scale.
struct PixelScale {
  double mean = 0, scale = 255;
  bool operator==(const PixelScale&) const = default;
};

/// Tensor of the one input that an image can be put into: batch 1, and maps, height and width known; -1 if there is
/// none, or several.
int image_input(const network::Graph& graph);

/// The file as that input: in colour if it has three maps, else gray; cropped or filled with zeros to its size.
/// Nothing, with a diagnostic, if there is no such input or the file is no image.
std::optional<FloatTensors> image_inputs(const network::Graph& graph, const std::string& file, const PixelScale& pixels,
                                         Diagnostics& diagnostics);

}  // namespace convscope::reference
