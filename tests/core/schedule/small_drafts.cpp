#include "tests/core/schedule/small_drafts.h"

#include <utility>
#include <variant>
#include <vector>

#include "tests/core/schedule/random_problems.h"

namespace convscope::schedule::test {
namespace {

std::int64_t row_of(std::int64_t cycle, std::int64_t interval) {
  return ((cycle % interval) + interval) % interval;
}

class Completion {
 public:
  Completion(const Draft& draft, std::int64_t looks)
      : problem_(draft.problem->problem()),
        interval_(draft.schedule.initiation_interval),
        looks_(looks),
        cycles_(draft.schedule.cycles) {
    users_.assign(static_cast<std::size_t>(interval_), std::vector<int>(problem_.resources.size(), 0));
    for (std::size_t i = 0; i < cycles_.size(); ++i) (cycles_[i] == unplaced ? open_ : order_).push_back(i);
    fixed_ = order_.size();
    for (const std::int64_t cycle : cycles_) is_fixed_.push_back(cycle != unplaced);
    order_.insert(order_.end(), open_.begin(), open_.end());
  }

  std::optional<bool> run() {
    const bool found = place(0);
    if (looks_ <= 0) return std::nullopt;
    return found;
  }

 private:
  bool place(std::size_t position) {
    if (position == order_.size()) return stages_exist(position);
    const std::size_t operation = order_[position];
    if (position < fixed_) return use(position, 0, cycles_[operation]);
    for (std::int64_t row = 0; row < interval_ && --looks_ > 0; ++row) {
      cycles_[operation] = row;
      if (stages_exist(position + 1) && use(position, 0, row)) return true;
    }
    cycles_[operation] = unplaced;
    return false;
  }

  bool use(std::size_t position, std::size_t index, std::int64_t cycle) {
    const auto& uses = problem_.operations[order_[position]].uses;
    if (index == uses.size()) return place(position + 1);
    const auto asked = static_cast<std::size_t>(uses[index].resource);
    std::vector<int> options = problem_.resources[asked].any_of;
    if (options.empty()) options.push_back(uses[index].resource);
    auto& row = users_[static_cast<std::size_t>(row_of(cycle + uses[index].offset, interval_))];
    for (const int option : options) {
      const auto unit = static_cast<std::size_t>(option);
      if (row[unit] >= problem_.resources[unit].capacity) continue;
      ++row[unit];
      if (use(position, index + 1, cycle)) return true;
      --row[unit];
    }
    return false;
  }

  // Those among the first `count` that may move, move by whole intervals; placed ones can't.
  bool stages_exist(std::size_t count) {
    constexpr std::int64_t low = 80, high = 160;  // cycles that no small draft goes beyond
    std::vector<std::int64_t> cycle(cycles_.size(), unplaced);
    for (std::size_t i = 0; i < count; ++i) {
      const std::int64_t own = cycles_[order_[i]];
      cycle[order_[i]] = i < fixed_ ? own : row_of(own, interval_) - (low / interval_) * interval_;
    }
    for (bool changed = true; changed;) {
      changed = false;
      if (--looks_ <= 0) return false;
      for (const Dependence& d : problem_.dependences) {
        const auto from = static_cast<std::size_t>(d.from), to = static_cast<std::size_t>(d.to);
        if (cycle[from] == unplaced || cycle[to] == unplaced) continue;
        const std::int64_t earliest = cycle[from] + d.distance - d.iterations * interval_;
        if (cycle[to] >= earliest) continue;
        if (is_fixed_[to] || cycle[to] > high) return false;
        while (cycle[to] < earliest) cycle[to] += interval_;
        changed = true;
      }
    }
    return true;
  }

  const Problem& problem_;
  std::int64_t interval_, looks_;
  std::vector<std::int64_t> cycles_;
  std::vector<std::size_t> order_, open_;
  std::vector<bool> is_fixed_;
  std::size_t fixed_ = 0;
  std::vector<std::vector<int>> users_;  // by row and resource
};

}  // namespace

std::shared_ptr<const DraftProblem> random_draft_problem(int operations, std::mt19937_64& random) {
  auto made = DraftProblem::make(random_small_problem(operations, random));
  auto* problem = std::get_if<std::shared_ptr<const DraftProblem>>(&made);
  return problem == nullptr ? nullptr : *problem;
}

Draft random_draft(std::shared_ptr<const DraftProblem> problem, std::mt19937_64& random) {
  Draft draft = empty_draft(std::move(problem), 1 + static_cast<std::int64_t>(random() % 8));
  const std::uint64_t share = random() % 4;
  for (std::int64_t& cycle : draft.schedule.cycles) {
    const bool placed = random() % 6 < share;
    const auto at = static_cast<std::int64_t>(random() % 14) - 3;
    if (placed) cycle = at;
  }
  return draft;
}

std::optional<bool> can_be_completed(const Draft& draft, std::int64_t looks) {
  return Completion(draft, looks).run();
}

}  // namespace convscope::schedule::test
