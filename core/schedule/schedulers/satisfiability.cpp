#include "core/schedule/schedulers/satisfiability.h"

#include <algorithm>
#include <limits>

#include <cadical.hpp>

namespace convscope::schedule {
namespace {

class StopAsked : public CaDiCaL::Terminator {
 public:
  explicit StopAsked(const std::stop_token& stop) : stop_(stop) {}
  bool terminate() override { return stop_.stop_requested(); }

 private:
  const std::stop_token& stop_;
};

constexpr std::size_t few = 6;  // up to here, pairs are fewer clauses than a counter

}  // namespace

struct Formula::Solver {
  CaDiCaL::Solver cadical;
};

Formula::Formula() : solver_(std::make_unique<Solver>()) {
  solver_->cadical.set("quiet", 1);
}

Formula::~Formula() = default;

void Formula::clause(std::initializer_list<int> literals) {
  for (const int literal : literals) solver_->cadical.add(literal);
  solver_->cadical.add(0);
  ++clauses_;
}

void Formula::at_most(std::span<const int> literals, int count) {
  const auto most = static_cast<std::size_t>(std::max(count, 0));
  if (literals.size() <= most) return;
  if (most == 0) {
    for (const int literal : literals) clause({-literal});
  } else if (most == 1 && literals.size() <= few) {
    for (std::size_t i = 0; i < literals.size(); ++i)
      for (std::size_t k = i + 1; k < literals.size(); ++k) clause({-literals[i], -literals[k]});
  } else {
    // counted[k]: more than k of the literals so far.
    std::vector<int> counted;
    for (const int literal : literals) {
      std::vector<int> next;
      for (std::size_t k = 0; k < std::min(most, counted.size() + 1); ++k) {
        next.push_back(variable());
        if (k < counted.size()) clause({-counted[k], next[k]});
        k == 0 ? clause({-literal, next[k]}) : clause({-literal, -counted[k - 1], next[k]});
      }
      if (counted.size() == most) clause({-literal, -counted.back()});
      counted = std::move(next);
    }
  }
}

Truth Formula::solve(std::int64_t conflicts, const std::stop_token& stop) {
  StopAsked stop_asked(stop);
  solver_->cadical.connect_terminator(&stop_asked);
  solver_->cadical.limit("conflicts",
                         static_cast<int>(std::min<std::int64_t>(conflicts, std::numeric_limits<int>::max())));
  const int answer = solver_->cadical.solve();
  solver_->cadical.disconnect_terminator();
  return answer == 10 ? Truth::satisfiable : answer == 20 ? Truth::unsatisfiable : Truth::unknown;
}

bool Formula::is_true(int literal) const {
  return solver_->cadical.val(literal) > 0;
}

}  // namespace convscope::schedule
