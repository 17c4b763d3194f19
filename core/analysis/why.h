#pragma once
// Why a layer is as fast as it is, and why an operation or a slot of its schedule is as it is: what `convscope-cli why`
// prints and the window's why panel shows.

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
  std::string occupant;                  ///< operation that stands there; empty if none does
  std::int64_t iteration = -1;           ///< of the occupant
  std::vector<std::string> lines;        ///< what can be proved about it; may be empty
  artifact::OperationKey operation = 0;  ///< the occupant's
  artifact::OperationClass looks = artifact::OperationClass::other;  ///< the occupant's
};

/// Nothing, with diagnostics, if the timeline has no such cycle or resource. `graph` may be null: nothing is known
/// about dependences then.
std::optional<SlotReason> slot_reason(const artifact::Timeline& timeline, const artifact::TaskGraph* graph,
                                      const std::string& resource, std::int64_t cycle, const Location& where,
                                      Diagnostics& diagnostics);
/// Of every resource in that cycle, in the timeline's order.
std::vector<SlotReason> slot_reasons(const artifact::Timeline& timeline, const artifact::TaskGraph* graph,
                                     std::int64_t cycle, const Location& where, Diagnostics& diagnostics);

/// How far an operation could move alone, and what holds it where it is.
struct OperationReason {
  std::string name;
  std::vector<std::string> lines;
};

/// Nothing if the graph has no such operation.
std::optional<OperationReason> operation_reason(const artifact::TaskGraph& graph, artifact::OperationKey operation);

/// A parameter of the machine whose change helps: measured by compiling again (core/explore/sensitivity).
struct HelpfulChange {
  std::string parameter, from, to;
  double gain = 0;  ///< part of the layer's time that it saves
};

struct Why {
  std::string layer;
  artifact::Explanation explanation;
  Quantity cycles{0, "cycles", Origin::derived};  ///< what the layer takes; 0 if it isn't mapped
  std::optional<OperationReason> operation;
  std::vector<SlotReason> at_cycle;  ///< of the cycle that is asked about
  std::vector<HelpfulChange> helps;  ///< the one that saves most first
};

/// What would bind if the resource that binds took no time: the largest of the bounds that another resource gives. A
/// bound's kind begins with the word of its resource. Null if there is none.
const artifact::ExplainedBound* next_to_bind(const artifact::Explanation& explanation);

/// One thing that is told, in the order of telling.
struct WhyLine {
  enum class Kind {
    summary,
    takes,    ///< what the layer takes
    binding,  ///< the bound that binds
    bound,
    next,      ///< what would bind next
    helps,     ///< a change of the machine
    rejected,  ///< an alternative that wasn't taken
    operation,
    taken,  ///< a slot in which an operation stands
    empty   ///< a slot in which none does
  } kind = Kind::summary;
  std::string name;                      ///< layer, resource, alternative, operation
  std::vector<std::string> words;        ///< one at least
  double cycles = -1;                    ///< of a bound, and of what it takes: how long its bar is; negative: none
  std::int64_t cycle = -1;               ///< of a slot
  artifact::OperationKey operation = 0;  ///< in a slot
  artifact::OperationClass looks = artifact::OperationClass::other;  ///< of the operation
};

std::vector<WhyLine> why_lines(const Why& why);

/// The lines for people, one after the other.
std::string why_text(const Why& why);
std::string why_json(const Why& why);

}  // namespace convscope::analysis
