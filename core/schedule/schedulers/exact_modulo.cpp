#include "core/schedule/schedulers/exact_modulo.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/base/integers.h"
#include "core/schedule/schedulers/satisfiability.h"

namespace convscope::schedule {
namespace {

// Cycles that an operation may have, and the variables that say from which on it has one of them.
struct Domain {
  std::int64_t first = 0, last = -1;  // empty: not part of the formula
  int from = 0;                       // variable of 'not before first + 1'; those behind it follow

  bool is_used() const { return first <= last; }
};

class Encoding {
 public:
  explicit Encoding(const AtInterval& at_interval) : in_(at_interval), domains_(at_interval.problem.operations.size()) {
    const std::vector<bool> is_free = free_operations(in_.problem, in_.graph);
    int largest = -1;
    for (std::size_t c = 0; c < in_.graph.components.size(); ++c)
      if (in_.graph.has_circle(c) && (largest < 0 || size(c) > size(at(largest)))) largest = static_cast<int>(c);
    for (std::size_t c = 0; c < in_.graph.components.size(); ++c)
      for (const int member : in_.graph.components.members[c]) {
        if (is_free[at(member)]) continue;
        const std::int64_t turns = static_cast<int>(c) == largest ? 0 : in_.interval - 1;
        domains_[at(member)] = {in_.windows.earliest[at(member)], in_.windows.latest[at(member)] + turns};
        literals_ += domains_[at(member)].last - domains_[at(member)].first + 1;
      }
  }

  std::int64_t literals() const { return 2 * literals_; }

  void write() {
    for (Domain& domain : domains_)
      if (domain.is_used()) write_order(domain);
    for (std::size_t i = 0; i < domains_.size(); ++i)
      if (domains_[i].is_used())
        for (const Edge& edge : in_.graph.inner.out[i]) write_dependence(domains_[i], domains_[at(edge.other)], edge);
    // An operation stands in its component's window wherever the anchor is.
    for (std::size_t i = 0; i < domains_.size(); ++i) write_window(static_cast<int>(i));
    write_resources();
  }

  Truth solve(std::int64_t conflicts, const std::stop_token& stop) { return formula_.solve(conflicts, stop); }
  std::int64_t clauses() const { return formula_.clauses(); }

  std::vector<std::int64_t> cycles() const {
    std::vector<std::int64_t> result(domains_.size(), unplaced);
    for (std::size_t i = 0; i < domains_.size(); ++i) {
      if (!domains_[i].is_used()) continue;
      result[i] = domains_[i].first;
      while (result[i] < domains_[i].last && formula_.is_true(not_before(domains_[i], result[i] + 1))) ++result[i];
    }
    return result;
  }

 private:
  std::size_t size(std::size_t component) const { return in_.graph.components.members[component].size(); }

  // Precondition: first < cycle <= last.
  static int not_before(const Domain& domain, std::int64_t cycle) {
    return domain.from + static_cast<int>(cycle - domain.first - 1);
  }

  void write_order(Domain& domain) {
    for (std::int64_t cycle = domain.first + 1; cycle <= domain.last; ++cycle) {
      const int literal = formula_.variable();
      if (cycle == domain.first + 1) domain.from = literal;
      if (cycle > domain.first + 1) formula_.clause({-literal, literal - 1});
    }
  }

  // If `from` isn't before a cycle, `to` isn't before that and the length.
  void write_dependence(const Domain& from, const Domain& to, const Edge& edge) {
    if (&from == &to) return;  // the interval meets it
    const std::int64_t length = edge.length(in_.interval);
    for (std::int64_t cycle = std::max(from.first, to.first + 1 - length); cycle <= from.last; ++cycle) {
      const std::int64_t then = cycle + length;
      const bool always = cycle == from.first, never = then > to.last;
      if (always && never) {
        formula_.clause({});
      } else if (always) {
        formula_.clause({not_before(to, then)});
      } else if (never) {
        formula_.clause({-not_before(from, cycle)});
        return;  // what is later is implied
      } else {
        formula_.clause({-not_before(from, cycle), not_before(to, then)});
      }
    }
  }

  void write_window(int operation) {
    const int anchor = in_.windows.anchor[at(operation)];
    if (anchor == operation || !domains_[at(operation)].is_used()) return;
    write_dependence(domains_[at(anchor)], domains_[at(operation)],
                     {operation, in_.windows.earliest[at(operation)], 0});
    write_dependence(domains_[at(operation)], domains_[at(anchor)], {anchor, -in_.windows.latest[at(operation)], 0});
  }

  // The literal that an operation issues in a row. Implied by its cycle only: resources ask for no more.
  std::vector<int> write_rows(const Domain& domain) {
    std::vector<int> rows(static_cast<std::size_t>(std::min(in_.interval, domain.last - domain.first + 1)));
    for (int& row : rows) row = formula_.variable();
    for (std::int64_t cycle = domain.first; cycle <= domain.last; ++cycle) {
      const int row = rows[static_cast<std::size_t>((cycle - domain.first) % in_.interval)];
      if (domain.first == domain.last) {
        formula_.clause({row});
      } else if (cycle == domain.first) {
        formula_.clause({not_before(domain, cycle + 1), row});
      } else if (cycle == domain.last) {
        formula_.clause({-not_before(domain, cycle), row});
      } else {
        formula_.clause({-not_before(domain, cycle), not_before(domain, cycle + 1), row});
      }
    }
    return rows;
  }

  void write_resources() {
    std::map<std::pair<int, std::int64_t>, std::vector<int>> users;  // literals by resource and row
    for (std::size_t i = 0; i < domains_.size(); ++i) {
      const Domain& domain = domains_[i];
      if (!domain.is_used() || in_.problem.operations[i].uses.empty()) continue;
      const std::vector<int> rows = write_rows(domain);
      for (const ResourceUse& use : in_.problem.operations[i].uses)
        for (std::size_t k = 0; k < rows.size(); ++k) {
          const std::int64_t cycle = (domain.first + static_cast<std::int64_t>(k) + use.offset) % in_.interval;
          users[{use.resource, cycle < 0 ? cycle + in_.interval : cycle}].push_back(rows[k]);
        }
    }
    for (const auto& [place, literals] : users)
      formula_.at_most(literals, in_.problem.resources[at(place.first)].capacity);
  }

  const AtInterval& in_;
  std::vector<Domain> domains_;
  std::int64_t literals_ = 0;
  Formula formula_{};
};

}  // namespace

std::int64_t literals_of(const AtInterval& at_interval) {
  return Encoding(at_interval).literals();
}

ExactAnswer exact_modulo_at(const AtInterval& at_interval, const ExactLimits& limits, Budget& budget) {
  using Kind = ExactAnswer::Kind;
  Encoding encoding(at_interval);
  if (encoding.literals() > limits.literals) return {Kind::too_large, {}};
  encoding.write();
  if (!budget.take(encoding.clauses())) return {Kind::out_of_steps, {}};
  const std::int64_t conflicts = std::min(limits.conflicts, budget.left() / steps_per_conflict);
  const Truth truth = encoding.solve(conflicts, budget.stop());
  if (truth == Truth::unsatisfiable) return {Kind::impossible, {}};
  // Conflicts that led nowhere are paid; it isn't known how many those were that led to an answer.
  if (truth == Truth::unknown) return budget.take(conflicts * steps_per_conflict), ExactAnswer{};
  const Result result = completed(at_interval, encoding.cycles(), budget);
  if (!result) return {Kind::out_of_steps, {}};
  return {Kind::scheduled, result.schedule()};
}

}  // namespace convscope::schedule
