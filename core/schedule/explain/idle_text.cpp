#include "core/schedule/explain/idle_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/schedule/explain/idle_slot.h"

namespace convscope::schedule {
namespace {

/// "12,345": grouped by thousands.
std::string count_text(std::int64_t value) {
  std::string text = fmt::format("{}", value);
  for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > (value < 0 ? 1 : 0); at -= 3)
    text.insert(static_cast<std::size_t>(at), 1, ',');
  return text;
}

std::string busy_line(const IdleReason& reason, const std::string& resource) {
  if (reason.busy == 0) return fmt::format("no operation of the loop uses {}", resource);
  return fmt::format("{} works in {} of the loop's {} cycles", resource, count_text(reason.busy),
                     count_text(reason.length));
}

std::string full_line(const std::vector<std::string>& full) {
  return fmt::format("the loop can't be shorter: {} work{} in every cycle", fmt::join(full, ", "),
                     full.size() == 1 ? "s" : "");
}

std::string movable_line(const IdleReason& reason) {
  const std::string who = reason.movable.size() == 1 ? fmt::format("'{}'", reason.movable.front())
                                                     : fmt::format("any of {} operations", reason.movable.size());
  return fmt::format("dependences alone would let {} stand here; the loop would be no shorter", who);
}

std::string held_line(const IdleReason::Held& held, const std::string& resource) {
  return fmt::format("no operation of {} may stand here: '{}', for one, must follow '{}' and go before '{}'", resource,
                     held.operation, held.after, held.before);
}

std::string in_loop(const IdleReason& reason, const artifact::Timeline& timeline, int resource) {
  const auto name = [&](int index) { return timeline.resources()[static_cast<std::size_t>(index)]; };
  std::vector<std::string> lines{busy_line(reason, name(resource))}, full;
  for (const int index : reason.full) full.push_back(name(index));
  if (!full.empty()) lines.push_back(full_line(full));
  if (!reason.movable.empty()) lines.push_back(movable_line(reason));
  if (reason.held) lines.push_back(held_line(*reason.held, name(resource)));
  return fmt::format("{}", fmt::join(lines, "\n"));
}

}  // namespace

std::string idle_text(const artifact::Timeline& timeline, const artifact::TaskGraph* graph, int resource,
                      std::int64_t cycle) {
  const IdleReason reason = idle_reason(timeline, graph, resource, cycle);
  switch (reason.slot) {
    case IdleReason::Slot::unknown:
      return {};
    case IdleReason::Slot::before_first:
      return fmt::format("its first iteration has not come so far: '{}' stands in this slot from cycle {} on",
                         reason.occupant, count_text(reason.occupied));
    case IdleReason::Slot::after_last:
      return fmt::format("its last iteration is done: '{}' stood in this slot until cycle {}", reason.occupant,
                         count_text(reason.occupied));
    case IdleReason::Slot::in_loop:
      return in_loop(reason, timeline, resource);
  }
  return {};
}

}  // namespace convscope::schedule
