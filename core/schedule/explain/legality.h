#pragma once
// Where an operation may stand in a schedule that may be partial, and what is in its way elsewhere.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/schedule/problem/problem.h"

namespace convscope::schedule {

/// Cycles in which an operation could issue by its dependences alone, if no other moved.
struct Window {
  std::optional<std::int64_t> earliest, latest;  ///< nothing: no dependence bounds it
  int after = -1, before = -1;                   ///< index of the dependence that says so

  /// Whether some cycle in the same row of a table of `interval` rows lies in the window.
  bool has_row_of(std::int64_t cycle, std::int64_t interval) const;
};

struct Obstacle {
  enum class Kind {
    too_early,  ///< `other` must come before
    too_late,   ///< `other` must come after
    taken       ///< `other` holds the last unit of `resource`
  } kind = Kind::taken;
  int other = -1;           ///< operation
  std::int64_t cycles = 0;  ///< by how many cycles a dependence would break
  int resource = -1;
  std::string text;  ///< names operations, resource, cycles and limits
};

/// Answers for one problem, which must outlive it. Schedules may leave operations `unplaced`: these bound nothing and
/// take nothing. Without an interval, dependences across iterations hold.
class Legality {
 public:
  explicit Legality(const Problem& problem);

  Window window(const Schedule& schedule, int operation) const;
  /// Everything that forbids an operation a cycle; whether it stands somewhere now doesn't matter. Empty: it may issue
  /// there. Dependences first, then resources.
  std::vector<Obstacle> obstacles(const Schedule& schedule, int operation, std::int64_t cycle) const;

 private:
  void add_broken_dependences(const Schedule& schedule, int operation, std::int64_t cycle,
                              std::vector<Obstacle>& result) const;
  void add_taken_resources(const Schedule& schedule, int operation, std::int64_t cycle,
                           std::vector<Obstacle>& result) const;

  const Problem& problem_;
  std::vector<std::vector<int>> incoming_, outgoing_;  // dependences of each operation
};

}  // namespace convscope::schedule
