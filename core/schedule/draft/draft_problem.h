#pragma once
// A scheduling problem prepared for people who schedule it by hand: what every step of editing asks for, computed once.

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/schedule/problem/problem.h"
#include "core/schedule/problem/result.h"

namespace convscope::schedule {

/// Operations of which each stands a fixed number of cycles from the first, because dependences lead there and back
/// again without slack (e.g. a read whose word the port shows for one cycle only).
struct TiedGroup {
  std::vector<int> operations;        ///< ascending; one at least
  std::vector<std::int64_t> offsets;  ///< of each, cycles after the first one's
};

/// Immutable, shared by all drafts of it.
class DraftProblem {
 public:
  /// Operations that a draft may have.
  static constexpr std::size_t most_operations = 100'000;

  /// Fails with `malformed` (also: no operation, or more than `most_operations`), `circle` and `over_capacity`: what no
  /// schedule can meet, whoever makes it.
  static std::variant<std::shared_ptr<const DraftProblem>, Failure> make(Problem problem);

  const Problem& problem() const { return problem_; }
  /// Without choices among resources, with exactly the same schedules (alternatives.h).
  const Problem& plain() const { return plain_; }
  int operations() const { return static_cast<int>(problem_.operations.size()); }
  /// The same for equal problems, on every machine: resources, operations with their names, and dependences.
  std::uint64_t hash() const { return hash_; }

  /// Dependences that lead to an operation, and from it; those of an operation on itself are in both.
  const std::vector<int>& incoming(int operation) const { return incoming_[index(operation)]; }
  const std::vector<int>& outgoing(int operation) const { return outgoing_[index(operation)]; }

  const std::vector<TiedGroup>& groups() const { return groups_; }
  /// Position in groups() of an operation's; alone in it if nothing ties it.
  int group_of(int operation) const { return group_of_[index(operation)]; }

  /// No schedule has a smaller interval; which resource (of `plain()`) or circle of operations says so.
  std::int64_t bound() const { return bound_; }
  const std::string& bound_text() const { return bound_text_; }

 private:
  explicit DraftProblem(Problem problem, Problem plain);
  static std::size_t index(int operation) { return static_cast<std::size_t>(operation); }
  void tie();
  void find_bound();

  Problem problem_, plain_;
  std::uint64_t hash_ = 0;
  std::vector<std::vector<int>> incoming_, outgoing_;
  std::vector<TiedGroup> groups_;
  std::vector<int> group_of_;
  std::int64_t bound_ = 1;
  std::string bound_text_;
};

}  // namespace convscope::schedule
