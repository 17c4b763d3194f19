#include "core/schedule/explain/idle_text.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/grouped.h"
#include "core/schedule/explain/idle_slot.h"

namespace convscope::schedule {
namespace {

std::string names_text(const std::vector<std::string>& names) {
  constexpr std::size_t most = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, names.size()); ++i)
    text += fmt::format("{}'{}'", i == 0 ? "" : i + 1 == names.size() ? " and " : ", ", names[i]);
  return names.size() > most ? text + fmt::format(" and {} more", names.size() - most) : text;
}

std::string busy_line(const IdleReason& reason, const std::string& resource) {
  const char* whole = reason.slot == IdleReason::Slot::in_loop ? "loop" : "run";
  if (reason.busy == 0) return fmt::format("no operation of the {} uses {}", whole, resource);
  return fmt::format("{} works in {} of the {}'s {} cycles", resource, grouped(reason.busy), whole,
                     grouped(reason.length));
}

bool is_shortest(const IdleReason& reason) {
  return !reason.full.empty() || !reason.circle.empty();
}

std::string circle_text(const IdleReason& reason) {
  return fmt::format("dependences lead around in {} cycle{} ({})", grouped(reason.length),
                     reason.length == 1 ? "" : "s", names_text(reason.circle));
}

/// Why the loop isn't shorter, and what it could be if that were otherwise.
std::string length_line(const IdleReason& reason, const std::vector<std::string>& full) {
  if (!is_shortest(reason))
    return fmt::format("dependences and these resources alone would allow a loop of {} cycle{}",
                       grouped(reason.allowed), reason.allowed == 1 ? "" : "s");
  std::string text = "the loop can't be shorter: ";
  if (!full.empty())
    text += fmt::format("{} work{} in every cycle", fmt::join(full, ", "), full.size() == 1 ? "s" : "");
  if (!reason.circle.empty()) return text + (full.empty() ? "" : ", and ") + circle_text(reason);
  if (reason.allowed == 0) return text;
  return text + fmt::format("; were there two {}, the rest would allow {}", full.size() == 1 ? "of it" : "of each",
                            grouped(reason.allowed));
}

std::string movable_line(const IdleReason& reason) {
  const std::string who = reason.movable.size() == 1 ? fmt::format("'{}'", reason.movable.front())
                                                     : fmt::format("any of {} operations", reason.movable.size());
  return fmt::format("dependences alone would let {} stand here{}", who,
                     is_shortest(reason) ? "; the loop would be no shorter" : "");
}

std::string held_line(const IdleReason::Held& held, const std::string& resource) {
  const std::string left = held.earliest == held.latest
                               ? fmt::format("cycle {}", grouped(held.earliest))
                               : fmt::format("cycles {} to {}", grouped(held.earliest), grouped(held.latest));
  return fmt::format(
      "no operation of {} may stand here: '{}', for one, must follow {} and go before {}, which leaves it {} of its "
      "iteration",
      resource, held.operation, names_text(held.after), names_text(held.before), left);
}

void add_neighbours(const IdleReason& reason, std::vector<std::string>& lines) {
  if (reason.last)
    lines.push_back(
        fmt::format("the last before: '{}', until cycle {}", reason.last->label, grouped(reason.last->cycle)));
  if (reason.next)
    lines.push_back(fmt::format("the next: '{}', from cycle {} on", reason.next->label, grouped(reason.next->cycle)));
}

std::string lines_text(const IdleReason& reason, const artifact::Timeline& timeline, int resource) {
  const auto name = [&](int index) { return timeline.resources()[static_cast<std::size_t>(index)]; };
  std::vector<std::string> lines{busy_line(reason, name(resource))}, full;
  for (const int index : reason.full) full.push_back(name(index));
  if (reason.allowed > 0 || !full.empty()) lines.push_back(length_line(reason, full));
  if (!reason.movable.empty()) lines.push_back(movable_line(reason));
  if (reason.held) lines.push_back(held_line(*reason.held, name(resource)));
  add_neighbours(reason, lines);
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
                         reason.occupant, grouped(reason.occupied));
    case IdleReason::Slot::after_last:
      return fmt::format("its last iteration is done: '{}' stood in this slot until cycle {}", reason.occupant,
                         grouped(reason.occupied));
    case IdleReason::Slot::in_loop:
    case IdleReason::Slot::in_run:
      return lines_text(reason, timeline, resource);
  }
  return {};
}

}  // namespace convscope::schedule
