#pragma once
// Why a layer is as fast as it is: lower bounds in order, what binds, and what was rejected for which reason.

#include <string>
#include <vector>

#include "core/artifact/metrics.h"
#include "core/base/quantity.h"

namespace convscope::artifact {

/// A lower bound with the words and figures behind it.
struct ExplainedBound {
  Bound bound;
  Quantity seconds{0, "s", Origin::derived};
  std::string text;  ///< one or two sentences: what is counted, over which resource
};

/// Something that the compiler could have done instead, e.g. another strategy or tile size.
struct RejectedAlternative {
  std::string name;
  bool fits = false;                           ///< false: no such mapping exists; `reason` says what it overruns
  Quantity seconds{0, "s", Origin::estimate};  ///< only if it fits
  std::string reason;                          ///< which memory overruns by how much, or which term costs what
};

struct Explanation {
  std::string summary;                        ///< one sentence for people: what binds, and how much it costs
  std::vector<ExplainedBound> bounds;         ///< largest first; the first one binds
  std::vector<RejectedAlternative> rejected;  ///< best first; those that don't fit last
};

}  // namespace convscope::artifact
