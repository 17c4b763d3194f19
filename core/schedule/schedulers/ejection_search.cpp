#include "core/schedule/schedulers/ejection_search.h"

#include <algorithm>
#include <limits>

namespace convscope::schedule {
namespace {

constexpr std::int64_t nobody_leaves = std::numeric_limits<std::int64_t>::max() / 4;
constexpr std::int64_t most_candidates = 256;
// Far away from what can overflow, and from everything else.
constexpr std::int64_t far = std::numeric_limits<std::int64_t>::max() / 4;

}  // namespace

EjectionSearch::EjectionSearch(const Problem& problem, const Graph& graph, const RecurrenceWindows& windows,
                               std::int64_t interval)
    : graph_(graph),
      windows_(windows),
      table_(problem, interval),
      cycles_(problem.operations.size(), unplaced),
      last_(problem.operations.size(), unplaced),
      weight_(problem.operations.size(), 1),
      rank_(problem.operations.size(), -1) {}

std::uint64_t EjectionSearch::random() {
  random_ ^= random_ << 13;
  random_ ^= random_ >> 7;
  random_ ^= random_ << 17;
  return random_;
}

bool EjectionSearch::place(std::span<const int> operations, const std::vector<std::int64_t>& earliest,
                           std::int64_t placements, Budget& budget) {
  by_rank_.assign(operations.begin(), operations.end());
  for (std::size_t i = 0; i < by_rank_.size(); ++i) {
    rank_[at(by_rank_[i])] = static_cast<int>(i);
    waiting_.push(static_cast<int>(i));
  }
  bool all = true;
  for (; all && !waiting_.empty(); --placements) {
    const int operation = by_rank_[at(waiting_.top())];
    waiting_.pop();
    const Window wanted = window(operation, earliest[at(operation)]);
    std::int64_t cycle = unplaced;
    if (wanted.first <= wanted.last) cycle = table_.first_fit(operation, wanted.first, wanted.last);
    if (cycle == unplaced) cycle = cheapest(operation, wanted, budget);
    all = placements > 0 && cycle != unplaced && budget.take(2);
    if (all) settle(operation, cycle);
  }
  waiting_ = {};
  for (const int operation : by_rank_) rank_[at(operation)] = -1;
  if (!all) remove(operations);
  return all;
}

bool EjectionSearch::place_whole(std::span<const int> operations, const std::vector<std::int64_t>& cycles,
                                 std::int64_t offset, Budget& budget) {
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const std::int64_t cycle = cycles[at(operations[i])] + offset;
    if (!budget.take() || !table_.fits(operations[i], cycle)) {
      remove(operations.first(i));
      return false;
    }
    table_.place(operations[i], cycle);
    cycles_[at(operations[i])] = cycle;
  }
  return true;
}

void EjectionSearch::remove(std::span<const int> operations) {
  for (const int operation : operations)
    if (is_placed(operation)) eject_one(operation);
}

EjectionSearch::Window EjectionSearch::window(int operation, std::int64_t preferred) const {
  const std::int64_t interval = table_.interval();
  Window result{-far, far, -far, far};
  const int anchor = windows_.anchor[at(operation)];
  if (anchor != operation && is_placed(anchor)) {
    result.hard_first = cycles_[at(anchor)] + windows_.earliest[at(operation)];
    result.hard_last = cycles_[at(anchor)] + windows_.latest[at(operation)];
  }
  result.first = result.hard_first, result.last = result.hard_last;
  for (const Edge& edge : graph_.inner.into[at(operation)])
    if (edge.other != operation && is_placed(edge.other))
      result.first = std::max(result.first, cycles_[at(edge.other)] + edge.length(interval));
  for (const Edge& edge : graph_.inner.out[at(operation)])
    if (edge.other != operation && is_placed(edge.other))
      result.last = std::min(result.last, cycles_[at(edge.other)] - edge.length(interval));
  if (result.first == -far) result.first = result.last == far ? preferred : result.last - interval + 1;
  return result;
}

std::int64_t EjectionSearch::cost_of(int operation) const {
  if (rank_[at(operation)] < 0) return nobody_leaves;
  // All of a component leaves with its anchor.
  const bool anchors_others = windows_.anchor[at(operation)] == operation;
  const auto members = graph_.components.members[at(graph_.components.of[at(operation)])].size();
  return weight_[at(operation)] * (anchors_others ? static_cast<std::int64_t>(members) : 1);
}

