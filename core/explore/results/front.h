#pragma once
// The Pareto front of any number of objectives, kept as points come in. Points that it dominates are only left out of
// it: whoever shows them keeps them.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/explore/results/point_result.h"
#include "core/explore/space/space.h"

namespace convscope::explore {

/// Values of a point, one for each objective, so that less is better: maximized ones are negated.
using Vector = std::vector<double>;

/// Whether a is nowhere worse than b and somewhere better.
bool dominates(const Vector& a, const Vector& b);

class Front {
 public:
  struct Member {
    std::uint64_t point = 0;
    Vector values;
    bool operator==(const Member&) const = default;
  };

  /// Equal vectors stay side by side, so that the front doesn't depend on the order of points. True if it is on the
  /// front now.
  bool add(std::uint64_t point, Vector values);
  /// By the first objective, then the next ones, then the point's number.
  const std::vector<Member>& members() const { return members_; }

 private:
  std::vector<Member> members_;
};

/// A point's vector over its space's objectives; nothing if one has no value there or its coverage is below the least.
std::optional<Vector> objective_vector(const PointResult& result, const Space& space);

}  // namespace convscope::explore
