#pragma once
// A program of ours in turn with other people's convolutions: what this machine has in the place of manual code.

#include <stop_token>

#include "core/cpu/run/measure.h"

namespace convscope::cpu {

/// `ours` and, in the same child, those of `convscope-peers` (find_peers()), samples of all taking turns, and between
/// them multiply-adds alone for as long. `complete` is false, and the reason a message of the first program, where
/// there are none, or where something went wrong. Throws Cancelled.
RunAnswer run_beside_peers(const Laboratory& laboratory, const Runnable& ours, RunOptions options,
                           const std::stop_token& stop);

}  // namespace convscope::cpu
