#pragma once
// Sessions that the window saved, as input: instead of a network and a machine.

#include <optional>
#include <string>

#include "app/request/request.h"

namespace convscope::request {

/// True for names that end as sessions do.
bool is_session_file(const std::string& file);

/// Network, target, values of all parameters and level of a session. What cannot be as it was saved is a diagnostic,
/// as in the window; nothing if the session, its target or its network is not there. Options of the machine, and sizes
/// of the network, are refused: the session has its own.
std::optional<engine::Request> resolve_session(const NetworkChoice& network, const MachineChoice& machine,
                                               const catalogue::Catalogue& catalogue, Diagnostics& diagnostics);

}  // namespace convscope::request
