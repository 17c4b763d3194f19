#pragma once
// Small networks with a graph, made by hand.

#include <memory>

#include "core/network/network.h"

namespace convscope::ui::test {

/// Conv BN Relu, then Conv BN beside a shortcut, Add, Relu: seven layers.
std::shared_ptr<const network::Network> residual_network();
/// A convolution whose weights a ConstantOfShape makes: two layers.
std::shared_ptr<const network::Network> network_with_made_weights();
/// A chain of that many pairs of Conv and Relu.
std::shared_ptr<const network::Network> long_network(int pairs);

}  // namespace convscope::ui::test
