#pragma once
// What is known about a pipelined schedule's interval: the bound that it meets, or how far it may be from one.

#include <cstdint>
#include <string>
#include <vector>

namespace convscope::schedule {

/// Why no smaller interval is possible; of several reasons that give the same number, the first here.
enum class BoundKind {
  smallest_asked,  ///< nobody asked for less
  resource,        ///< uses of `resources` fill every cycle
  recurrence,      ///< `circle` of dependences takes that long
  exhausted        ///< resource and recurrence would allow less; every such interval was searched and has no schedule
};

/// A statement about an interval and a problem. `bound` is proven; so with `optimal()` the interval is proven least.
struct Certificate {
  std::int64_t interval = 0;
  std::int64_t bound = 0;  ///< no schedule has a smaller interval
  BoundKind kind = BoundKind::smallest_asked;
  std::vector<int> resources;  ///< of `resource`: one, or all that a set of alternatives shares
  std::vector<int> circle;     ///< of `recurrence`: operations, in the order of their dependences
  std::string reason;          ///< of a gap: why it stayed open, with the steps spent

  bool optimal() const { return interval == bound; }
  std::int64_t gap() const { return interval - bound; }
};

}  // namespace convscope::schedule
