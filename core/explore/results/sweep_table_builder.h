#pragma once
// The table of a sweep that runs: results in as they come, tables out as values.

#include <memory>
#include <string>

#include "core/explore/results/point_result.h"
#include "core/explore/results/sweep_rows.h"

namespace convscope::explore {

/// Columns are known from the space alone; rows cost what building a point costs, and a table a copy of all rows, so
/// both are work for a thread that nobody waits for.
class SweepTableBuilder {
 public:
  explicit SweepTableBuilder(std::shared_ptr<const Space> space);

  void add(const PointResult& result);
  std::uint64_t seen() const { return rows_.head().seen; }
  /// What was added so far, whatever its order; `state` is for people.
  std::shared_ptr<const SweepTable> table(std::string state) const { return rows_.table(std::move(state)); }

 private:
  double machine_value(const SweepColumn& column, const Point& point) const;

  std::shared_ptr<const Space> space_;
  SweepRows rows_;
};

}  // namespace convscope::explore
