#pragma once
// Other people's convolutions that ran in turn with the best program of a problem, as the store keeps them.

#include <string>
#include <string_view>
#include <vector>

#include "core/cpu/artifacts/chosen_program.h"
#include "core/cpu/run/protocol.h"
#include "core/cpu/store/store.h"

namespace convscope::cpu {

// Record::algorithm of such a run: of ours, and of each of the others, whose path is empty, whose compiler is the name
// ("oneDNN direct") and whose flags are what the library calls its implementation.
constexpr std::string_view beside_peers = "beside peers", of_peer = "peer";

/// Keeps one run of `ours` (its problem, path, host and so on; outcome and algorithm are filled in) and the others that
/// gave right values. False, with a diagnostic, if it can't be kept.
bool keep_peers(Store& store, Record ours, const RunAnswer& answer, Diagnostics& diagnostics);

/// Of the newest such run on `host`, fastest first; empty if there is none.
std::vector<StoredPeer> stored_peers(const Store& store, const Problem& problem, const std::string& host);

}  // namespace convscope::cpu
