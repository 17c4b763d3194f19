#pragma once
// Pools as NMP's tilings see them: depthwise convolutions without weights.

#include <string>
#include <vector>

#include "core/network/graph.h"
#include "core/nmp/operators/operators.h"

namespace convscope::nmp {

inline constexpr const char* unknown_shape = "its shape is not known; stating the input size may help";

OperatorUse unmapped(std::string why);

/// The greatest value (GlobalMaxPool, ReduceMax) or else the mean of every window of the layer's input; one that is as
/// large as the input has one place. Unmapped, with the reason, where it can't be searched.
OperatorUse pool_over(const network::Layer& layer, network::Size window);

/// Two operands of which one has an element for each map of the other, which is as large as the output.
OperatorUse spread_over_maps(const network::Layer& layer, const Computing& computing);

/// Each input for `factor` outputs along rows and columns.
OperatorUse repeated(const network::Layer& layer, network::Shape in, network::Size factor);

/// Inputs that lie `stride` apart from one on, or zeros around the input: `before` is how many rows and columns of
/// zeros are above and to the left, below 0 how many of inputs are left out. Whatever is beyond the input is 0.
OperatorUse cropped_or_padded(const network::Layer& layer, network::Shape in, network::Shape out, network::Size before,
                              network::Size stride);

/// Copies of pieces of equal length.
OperatorUse pieces_moved(std::int64_t length, std::vector<Move> moves, std::string text);

/// MaxPool or AveragePool with the window that the node states.
OperatorUse pool_of_window(const network::Layer& layer, const network::Node& node);

}  // namespace convscope::nmp
