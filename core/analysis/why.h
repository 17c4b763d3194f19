#pragma once
// Why a layer is as fast as it is, and why a slot of its schedule is as it is: what `convscope-cli why` prints.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/artifact/explanation.h"
#include "core/artifact/task_graph.h"
#include "core/artifact/timeline.h"
#include "core/base/diagnostic.h"

namespace convscope::analysis {

struct SlotReason {
  std::int64_t cycle = 0;
  std::string resource;
  std::string occupant;            ///< operation that stands there; empty if none does
  std::int64_t iteration = -1;     ///< of the occupant
  std::vector<std::string> lines;  ///< what can be proved about it; may be empty
};

/// Nothing, with diagnostics, if the timeline has no such cycle or resource. `graph` may be null: nothing is known
/// about dependences then.
std::optional<SlotReason> slot_reason(const artifact::Timeline& timeline, const artifact::TaskGraph* graph,
                                      const std::string& resource, std::int64_t cycle, const Location& where,
                                      Diagnostics& diagnostics);

struct Why {
  std::string layer;
  artifact::Explanation explanation;
  std::optional<SlotReason> slot;
};

std::string why_text(const Why& why);
std::string why_json(const Why& why);

}  // namespace convscope::analysis
