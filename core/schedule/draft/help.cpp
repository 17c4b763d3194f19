#include "core/schedule/draft/help.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/integers.h"
#include "core/schedule/draft/draft_rules.h"
#include "core/schedule/draft/one_interval.h"
#include "core/schedule/modulo_schedule.h"
#include "core/schedule/verify/verify.h"

namespace convscope::schedule {
namespace {

std::vector<int> placed_operations(const Draft& draft) {
  std::vector<int> result;
  for (int i = 0; i < draft.problem->operations(); ++i)
    if (draft.is_placed(i)) result.push_back(i);
  return result;
}

// The distance of two operations as the draft has it, in both directions.
void tie_to(Problem& problem, const Draft& draft, int one, int other) {
  const auto distance = static_cast<int>(draft.cycle(other) - draft.cycle(one));
  problem.dependences.push_back({one, other, distance, 0, false});
  problem.dependences.push_back({other, one, -distance, 0, false});
}

// A schedule of this, moved as a whole, is one of the draft in which `kept` stay where they are; and the other way
// round.
Problem with_kept(const Draft& draft, const std::vector<int>& kept) {
  Problem problem = draft.problem->plain();
  for (std::size_t i = 1; i < kept.size(); ++i) tie_to(problem, draft, kept[i - 1], kept[i]);
  return problem;
}

OneInterval answer_with(const Draft& draft, const std::vector<int>& kept, Budget& budget) {
  return schedule_at(with_kept(draft, kept), draft.interval(), budget);
}

// Nothing if the draft's verifier disagrees, which would be a fault of the search.
std::optional<Draft> filled(const Draft& draft, const std::vector<int>& kept, Schedule schedule) {
  if (!kept.empty()) {
    const std::int64_t by = draft.cycle(kept.front()) - schedule.cycles[at(kept.front())];
    for (std::int64_t& cycle : schedule.cycles) cycle += by;
  }
  const bool far = std::any_of(schedule.cycles.begin(), schedule.cycles.end(),
                               [](std::int64_t cycle) { return cycle < -furthest_cycle || cycle > furthest_cycle; });
  if (far || schedule.initiation_interval > longest_interval || !verify(draft.problem->problem(), schedule).empty())
    return std::nullopt;
  return Draft{draft.problem, std::move(schedule)};
}

// Leaves out whatever isn't needed for the conflict, in ever smaller parts. True if none of the rest can be left out.
bool reduce(const Draft& draft, std::vector<int>& conflict, Budget& budget) {
  for (std::size_t part = std::max<std::size_t>(1, conflict.size() / 2);; part = part / 2) {
    for (std::size_t begin = 0; begin < conflict.size();) {
      if (budget.left() == 0) return false;
      std::vector<int> fewer(conflict.begin(), conflict.begin() + static_cast<std::ptrdiff_t>(begin));
      const std::size_t end = std::min(conflict.size(), begin + part);
      fewer.insert(fewer.end(), conflict.begin() + static_cast<std::ptrdiff_t>(end), conflict.end());
      const OneInterval answer = answer_with(draft, fewer, budget);
      if (answer.kind == OneInterval::Kind::open) return false;
      if (answer.kind == OneInterval::Kind::impossible)
        conflict = std::move(fewer);
      else
        begin = end;
    }
    if (part <= 1) return true;
  }
}

Help broken(const Draft& draft, const std::vector<DraftViolation>& found) {
  Help help{Help::Kind::broken, {}, {}, false, {}};
  for (const DraftViolation& violation : found)
    if (help.conflict.empty() || help.conflict.back() != violation.operation)
      help.conflict.push_back(violation.operation);
  help.text = "What is placed already breaks rules: " + violation_text(draft, found.front());
  return help;
}

std::string names_of(const Draft& draft, const std::vector<int>& operations) {
  std::string text;
  constexpr std::size_t shown = 6;
  for (std::size_t i = 0; i < operations.size() && i < shown; ++i)
    text += fmt::format("{}'{}' in cycle {}", i == 0 ? "" : ", ",
                        draft.problem->problem().operations[at(operations[i])].name, draft.cycle(operations[i]));
  return operations.size() > shown ? text + fmt::format(" and {} more", operations.size() - shown) : text;
}

Help impossible(const Draft& draft, const std::vector<int>& kept, const std::string& why, Budget& budget) {
  Help help{Help::Kind::impossible, {}, {}, true, {}};
  const OneInterval alone = answer_with(draft, {}, budget);
  if (alone.kind == OneInterval::Kind::impossible) {
    help.text = fmt::format("Proven: no schedule has an interval of {}. {}", draft.interval(), alone.text);
    return help;
  }
  help.conflict = kept;
  help.is_minimal = reduce(draft, help.conflict, budget);
  help.text = fmt::format("Proven: with {} placed as they are, the rest can't follow at an interval of {}. {}",
                          names_of(draft, help.conflict), draft.interval(), why);
  if (help.is_minimal && help.conflict.size() > 1) help.text += " Without any one of them it can.";
  return help;
}

Help unknown(const OneInterval& answer) {
  return {Help::Kind::open, {}, {}, false, "Neither a schedule nor a proof was found: " + answer.text};
}

// A whole schedule at some interval, all of its operations free.
Help at_interval(const Draft& draft, std::int64_t interval, Budget& budget) {
  const OneInterval answer = schedule_at(draft.problem->plain(), interval, budget);
  if (answer.kind == OneInterval::Kind::impossible) return {Help::Kind::impossible, {}, {}, true, answer.text};
  if (answer.kind == OneInterval::Kind::open) return unknown(answer);
  std::optional<Draft> next = filled(draft, {}, *answer.schedule);
  if (!next) return unknown({OneInterval::Kind::open, {}, "what was found lies beyond the draft's limits."});
  return {Help::Kind::found,
          std::move(next),
          {},
          false,
          fmt::format("Interval {} instead of {}.", interval, draft.interval())};
}

Help smaller(const Draft& draft, Budget& budget) {
  std::string last = fmt::format("{}.", draft.problem->bound_text());
  for (std::int64_t interval = draft.interval() - 1; interval >= draft.problem->bound(); --interval) {
    Help help = at_interval(draft, interval, budget);
    if (help.kind != Help::Kind::impossible) return help;
    last = help.text;
  }
  return {Help::Kind::impossible,
          {},
          {},
          true,
          fmt::format("Proven: no schedule has an interval below {}. {}", draft.interval(), last)};
}

Help larger(const Draft& draft, Budget& budget) {
  const PipelineOptions options{.smallest_interval = draft.interval() + 1, .largest_interval = longest_interval};
  const PipelineResult result = modulo_schedule(draft.problem->plain(), options, budget);
  if (!result) return {Help::Kind::open, {}, {}, false, result.failure().message};
  const Schedule& schedule = result.pipelined().schedule;
  std::optional<Draft> next = filled(draft, {}, schedule);
  if (!next) return {Help::Kind::open, {}, {}, false, "What was found lies beyond the draft's limits."};
  return {Help::Kind::found,
          std::move(next),
          {},
          false,
          fmt::format("Interval {} is impossible; {} can be met.", draft.interval(), schedule.initiation_interval)};
}

// The operation that breaks most rules.
int worst(const std::vector<DraftViolation>& found) {
  int result = found.front().operation;
  std::ptrdiff_t most = 0;
  for (std::size_t i = 0; i < found.size();) {
    const auto begin = found.begin() + static_cast<std::ptrdiff_t>(i);
    const auto end = std::find_if(begin, found.end(), [&](const auto& v) { return v.operation != begin->operation; });
    if (end - begin > most) most = end - begin, result = begin->operation;
    i += static_cast<std::size_t>(end - begin);
  }
  return result;
}

}  // namespace

Help place_rest(const Draft& draft, Budget& budget) {
  if (const auto found = violations(draft); !found.empty()) return broken(draft, found);
  const std::vector<int> kept = placed_operations(draft);
  const OneInterval answer = answer_with(draft, kept, budget);
  if (answer.kind == OneInterval::Kind::impossible) return impossible(draft, kept, answer.text, budget);
  if (answer.kind == OneInterval::Kind::open) return unknown(answer);
  std::optional<Draft> next = filled(draft, kept, *answer.schedule);
  if (!next) return unknown({OneInterval::Kind::open, {}, "what was found lies beyond the draft's limits."});
  const int added = next->placed() - static_cast<int>(kept.size());
  return {Help::Kind::found, std::move(next), {}, false, fmt::format("{} operations placed.", added)};
}

Help next_better(const Draft& draft, Budget& budget) {
  if (draft.complete() && violations(draft).empty()) return smaller(draft, budget);
  Draft fewer = draft;
  int taken_out = 0;
  const auto take_out = [&](int operation) {
    for (const int each : with_tied(*draft.problem, {operation})) {
      taken_out += fewer.is_placed(each) ? 1 : 0;
      fewer.schedule.cycles[at(each)] = unplaced;
    }
  };
  for (auto found = violations(fewer); !found.empty(); found = violations(fewer)) {
    if (!budget.take(fewer.problem->operations())) return {Help::Kind::open, {}, {}, false, budget.failure().message};
    take_out(worst(found));
  }
  while (true) {
    Help help = place_rest(fewer, budget);
    if (help.kind == Help::Kind::impossible && help.conflict.empty()) return larger(draft, budget);
    if (help.kind != Help::Kind::impossible) {
      if (help.kind == Help::Kind::found && taken_out > 0)
        help.text =
            fmt::format("Completed at interval {}; {} placed operations had to give way.", fewer.interval(), taken_out);
      return help;
    }
    take_out(help.conflict.back());
  }
}

}  // namespace convscope::schedule
