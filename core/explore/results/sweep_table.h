#pragma once
// What a sweep has found so far, column by column, as charts and tables read it: from a sweep that runs, or from a
// results file. A value; nothing in it changes once it is handed out.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/quantity.h"
#include "core/explore/space/objective.h"
#include "core/explore/space/space.h"

namespace convscope::explore {

enum class ColumnKind {
  machine,   ///< what was chosen: target, preset, level, a parameter that varies
  objective  ///< what came out
};

struct SweepColumn {
  std::string key;    ///< "level", "nmp.tles" or an objective's key
  std::string label;  ///< for people, e.g. "TLEs"
  std::string unit;   ///< may be empty
  ColumnKind kind = ColumnKind::machine;
  bool maximize = false;            ///< of an objective: more is better
  Origin origin = Origin::derived;  ///< of an objective: the least certain of its values'
  std::vector<std::string> names;   ///< of a choice: the value i is called names[i]; empty: values are numbers
  std::vector<double> values;       ///< one for each row; NaN where there is none
  double least = 0, most = 0;       ///< of the values that there are; least > most if there are none
};

struct SweepTable {
  std::string title;                     ///< the space's
  std::shared_ptr<const Space> space;    ///< null if the results came from a file whose space can't be read here
  std::vector<Objective> objectives;     ///< that the front is drawn over
  std::vector<SweepColumn> columns;      ///< machine columns first
  std::vector<std::uint64_t> points;     ///< of each row, ascending: the same points give the same table
  std::vector<std::uint8_t> on_front;    ///< 1 for each row on the front
  std::vector<std::uint8_t> comparable;  ///< 1 for each row that maps enough of the networks to be compared
  std::vector<std::uint32_t> reason;     ///< of each row: why it maps not everything, an index into `reasons`
  std::vector<std::string> reasons;      ///< each once; the first one is empty
  std::uint64_t size = 0, seen = 0;      ///< points of the space; those that were compiled or removed
  std::map<std::string, std::uint64_t> removed;  ///< points without a row, by reason
  std::string state;                             ///< for people: "running", "finished", "cancelled", or what went wrong

  std::size_t rows() const { return points.size(); }
  /// Null if there is no such column.
  const SweepColumn* column(std::string_view key) const;
  /// Row of a point; nothing if it has none.
  std::optional<std::size_t> row(std::uint64_t point) const;
};

/// "8", "4,096", "two-banks"; with the column's unit and an SI prefix where it has one, e.g. "1.31 ms". Empty for NaN.
std::string column_text(const SweepColumn& column, double value);

}  // namespace convscope::explore
