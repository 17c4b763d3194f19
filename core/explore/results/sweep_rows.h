#pragma once
// Rows of a sweep as they come, in columns; tables are made of them at any moment.

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/explore/results/front.h"
#include "core/explore/results/sweep_table.h"

namespace convscope::explore {

/// Columns of what came out: objectives of which targets that occur have a value, and the coverage.
std::vector<SweepColumn> outcome_columns(const Targets& targets);

class SweepRows {
 public:
  /// `head`: title, objectives, size, and columns without values.
  explicit SweepRows(SweepTable head) : table_(std::move(head)) { table_.reasons = {{}}; }

  struct Row {
    std::uint64_t point = 0;
    std::vector<double> values;    ///< one for each column; NaN where there is none
    std::vector<Origin> origins;   ///< likewise; of machine columns ignored
    std::optional<Vector> vector;  ///< as the front takes it; nothing: not comparable
    std::string reason;
  };
  void add(const Row& row);
  void add_removed(const std::string& reason);

  const SweepTable& head() const { return table_; }
  /// Ascending by point, with the front marked.
  std::shared_ptr<const SweepTable> table(std::string state) const;

 private:
  SweepTable table_;  // rows in the order in which they came
  Front front_;
  std::unordered_map<std::string, std::uint32_t> reasons_;
};

}  // namespace convscope::explore
