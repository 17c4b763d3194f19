#pragma once
// The SQLite file that a sweep writes, one row a point as it comes. What was written stays after kill -9. A finished
// file holds its points in order and is made anew from them: the same points give the same bytes, whatever threads,
// shards and interruptions there were.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/explore/results/point_result.h"
#include "core/explore/results/results_identity.h"
#include "core/explore/space/space.h"

namespace convscope::explore {

class ResultsFile {
 public:
  /// A new file; an existing one is refused. Nothing, with a diagnostic, if it can't be made or another sweep is at it.
  static std::unique_ptr<ResultsFile> create(const std::string& path, std::shared_ptr<const Space> space,
                                             const ResultsIdentity& identity, Diagnostics& diagnostics);
  /// Goes on with a file of the same space, networks, strategy and shard, by the same version of the program; makes it
  /// if there is none. A file that can't be made leaves nothing behind.
  static std::unique_ptr<ResultsFile> resume(const std::string& path, std::shared_ptr<const Space> space,
                                             const ResultsIdentity& identity, Diagnostics& diagnostics);
  ~ResultsFile();
  ResultsFile(const ResultsFile&) = delete;
  ResultsFile& operator=(const ResultsFile&) = delete;

  /// Writes points that are not there yet, all or none. Returns once a kill can't undo it. Throws SqlError. What SQLite
  /// writes ahead takes about half as much room as the file; where there is less, it is moved into the file before.
  void add(const std::vector<PointResult>& results);
  /// Points that are there, ascending. Throws SqlError.
  std::vector<std::uint64_t> points() const;
  /// A point that is there. Throws SqlError.
  std::optional<PointResult> read(std::uint64_t point) const;
  /// Closes the file, with its points in order. False, with a diagnostic, leaves it as it is; nothing is lost.
  bool finish(Diagnostics& diagnostics);

 private:
  struct State;
  explicit ResultsFile(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Puts files of the same space together, of shards or of interrupted runs; the result is as that of one run. Points in
/// several files must agree. False, with diagnostics, leaves an old result untouched.
bool merge_results(const std::vector<std::string>& inputs, const std::string& output, Diagnostics& diagnostics);

}  // namespace convscope::explore
