#include "core/schedule/modulo_schedule.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/schedule/bounds/bounds.h"
#include "core/schedule/bounds/infeasible.h"
#include "core/schedule/problem/alternatives.h"
#include "core/schedule/problem/malformed.h"
#include "core/schedule/problem/modulo_table.h"
#include "core/schedule/schedulers/component_first.h"
#include "core/schedule/schedulers/exact_modulo.h"
#include "core/schedule/schedulers/iterative_modulo.h"
#include "core/schedule/schedulers/lifetimes.h"
#include "core/schedule/schedulers/stages.h"

namespace convscope::schedule {
namespace {

// The paper's BudgetRatio, and what the patient method may spend on an operation.
constexpr int published_tries = 6, patient_tries = 24;
// Of exact search while there is no schedule yet, and of the last word.
constexpr ExactLimits quick_limits{60'000, 2'000}, patient_limits{1'000'000, 50'000};
constexpr std::int64_t rigid_literals = 24;  // for an operation, in the mean

// From there on, iterations need not overlap at all.
std::int64_t enough(const Problem& problem) {
  std::int64_t sum = 1;
  for (const Dependence& d : problem.dependences) sum += std::max(d.distance, 0);
  for (const Operation& operation : problem.operations) {
    if (operation.uses.empty()) continue;
    const auto [low, high] = std::minmax_element(operation.uses.begin(), operation.uses.end(),
                                                 [](const auto& a, const auto& b) { return a.offset < b.offset; });
    sum += std::int64_t{high->offset} - low->offset + 1;
  }
  return sum;
}

// One problem on its way through the portfolio.
class Portfolio {
 public:
  Portfolio(const Problem& problem, const PipelineOptions& options, Budget& budget)
      : problem_(problem), graph_(problem), options_(options), budget_(budget) {}

  PipelineResult run() {
    if (auto failure = infeasible_operation(problem_)) return *std::move(failure);
    if (auto failure = find_bound()) return *std::move(failure);
    if (auto failure = find_any()) return *std::move(failure);
    if (options_.prove) search_open();
    return concluded();
  }

 private:
  std::optional<Failure> find_bound() {
    int resource = -1;
    certificate_.bound = std::max<std::int64_t>(1, options_.smallest_interval);
    const std::int64_t by_resources = resource_bound(problem_, &resource);
    if (by_resources >= certificate_.bound && resource >= 0) {
      certificate_.bound = by_resources;
      certificate_.kind = BoundKind::resource;
      certificate_.resources = {resource};
    }
    const std::int64_t bound = recurrence_bound(graph_, certificate_.bound, certificate_.circle);
    if (bound == no_interval) return infeasible_circle(problem_);
    if (bound > certificate_.bound) certificate_ = {0, bound, BoundKind::recurrence, {}, certificate_.circle, {}};
    return std::nullopt;
  }

  Failure too_many_rows(std::int64_t interval) const {
    return {FailureKind::interval_limit,
            fmt::format("an interval of {} cycles for {} resources asks for a table of more than {} places", interval,
                        problem_.resources.size(), ModuloTable::most_places)};
  }

  // The first interval from the bound on where a method succeeds.
  std::optional<Failure> find_any() {
    const std::int64_t bound = certificate_.bound;
    const std::int64_t largest =
        options_.largest_interval > 0 ? options_.largest_interval : std::max(bound, enough(problem_));
    largest_ = largest;
    if (!ModuloTable::can_hold(problem_, bound)) return too_many_rows(bound);
    for (std::int64_t interval = bound; interval <= largest && below_best(interval); ++interval) {
      if (!ModuloTable::can_hold(problem_, interval)) return too_many_rows(interval);
      const Answer answer = budget_.left() > 0 ? look(interval) : Answer::open;
      if (answer == Answer::found) return std::nullopt;
      if (answer == Answer::open) open_.push_back(interval);
      if (budget_.left() > 0) continue;
      if (best_) return std::nullopt;
      return budget_.failure();
    }
    if (best_) return std::nullopt;
    return Failure{FailureKind::interval_limit, fmt::format("no schedule at intervals from {} to {}{}", bound, largest,
                                                            open_.empty() ? ": proven by search" : " was found")};
  }

  bool below_best(std::int64_t interval) const { return !best_ || interval < best_->schedule.initiation_interval; }

  // A schedule by iterative modulo scheduling alone, as cheap as it is: doubling steps away from the bound, then
  // halving the last one, and in the end every interval from the bound on, as published. So whatever patient methods
  // spend then, there is a schedule, and none above what that method reaches while the budget lasts.
  void find_as_published(std::int64_t bound) {
    std::int64_t low = bound;
    for (std::int64_t step = 1; !best_ && low < largest_ && budget_.left() > 0; step *= 2) {
      const std::int64_t interval = std::min(largest_, low + step);
      if (!ModuloTable::can_hold(problem_, interval)) return;
      if (!as_published(interval)) low = interval;
    }
    while (best_ && best_->schedule.initiation_interval - low > 1 && budget_.left() > 0) {
      const std::int64_t middle = low + (best_->schedule.initiation_interval - low) / 2;
      if (!as_published(middle)) low = middle;
    }
    for (std::int64_t interval = bound; below_best(interval) && interval <= largest_ && budget_.left() > 0;
         ++interval) {
      if (!ModuloTable::can_hold(problem_, interval)) return;
      if (!tried_.contains(interval) && as_published(interval)) return;
    }
  }

  // What stayed open below the best, from below, with all that the budget has.
  void search_open() {
    std::vector<std::int64_t> still_open;
    for (const std::int64_t interval : std::exchange(open_, {})) {
      if (!below_best(interval)) break;
      const Answer answer = budget_.left() > 0 ? search(interval) : Answer::open;
      if (answer == Answer::found) break;
      if (answer == Answer::open) still_open.push_back(interval);
    }
    open_ = std::move(still_open);
  }

  enum class Answer { found, impossible, open };
  bool found(const Result& result, const char* method) {
    if (result) best_ = Pipelined{result.schedule(), {}, 0, 0, method};
    return static_cast<bool>(result);
  }

  Answer exactly(const AtInterval& at_interval, const ExactLimits& limits) {
    const ExactAnswer exact = exact_modulo_at(at_interval, limits, budget_);
    if (exact.kind == ExactAnswer::Kind::impossible) return Answer::impossible;
    return exact.schedule && found(*exact.schedule, "satisfiability") ? Answer::found : Answer::open;
  }

  Answer search(std::int64_t interval) {
    const RecurrenceWindows windows(graph_, interval);
    return exactly({problem_, graph_, windows, interval}, patient_limits);
  }

  bool in_order(const AtInterval& at_interval) {
    return found(topological(at_interval, budget_), "topological order") ||
           found(component_first(at_interval, budget_), "component first");
  }
  bool as_published(std::int64_t interval) {
    if (infeasible_operation(problem_, interval)) return false;
    tried_.insert(interval);
    return found(iterative_modulo_at(problem_, graph_, interval, published_tries, budget_), "iterative modulo");
  }

  Answer look(std::int64_t interval) {
    if (infeasible_operation(problem_, interval)) return Answer::impossible;
    const RecurrenceWindows windows(graph_, interval);
    const AtInterval at_interval{problem_, graph_, windows, interval};
    if (in_order(at_interval)) return Answer::found;
    // Where recurrences leave little freedom, an exact search is quicker than others that fail.
    const bool rigid = options_.prove && literals_of(at_interval) <=
                                             rigid_literals * static_cast<std::int64_t>(problem_.operations.size());
    if (const Answer answer = rigid ? exactly(at_interval, quick_limits) : Answer::open; answer != Answer::open)
      return answer;
    if (!best_) find_as_published(interval);
    if (best_ && best_->schedule.initiation_interval == interval) return Answer::found;
    if (!tried_.contains(interval) && as_published(interval)) return Answer::found;
    if (found(ejection(at_interval, patient_tries, budget_), "ejection")) return Answer::found;
    return options_.prove && !rigid ? exactly(at_interval, quick_limits) : Answer::open;
  }

  Pipelined concluded() {
    Pipelined result = *std::move(best_);
    result.schedule = with_fewest_stages(graph_, result.schedule);
    if (options_.least_lifetime)
      if (auto shorter = with_least_lifetime(problem_, result.schedule, budget_)) result.schedule = *std::move(shorter);
    result.stages = stages_of(result.schedule);
    result.lifetime = total_lifetime(problem_, result.schedule);
    result.certificate = certificate_;
    result.certificate.interval = result.schedule.initiation_interval;
    std::erase_if(open_, [&](std::int64_t interval) { return interval >= result.certificate.interval; });
    const std::int64_t proven = open_.empty() ? result.certificate.interval : open_.front();
    if (proven > certificate_.bound) {
      result.certificate.bound = proven;
      result.certificate.kind = BoundKind::exhausted;
    }
    if (!result.certificate.optimal())
      result.certificate.reason = fmt::format("of the intervals from {} on, at least {} stayed open within {} steps",
                                              proven, open_.size(), budget_.taken());
    return result;
  }

  const Problem& problem_;
  Graph graph_;
  PipelineOptions options_;
  Budget& budget_;
  Certificate certificate_;
  std::int64_t largest_ = 0;  // interval to look at
  std::optional<Pipelined> best_;
  std::set<std::int64_t> tried_;    // intervals at which iterative modulo scheduling was asked
  std::vector<std::int64_t> open_;  // intervals without schedule or proof, ascending
};

}  // namespace

PipelineResult modulo_schedule(const Problem& problem, const PipelineOptions& options, Budget& budget) {
  if (auto failure = malformed(problem)) return *std::move(failure);
  if (!has_choices(problem)) return Portfolio(problem, options, budget).run();
  auto plain = without_choices(problem);
  if (auto* failure = std::get_if<Failure>(&plain)) return *std::move(failure);
  const auto& [expanded, members] = *std::get_if<PlainProblem>(&plain);
  PipelineResult result = Portfolio(expanded, options, budget).run();
  if (!result) return result;
  Pipelined pipelined = result.pipelined();
  auto& resources = pipelined.certificate.resources;
  if (!resources.empty()) resources = members[static_cast<std::size_t>(resources.front())];
  return pipelined;
}

}  // namespace convscope::schedule