// Weights of those who must leave; stops adding beyond the limit.
std::int64_t EjectionSearch::cost(int operation, std::int64_t cycle, std::int64_t limit) const {
  std::int64_t sum = 0;
  table_.overfilled(operation, cycle, [&](std::size_t place, int units) {
    std::int64_t least = nobody_leaves;
    table_.holders(place, [&](int other) { least = std::min(least, cost_of(other)); });
    sum = least == nobody_leaves ? nobody_leaves : std::min(nobody_leaves, sum + least * units);
  });
  if (sum > limit) return sum;
  const auto stays = [&](const Edge& edge) { return edge.other != operation && is_placed(edge.other); };
  const auto add = [&](int other) { sum = std::min(nobody_leaves, sum + cost_of(other)); };
  for (const Edge& edge : graph_.inner.into[at(operation)])
    if (stays(edge) && cycle < cycles_[at(edge.other)] + edge.length(table_.interval())) add(edge.other);
  for (const Edge& edge : graph_.inner.out[at(operation)])
    if (stays(edge) && cycles_[at(edge.other)] < cycle + edge.length(table_.interval())) add(edge.other);
  return sum;
}

std::int64_t EjectionSearch::cheapest(int operation, const Window& window, Budget& budget) {
  const std::int64_t interval = table_.interval();
  const std::int64_t low = std::min(window.first, window.last);
  const std::int64_t high = window.last == far ? window.first : std::max(window.first, window.last);
  const bool alone = window.last == far && window.hard_first == -far;
  // Rows come again after an interval: what lies further away breaks more and finds nothing new.
  const std::int64_t first = alone ? low : std::max(window.hard_first, low - interval);
  const std::int64_t last = alone ? low + interval - 1 : std::min(window.hard_last, high + interval);
  const std::int64_t count = last - first + 1;
  std::int64_t best = unplaced, least = nobody_leaves;
  const std::int64_t looks = std::min(count, most_candidates);
  const std::int64_t offset =
      static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(std::max<std::int64_t>(count, 1)));
  for (std::int64_t i = 0; i < looks; ++i) {
    const std::int64_t step =
        count == looks ? (offset + i) % count : static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(count));
    const std::int64_t cycle = first + step;
    if (count > 1 && cycle == last_[at(operation)]) continue;
    const std::int64_t sum = cost(operation, cycle, least);
    if (sum < least) least = sum, best = cycle;
  }
  return budget.take(std::max<std::int64_t>(looks, 1)) ? best : unplaced;
}

void EjectionSearch::settle(int operation, std::int64_t cycle) {
  make_room(operation, cycle);
  make_order(operation, cycle);
  table_.place(operation, cycle);
  cycles_[at(operation)] = last_[at(operation)] = cycle;
}

void EjectionSearch::make_room(int operation, std::int64_t cycle) {
  while (!table_.fits(operation, cycle)) {
    int leaver = -1;
    table_.in_the_way(operation, cycle, [&](int other) {
      if (leaver < 0 || cost_of(other) < cost_of(leaver)) leaver = other;
    });
    eject(leaver);
  }
}

void EjectionSearch::make_order(int operation, std::int64_t cycle) {
  const auto stays = [&](int other) { return other != operation && is_placed(other); };
  for (const Edge& edge : graph_.inner.into[at(operation)])
    if (stays(edge.other) && cycle < cycles_[at(edge.other)] + edge.length(table_.interval())) eject(edge.other);
  for (const Edge& edge : graph_.inner.out[at(operation)])
    if (stays(edge.other) && cycles_[at(edge.other)] < cycle + edge.length(table_.interval())) eject(edge.other);
  if (windows_.anchor[at(operation)] != operation) return;
  for (const int member : graph_.components.members[at(graph_.components.of[at(operation)])])
    if (stays(member) && (cycles_[at(member)] < cycle + windows_.earliest[at(member)] ||
                          cycles_[at(member)] > cycle + windows_.latest[at(member)]))
      eject(member);
}

void EjectionSearch::eject(int operation) {
  ++weight_[at(operation)];
  if (windows_.anchor[at(operation)] != operation) return eject_one(operation);
  for (const int member : graph_.components.members[at(graph_.components.of[at(operation)])])
    if (is_placed(member)) eject_one(member);
}

void EjectionSearch::eject_one(int operation) {
  table_.remove(operation, cycles_[at(operation)]);
  cycles_[at(operation)] = unplaced;
  if (rank_[at(operation)] >= 0) waiting_.push(rank_[at(operation)]);
}

}  // namespace convscope::schedule
