#pragma once
// Scheduling problems, knowing nothing of any target: operations that use resources and depend on each other.
// Problem, schedulers (free functions over a problem) and verifier are kept apart.

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace convscope::schedule {

/// Use of one unit of a resource, `offset` cycles after the operation's issue.
struct ResourceUse {
  int resource = 0;
  int offset = 0;
};

struct Operation {
  std::string name;  ///< for messages
  std::vector<ResourceUse> uses;
};

/// issue(to) >= issue(from) + distance - iterations * initiation interval. Together with one that leads back, of
/// negative distance, it says that `to` must come no later than so many cycles after `from`, either.
struct Dependence {
  int from = 0, to = 0;
  int distance = 0;    ///< cycles; 0 for anti-dependences
  int iterations = 0;  ///< how many iterations later `to` runs; negative for earlier, never in sum around a circle
  bool value = true;   ///< `to` reads what `from` makes, whose lifetime counts; false if there is only an order
};

/// Something that works in every cycle, or a choice: a use of it is a use of any one of `any_of`, a different one in
/// each cycle if need be. Two uses by one operation choose each for itself.
struct Resource {
  std::string name;
  int capacity = 1;              ///< uses per cycle; of a choice nothing, its members have theirs
  std::vector<int> any_of = {};  ///< empty: no choice. Otherwise resources that are none themselves

  bool is_choice() const { return !any_of.empty(); }
};

struct Problem {
  std::vector<Resource> resources;
  std::vector<Operation> operations;
  std::vector<Dependence> dependences;
};

/// Cycle of an operation that has none yet, where a schedule may be partial.
inline constexpr std::int64_t unplaced = std::numeric_limits<std::int64_t>::min();

/// An issue cycle for each operation (any sign), and the distance of iterations.
struct Schedule {
  std::vector<std::int64_t> cycles;
  std::int64_t initiation_interval = 0;  ///< 0: one iteration only, no overlap
};

/// First and last use of a resource by one iteration.
struct Span {
  std::int64_t first = 0, last = 0;
  std::int64_t length() const { return last - first + 1; }
};

/// Span of a resource over one iteration; nothing if no operation uses it.
std::optional<Span> span(const Problem& problem, const std::vector<std::int64_t>& cycles, int resource);

}  // namespace convscope::schedule
