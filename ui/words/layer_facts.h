#pragma once
// What a network alone says about a layer, in words and figures: shapes, parameters, bytes.

#include <QString>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/network/graph.h"
#include "core/network/network.h"

namespace convscope::ui {

/// "1 x 64 x 112 x 112", "batch x ? x 7", "unknown".
QString shape_text(const network::TensorShape& shape);
/// "64 x 112 x 112".
QString sizes_text(const std::vector<int>& sizes);
/// Of the layer's first output, with the batch; for descriptors maps, rows, columns.
QString output_shape_text(const network::Network& network, int layer);
/// Of the layer's inputs that are computed, divided by commas.
QString input_shape_text(const network::Network& network, int layer);
/// Coefficients of a convolution or product; of other operators the elements of their constant lists of real numbers.
std::int64_t parameter_count(const network::Network& network, int layer);
/// Bytes of all outputs for one run; nothing if a shape or the element type is unknown, as in descriptors.
std::optional<std::int64_t> output_bytes(const network::Network& network, int layer);

/// "118 M": three significant digits.
QString compact(std::int64_t value);

}  // namespace convscope::ui
