#pragma once
// A satisfiability solver as schedulers need it: literals, clauses, counts, and a limit that counts conflicts.

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

namespace convscope::schedule {

enum class Truth { satisfiable, unsatisfiable, unknown };

/// A formula in conjunctive normal form. Literals are numbers as in DIMACS: -3 is not 3.
class Formula {
 public:
  Formula();
  ~Formula();
  Formula(const Formula&) = delete;
  Formula& operator=(const Formula&) = delete;

  int variable() { return ++variables_; }
  void clause(std::initializer_list<int> literals);
  /// At most so many of the literals; one that comes twice counts twice. Sinz 2005, sequential counter; pairs if few.
  void at_most(std::span<const int> literals, int count);

  int variables() const { return variables_; }
  std::int64_t clauses() const { return clauses_; }

  /// CaDiCaL, deterministic, at most so many conflicts; `unknown` beyond them or when stopped.
  Truth solve(std::int64_t conflicts, const std::stop_token& stop);
  /// Of the last model. Precondition: `satisfiable`.
  bool is_true(int literal) const;

 private:
  struct Solver;
  std::unique_ptr<Solver> solver_;
  int variables_ = 0;
  std::int64_t clauses_ = 0;
};

}  // namespace convscope::schedule
