#include "core/schedule/draft/draft_rules.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "core/base/integers.h"

namespace convscope::schedule {
namespace {

using Rule = DraftViolation::Rule;

/// First cycle that a dependence allows its end, and last that it allows its start.
std::int64_t soonest(const Draft& draft, const Dependence& d, std::int64_t from) {
  return from + d.distance - d.iterations * draft.interval();
}
std::int64_t latest(const Draft& draft, const Dependence& d, std::int64_t to) {
  return to - d.distance + d.iterations * draft.interval();
}

void add_broken(const Draft& draft, std::vector<DraftViolation>& result) {
  const auto& dependences = draft.problem->problem().dependences;
  for (std::size_t i = 0; i < dependences.size(); ++i) {
    const Dependence& d = dependences[i];
    if (!draft.is_placed(d.from) || !draft.is_placed(d.to)) continue;
    const std::int64_t earliest = soonest(draft, d, draft.cycle(d.from));
    if (draft.cycle(d.to) >= earliest) continue;
    const auto index = static_cast<int>(i);
    result.push_back({Rule::too_early, d.to, d.from, index, -1, 0, earliest, 0});
    if (d.to != d.from)
      result.push_back({Rule::too_late, d.from, d.to, index, -1, 0, latest(draft, d, draft.cycle(d.to)), 0});
  }
}

/// A unit that a placed operation takes.
struct Taken {
  int resource = 0;
  std::int64_t row = 0;
  int operation = 0;
};

void add_overused(const Draft& draft, std::vector<DraftViolation>& result) {
  const Problem& problem = draft.problem->plain();
  std::vector<Taken> taken;
  for (int i = 0; i < draft.problem->operations(); ++i)
    if (draft.is_placed(i))
      for (const ResourceUse& use : problem.operations[at(i)].uses)
        taken.push_back({use.resource, draft.row(draft.cycle(i) + use.offset), i});
  const auto place = [](const Taken& t) { return std::pair(t.resource, t.row); };
  std::stable_sort(taken.begin(), taken.end(), [&](const Taken& a, const Taken& b) { return place(a) < place(b); });
  for (std::size_t i = 0, end = 0; i < taken.size(); i = end) {
    while (end < taken.size() && place(taken[end]) == place(taken[i])) ++end;
    const int capacity = problem.resources[at(taken[i].resource)].capacity;
    if (static_cast<std::int64_t>(end - i) <= capacity) continue;
    for (std::size_t k = i; k < end; ++k) {
      if (k > i && taken[k].operation == taken[k - 1].operation) continue;
      const int other = taken[k].operation == taken[i].operation ? taken[end - 1].operation : taken[i].operation;
      result.push_back({Rule::taken, taken[k].operation, other, -1, taken[k].resource, taken[k].row, capacity,
                        static_cast<std::int64_t>(end - i)});
    }
  }
}

std::string quoted_name(const Draft& draft, int operation) {
  return fmt::format("'{}'", draft.problem->problem().operations[at(operation)].name);
}

std::string cycles_text(std::int64_t cycles) {
  return fmt::format("{} cycle{}", cycles, cycles == 1 ? "" : "s");
}

/// What a dependence asks for, e.g. "2 cycles or more after 'x' in cycle 4, of 1 iteration before".
std::string asked(const Draft& draft, const DraftViolation& v, const Dependence& d) {
  const bool early = v.rule == Rule::too_early;
  std::string text;
  if (d.distance >= 0)
    text = fmt::format("{} or more {} {}", cycles_text(d.distance), early ? "after" : "before",
                       quoted_name(draft, v.other));
  else
    text = fmt::format("at most {} {} {}", cycles_text(-std::int64_t{d.distance}), early ? "before" : "after",
                       quoted_name(draft, v.other));
  text += fmt::format(" in cycle {}", draft.cycle(v.other));
  if (d.iterations == 0) return text;
  const std::int64_t apart = std::abs(std::int64_t{d.iterations});
  return text + fmt::format(", which belongs to {} iteration{} {}", apart, apart == 1 ? "" : "s",
                            early == (d.iterations > 0) ? "before" : "later");
}

}  // namespace

std::vector<DraftViolation> violations(const Draft& draft) {
  std::vector<DraftViolation> result;
  add_broken(draft, result);
  add_overused(draft, result);
  std::stable_sort(result.begin(), result.end(),
                   [](const DraftViolation& a, const DraftViolation& b) { return a.operation < b.operation; });
  return result;
}

std::string violation_text(const Draft& draft, const DraftViolation& v) {
  const std::string name = quoted_name(draft, v.operation);
  if (v.rule == Rule::taken)
    return fmt::format(
        "{} in cycle {}: '{}' is used {} times in row {}, also by {}; it has {}. Move one of them to "
        "another row.",
        name, draft.cycle(v.operation), draft.problem->plain().resources[at(v.resource)].name, v.uses, v.row,
        quoted_name(draft, v.other), v.limit);
  const Dependence& d = draft.problem->problem().dependences[at(v.dependence)];
  if (d.from == d.to)
    return fmt::format("{} waits for itself, {} later: the interval must be {} at least.", name,
                       d.iterations == 1 ? "one iteration" : fmt::format("{} iterations", d.iterations),
                       d.iterations > 0 ? divide_up(d.distance, d.iterations) : d.distance);
  const bool early = v.rule == Rule::too_early;
  return fmt::format("{} in cycle {} is too {}: it must be {}. Cycle {} or {} would do.", name,
                     draft.cycle(v.operation), early ? "early" : "late", asked(draft, v, d), v.limit,
                     early ? "later" : "earlier");
}

Slack slack(const Draft& draft, int operation) {
  Slack result;
  const std::int64_t own = draft.cycle(operation);
  for (const int index : draft.problem->incoming(operation)) {
    const Dependence& d = draft.problem->problem().dependences[at(index)];
    if (d.from == operation || !draft.is_placed(d.from)) continue;
    const std::int64_t by = soonest(draft, d, draft.cycle(d.from)) - own;
    if (!result.earlier || by > *result.earlier) result.earlier = by;
  }
  for (const int index : draft.problem->outgoing(operation)) {
    const Dependence& d = draft.problem->problem().dependences[at(index)];
    if (d.to == operation || !draft.is_placed(d.to)) continue;
    const std::int64_t by = latest(draft, d, draft.cycle(d.to)) - own;
    if (!result.later || by < *result.later) result.later = by;
  }
  return result;
}

LegalSlots::LegalSlots(const Draft& draft, std::vector<Place> carried) : interval_(draft.interval()) {
  const Problem& problem = draft.problem->plain();
  std::map<int, std::int64_t> cycles;  // of those that are carried
  for (const Place& place : carried) cycles[place.operation] = place.cycle;
  first_ = -2 * furthest_cycle, last_ = 2 * furthest_cycle;
  for (const auto& [operation, cycle] : cycles) {
    first_ = std::max(first_, -furthest_cycle - cycle), last_ = std::min(last_, furthest_cycle - cycle);
    for (const int index : draft.problem->incoming(operation)) {
      const Dependence& d = problem.dependences[at(index)];
      if (const auto other = cycles.find(d.from); other != cycles.end())
        fits_itself_ = fits_itself_ && cycle >= soonest(draft, d, other->second);
      else if (draft.is_placed(d.from))
        first_ = std::max(first_, soonest(draft, d, draft.cycle(d.from)) - cycle);
    }
    for (const int index : draft.problem->outgoing(operation)) {
      const Dependence& d = problem.dependences[at(index)];
      if (!cycles.contains(d.to) && draft.is_placed(d.to))
        last_ = std::min(last_, latest(draft, d, draft.cycle(d.to)) - cycle);
    }
  }
  // Only what the carried operations use is counted.
  std::map<std::pair<int, std::int64_t>, int> units;
  std::vector<int> table(problem.resources.size(), -1);
  for (const auto& [operation, cycle] : cycles)
    for (const ResourceUse& use : problem.operations[at(operation)].uses) {
      int& own = table[at(use.resource)];
      if (own < 0) {
        own = static_cast<int>(free_.size() / static_cast<std::size_t>(interval_));
        free_.insert(free_.end(), static_cast<std::size_t>(interval_), problem.resources[at(use.resource)].capacity);
      }
      ++units[{own, row(cycle + use.offset)}];
    }
  for (int i = 0; i < draft.problem->operations(); ++i) {
    if (!draft.is_placed(i) || cycles.contains(i)) continue;
    for (const ResourceUse& use : problem.operations[at(i)].uses)
      if (const int own = table[at(use.resource)]; own >= 0) --free_[place(own, row(draft.cycle(i) + use.offset))];
  }
  for (const auto& [where, count] : units) uses_.push_back({where.first, where.second, count});
}

std::int64_t LegalSlots::row(std::int64_t cycle) const {
  const std::int64_t rest = cycle % interval_;
  return rest < 0 ? rest + interval_ : rest;
}

bool LegalSlots::is_legal(std::int64_t shift) const {
  if (!fits_itself_ || shift < first_ || shift > last_) return false;
  return std::all_of(uses_.begin(), uses_.end(),
                     [&](const Use& use) { return free_[place(use.table, row(use.row + shift))] >= use.units; });
}

DraftFigures figures(const Draft& draft) {
  DraftFigures result{draft.placed(), draft.problem->operations(), draft.interval(), draft.problem->bound(), 0, 0};
  std::optional<std::int64_t> first, last;
  for (const std::int64_t cycle : draft.schedule.cycles) {
    if (cycle == unplaced) continue;
    first = first ? std::min(*first, cycle) : cycle;
    last = last ? std::max(*last, cycle) : cycle;
  }
  if (!first) return result;
  result.length = *last - *first + 1;
  result.stages = divide_up(result.length, draft.interval());
  return result;
}

}  // namespace convscope::schedule
