#pragma once
// Which convolution a layer of a network is, and the other way round.

#include <optional>
#include <string>
#include <vector>

#include "core/cpu/architecture/machine.h"
#include "core/cpu/architecture/problem.h"
#include "core/network/network.h"

namespace convscope::cpu {

/// Nothing, with the reason for people, if the layer is no convolution: others have no program. A fully connected layer
/// is a convolution as large as its input; where connections are missing, their coefficients are zeros.
std::optional<Problem> problem_of(const network::Layer& layer, int threads, std::string& reason);

/// The same for a machine's threads, its weights and activations stored as it has them.
std::optional<Problem> problem_of(const network::Layer& layer, const CodeMachine& machine, std::string& reason);

/// A network whose layers stand for themselves, named as their problems are written.
network::Network network_of(const std::vector<Problem>& problems, const std::string& name);

}  // namespace convscope::cpu
