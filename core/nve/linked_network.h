#pragma once
// The layers of a network one after the other: programs and figures stay those of the layers, but a simulation has each
// layer take what those before it gave out.

#include <memory>

#include "core/network/network.h"
#include "core/target/compiled.h"

namespace convscope::nve {

/// Null where the network's file has no operators, or a layer that NVE could compute isn't mapped. `total`: figures of
/// the layers together. The network must not be changed meanwhile.
std::shared_ptr<const target::LinkedNetwork> link_network(const network::Network& network,
                                                          const target::CompiledLayers& layers, artifact::Metrics total,
                                                          int most_bias_shift);

}  // namespace convscope::nve
