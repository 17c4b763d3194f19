#pragma once
// Pools as NMP's tilings see them: depthwise convolutions without weights.

#include <string>

#include "core/network/graph.h"
#include "core/nmp/operators/operators.h"

namespace convscope::nmp {

inline constexpr const char* unknown_shape = "its shape is not known; stating the input size may help";

OperatorUse unmapped(std::string why);

/// The greatest value (GlobalMaxPool, ReduceMax) or else the mean of every window of the layer's input; one that is as
/// large as the input has one place. Unmapped, with the reason, where it can't be searched.
OperatorUse pool_over(const network::Layer& layer, network::Size window);

/// MaxPool or AveragePool with the window that the node states.
OperatorUse pool_of_window(const network::Layer& layer, const network::Node& node);

}  // namespace convscope::nmp
