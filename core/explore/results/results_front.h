#pragma once
// The front of a results file, read without the space that it came from.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/base/sqlite.h"
#include "core/explore/space/objective.h"

namespace convscope::explore {

struct FrontOptions {
  std::vector<Objective> objectives;       ///< empty: those that the file names
  std::optional<double> minimum_coverage;  ///< nothing: what the file says
  bool dominated = false;                  ///< list dominated points too, with their place
};

/// A row of `points`, columns as FrontReport names them; nothing where the row has none.
struct FrontRow {
  bool on_front = true;
  std::vector<SqlValue> values;
};

struct FrontReport {
  std::string space, title, strategy;
  std::uint64_t size = 0, seen = 0;
  double minimum_coverage = 1;
  std::uint64_t below_coverage = 0;              ///< compiled points that map too little to be compared
  std::map<std::string, std::uint64_t> removed;  ///< points without figures, by reason
  std::vector<Objective> objectives;
  std::vector<std::string> columns;  ///< parameters as "nmp.tles"
  std::vector<FrontRow> rows;        ///< best in the first objective first; dominated ones by their number, last
};

/// Nothing, with diagnostics, if the file is no results file or an objective is unknown.
std::optional<FrontReport> read_front(const std::string& path, const FrontOptions& options, Diagnostics& diagnostics);

/// docs/explore.md describes both.
std::string front_json(const FrontReport& report);
std::string front_csv(const FrontReport& report);
/// For people: objectives and the parameters that vary.
std::string front_text(const FrontReport& report);

}  // namespace convscope::explore
