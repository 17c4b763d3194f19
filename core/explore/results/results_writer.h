#pragma once
// Rows from point results, and back.

#include "core/explore/results/point_result.h"
#include "core/explore/results/results_schema.h"

namespace convscope::explore {

/// Of its name as files hold it.
Origin origin_from(const std::string& name);

class ResultsWriter {
 public:
  ResultsWriter(const Database& database, std::shared_ptr<const Space> space, std::string program);
  /// Inside a transaction of the caller.
  void write(const PointResult& result);

 private:
  void write_parameters(int column, const Point& point);

  std::shared_ptr<const Space> space_;
  std::string program_;
  std::vector<std::shared_ptr<const arch::MachineDescription>> machines_;
  std::vector<FigureColumn> columns_;
  Statement point_, figures_;
};

class ResultsReader {
 public:
  ResultsReader(const Database& database, std::shared_ptr<const Space> space);
  /// Rows of `points` from a point on, ascending; nothing at the end.
  void seek(std::uint64_t first);
  std::optional<PointResult> next();
  /// Lets go of the rows: a reader in the midst of them keeps SQLite's log from being used anew.
  void rest();

 private:
  std::shared_ptr<const Space> space_;
  std::vector<FigureColumn> columns_;
  Statement points_, figures_;
};

}  // namespace convscope::explore
