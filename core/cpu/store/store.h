#pragma once
// Measurements, kept: an SQLite file that outlives runs and can be copied between hosts. Several processes may use one
// at once.

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/cpu/architecture/path.h"
#include "core/cpu/architecture/problem.h"
#include "core/cpu/run/host.h"
#include "core/cpu/run/outcome.h"

namespace convscope {
class Database;
}

namespace convscope::cpu {

/// A measurement with everything that it took.
struct Record {
  Problem problem;
  Path path;  ///< empty: a source that somebody wrote
  std::uint64_t source_hash = 0;
  std::string host;  ///< Host::identity()
  Outcome outcome;
  std::string algorithm;  ///< of the search: "guided"; "final": best ones compared in one run;
                          ///< "compilers": the best one by each compiler; "by hand"
  std::uint64_t seed = 0;
  std::int64_t temporary_bytes = 0;
  std::string date;  ///< ISO 8601, UTC; filled in by the store if empty
};

/// The search that a measurement was made in. One that is resumed finds its own measurements, not those of others: the
/// same seed takes the same way whatever else the file holds.
struct SearchIdentity {
  std::string host, compiler, flags, algorithm;
  std::uint64_t seed = 0;
};

class Store {
 public:
  /// Opens or creates it. Null, with a diagnostic, if it can't be, or if what is there is no store, broken or made by a
  /// newer version: it is left as it is.
  static std::unique_ptr<Store> open(const std::string& path, Diagnostics& diagnostics);
  /// In the user's data folder ($XDG_DATA_HOME or ~/.local/share): convscope/measurements.sqlite.
  static std::string usual_path();
  ~Store();

  const std::string& path() const { return path_; }

  /// False, with a diagnostic (the disk is full, the file is locked), if it could not be kept.
  bool add(const Record& record, Diagnostics& diagnostics);
  bool add(const Host& host, const Calibration& calibration, Diagnostics& diagnostics);

  /// Latest outcome of a path in a search; nothing if it wasn't measured.
  std::optional<Outcome> find(const Problem& problem, const Path& path, const SearchIdentity& search) const;

  /// Best one that ran: finals before others, then by minimum. `host` empty: of any host. `accepts`, which doesn't look
  /// at the store: those that count; null: all.
  std::optional<Record> best(const Problem& problem, const std::string& host,
                             const std::function<bool(const Record&)>& accepts = nullptr) const;
  /// The `count` latest runs of a problem, latest first; all hosts.
  std::vector<Record> runs(const Problem& problem, std::size_t count) const;
  /// Identity and model of every host that measured.
  std::vector<Host> hosts() const;
  std::optional<Calibration> calibration(const std::string& host) const;

  /// Changes whenever the best of some problem does: the level `stored` has it in its key.
  std::uint64_t content_hash() const;

 private:
  Store(std::string path, std::unique_ptr<Database> database);
  const std::string path_;
  const std::unique_ptr<Database> database_;
  mutable std::mutex mutex_;
};

}  // namespace convscope::cpu
