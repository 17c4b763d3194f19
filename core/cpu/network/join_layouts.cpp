#include "core/cpu/network/join_layouts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>

namespace convscope::cpu {
namespace {

constexpr std::size_t largest_table = 1'000'000;

using Assignment = std::vector<std::size_t>;

/// Costs over some variables, the first counting slowest.
struct Table {
  std::vector<std::size_t> over;
  std::vector<double> cost;

  std::size_t index(const Assignment& of, std::size_t values) const {
    std::size_t at = 0;
    for (const std::size_t variable : over) at = at * values + of[variable];
    return at;
  }
};

/// Calls visit() with every assignment of the variables in `of`.
template <typename Visit>
void each(const std::vector<std::size_t>& variables, std::size_t values, Assignment& of, const Visit& visit,
          std::size_t depth = 0) {
  if (depth == variables.size()) return visit();
  for (of[variables[depth]] = 0; of[variables[depth]] < values; ++of[variables[depth]])
    each(variables, values, of, visit, depth + 1);
  of[variables[depth]] = 0;
}

std::vector<Table> tables_of(const JoinProblem& problem) {
  std::vector<Table> tables;
  for (std::size_t variable = 0; variable < problem.variables; ++variable)
    tables.push_back({{variable}, problem.own[variable]});
  for (const JoinProblem::Pair& pair : problem.pairs) tables.push_back({{pair.first, pair.second}, pair.cost});
  return tables;
}

double total(const std::vector<Table>& tables, const Assignment& of, std::size_t values) {
  double sum = 0;
  for (const Table& table : tables) sum += table.cost[table.index(of, values)];
  return sum;
}

class Elimination {
 public:
  explicit Elimination(const JoinProblem& problem)
      : values_(problem.values), tables_(tables_of(problem)), of_(problem.variables, 0) {
    for (std::size_t variable = 0; variable < problem.variables; ++variable) left_.insert(variable);
  }

  /// Nothing if a table would become too large.
  std::optional<Assignment> run() {
    while (!left_.empty())
      if (!eliminate(next())) return std::nullopt;
    for (auto done = done_.rbegin(); done != done_.rend(); ++done)
      of_[done->variable] = done->best[done->index(of_, values_)];
    return of_;
  }

 private:
  struct Done {
    std::size_t variable;
    std::vector<std::size_t> over, best;
    std::size_t index(const Assignment& of, std::size_t values) const { return Table{over, {}}.index(of, values); }
  };

  std::set<std::size_t> neighbours(std::size_t variable) const {
    std::set<std::size_t> all;
    for (const Table& table : tables_)
      if (std::find(table.over.begin(), table.over.end(), variable) != table.over.end())
        all.insert(table.over.begin(), table.over.end());
    all.erase(variable);
    return all;
  }

  std::size_t next() const {
    return *std::min_element(left_.begin(), left_.end(),
                             [&](std::size_t a, std::size_t b) { return neighbours(a).size() < neighbours(b).size(); });
  }

  bool eliminate(std::size_t variable) {
    const std::set<std::size_t> around = neighbours(variable);
    Table joined{{around.begin(), around.end()}, {}};
    if (std::pow(static_cast<double>(values_), static_cast<double>(around.size() + 1)) > largest_table) return false;
    Done done{variable, joined.over, {}};
    std::vector<Table> looked_at;
    std::erase_if(tables_, [&](Table& table) {
      if (std::find(table.over.begin(), table.over.end(), variable) == table.over.end()) return false;
      looked_at.push_back(std::move(table));
      return true;
    });
    each(joined.over, values_, of_, [&] {
      double least = infinite;
      std::size_t best = 0;
      for (of_[variable] = 0; of_[variable] < values_; ++of_[variable]) {
        const double cost = total(looked_at, of_, values_);
        if (cost < least) least = cost, best = of_[variable];
      }
      of_[variable] = 0;
      joined.cost.push_back(least);
      done.best.push_back(best);
    });
    tables_.push_back(std::move(joined));
    done_.push_back(std::move(done));
    left_.erase(variable);
    return true;
  }

  const std::size_t values_;
  std::vector<Table> tables_;
  std::set<std::size_t> left_;
  std::vector<Done> done_;
  Assignment of_;
};

/// A local optimum: no single variable can be changed for the better.
Assignment lowered(const JoinProblem& problem, const std::vector<Table>& tables) {
  Assignment best;
  double least = infinite;
  for (std::size_t value = 0; value < problem.values; ++value) {
    const Assignment uniform(problem.variables, value);
    if (const double cost = total(tables, uniform, problem.values); best.empty() || cost < least)
      least = cost, best = uniform;
  }
  std::vector<std::vector<const Table*>> of(problem.variables);
  for (const Table& table : tables)
    for (const std::size_t variable : table.over) of[variable].push_back(&table);
  const auto around = [&](std::size_t variable) {
    double sum = 0;
    for (const Table* table : of[variable]) sum += table->cost[table->index(best, problem.values)];
    return sum;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t variable = 0; variable < problem.variables; ++variable) {
      const std::size_t before = best[variable];
      std::size_t chosen = before;
      double chosen_cost = around(variable);
      for (best[variable] = 0; best[variable] < problem.values; ++best[variable])
        if (const double cost = around(variable); cost < chosen_cost) chosen_cost = cost, chosen = best[variable];
      best[variable] = chosen;
      changed = changed || chosen != before;
    }
  }
  return best;
}

}  // namespace

Joined join(const JoinProblem& problem) {
  const std::vector<Table> tables = tables_of(problem);
  auto exact = Elimination(problem).run();
  Joined joined;
  joined.optimal = exact.has_value();
  joined.value = exact ? *std::move(exact) : lowered(problem, tables);
  joined.cost = total(tables, joined.value, problem.values);
  return joined;
}

}  // namespace convscope::cpu
