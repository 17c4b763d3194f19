#pragma once
// Slot tables: which operation each issue field holds in each cycle of a loop's steady state.

#include <string>
#include <vector>

#include "core/analysis/published.h"
#include "core/artifact/timeline.h"

namespace convscope::figures {

/// [cycle][resource]: an operation, or "" if idle.
using Slots = std::vector<std::vector<std::string>>;

/// The operation without its operands: "rd 3+2c" is "rd", "set ri[0-1]" is "set ri", "mac [rw ri]" is "mac".
std::string operation_name(const std::string& text);

/// The steady state's slots, for the resources named (by name; a resource that the timeline lacks stays idle).
Slots steady_state_slots(const artifact::Timeline& timeline, const std::vector<std::string>& resources);

struct SlotComparison {
  int rotation = 0;  ///< published cycle c is ours at (c + rotation) mod length
  int compared = 0, equal = 0;
  int writes_compared = 0, writes_equal = 0;  ///< slots where either holds a write: their placement is free
  bool same_length = false;
};

/// Compares under the rotation with most equal slots, writes not counted (the smallest such rotation).
SlotComparison compare_slots(const Slots& ours, const Slots& published);

/// Our slots as the comparison rotates them.
Slots rotated(const Slots& slots, int rotation);

}  // namespace convscope::figures
