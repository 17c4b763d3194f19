#pragma once
// A network whose layers were joined to one program.

#include <memory>

#include "core/nmp/link/link.h"
#include "core/target/target.h"

namespace convscope::nmp {

/// `total`: the sum of the layers' estimates, to which is added what the program is, or why there is none. Throws
/// Cancelled.
std::shared_ptr<const target::LinkedNetwork> make_linked(const target::NetworkRequest& request,
                                                         const OperatorPlan& plan, const target::CompiledLayers& layers,
                                                         artifact::Metrics total, const std::stop_token& stop);

}  // namespace convscope::nmp
