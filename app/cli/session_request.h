#pragma once
// Sessions that the window saved, as input of the command line: instead of a network and a machine.

#include <optional>
#include <string>

#include "app/cli/options.h"

namespace convscope::cli {

/// True for names that end as sessions do.
bool is_session_file(const std::string& file);

/// Network, target, values of all parameters and level of a session. What cannot be as it was saved is a diagnostic,
/// as in the window; nothing if the session, its target or its network is not there. Options of the machine, and sizes
/// of the network, are refused: the session has its own.
std::optional<engine::Request> resolve_session(const NetworkOptions& network, const MachineOptions& machine,
                                               const catalogue::Catalogue& catalogue, Diagnostics& diagnostics);

}  // namespace convscope::cli
