#pragma once
// A network whose layers were joined to one program.

#include <memory>

#include "core/nmp/link/link.h"
#include "core/target/target.h"

namespace convscope::nmp {

/// `total`: the sum of the layers' estimates. The program is made when something of it is asked for. Null if the layers
/// can't be joined. Throws Cancelled.
std::shared_ptr<const target::LinkedNetwork> make_linked(const target::NetworkRequest& request,
                                                         const OperatorPlan& plan, const target::CompiledLayers& layers,
                                                         artifact::Metrics total, const std::stop_token& stop);

}  // namespace convscope::nmp
