#include "core/explore/results/results_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/explore/results/results_writer.h"
#include "core/explore/results/sweep_rows.h"

namespace convscope::explore {
namespace {

constexpr double absent = std::numeric_limits<double>::quiet_NaN();
constexpr int first_column = 3;  // of those of the table; what the query asks for besides stands before

std::vector<std::string> distinct(const Database& database, const std::string& column) {
  std::vector<std::string> names;
  Statement rows(database, fmt::format("SELECT {0} FROM points WHERE {0} IS NOT NULL GROUP BY {0} ORDER BY min(point)",
                                       sql_name(column)));
  while (rows.step()) names.push_back(rows.text(0));
  return names;
}

class RowsReader {
 public:
  RowsReader(const Database& database, const catalogue::Catalogue& catalogue)
      : database_(database), catalogue_(catalogue) {}

  std::shared_ptr<const SweepTable> read(const std::string& state) {
    read_head();
    read_columns();
    std::vector<std::string> names;
    for (const SweepColumn& column : head_.columns) names.push_back(sql_name(column.key));
    for (const SweepColumn& column : head_.columns) {
      const std::string origin = column.key + "_origin";
      names.push_back(is_noted(origin) ? sql_name(origin) : "NULL");
    }
    SweepRows rows(std::move(head_));
    Statement row(database_, fmt::format("SELECT point, status, reason, {} FROM points", fmt::join(names, ", ")));
    while (row.step()) {
      if (row.text(1) == "done")
        rows.add(row_of(row, rows.head()));
      else
        rows.add_removed(row.text(2));
    }
    return rows.table(state);
  }

 private:
  bool is_noted(std::string_view column) const { return has_column(database_, "points", column); }

  void read_head() {
    const auto text = [&](const char* key) {
      return database_.text(fmt::format("SELECT value FROM meta WHERE key = '{}'", key)).value_or("");
    };
    head_.title = text("title").empty() ? text("space") : text("title");
    head_.size = static_cast<std::uint64_t>(database_.integer("SELECT value FROM meta WHERE key = 'points'"));
    Statement coverage(database_, "SELECT value FROM meta WHERE key = 'minimum_coverage'");
    if (coverage.step()) minimum_coverage_ = coverage.real(0);
    Statement objectives(database_, "SELECT name, best FROM objectives ORDER BY position");
    while (objectives.step()) {
      if (!is_noted(objectives.text(0))) throw SqlError("unknown objective " + objectives.text(0));
      head_.objectives.push_back({objectives.text(0), objectives.text(1) == "most"});
    }
  }

  void add_choice(const char* key, const char* label) {
    std::vector<std::string> names = distinct(database_, key);
    if (names.size() > 1)
      head_.columns.push_back({key, label, "", ColumnKind::machine, false, Origin::derived, std::move(names), {}});
  }

  void read_columns() {
    add_choice("target", "Target");
    add_choice("preset", "Preset");
    add_choice("level", "Level");
    read_parameters();
    for (SweepColumn& column : outcome_columns(known_targets()))
      if (is_noted(column.key)) head_.columns.push_back(std::move(column));
    // An objective of a target that isn't known here has no better name than its key.
    for (const Objective& each : head_.objectives)
      if (head_.column(each.key) == nullptr)
        head_.columns.push_back(
            {each.key, each.key, "", ColumnKind::objective, each.maximize, Origin::derived, {}, {}});
  }

  struct Parameter {
    std::string target, label, unit;
  };

  // In the order of the points' own columns, which is that of the machine's description.
  void read_parameters() {
    std::map<std::string, Parameter> varying;
    Statement rows(database_, "SELECT column_name, target, label, unit FROM parameters WHERE varies <> 'no'");
    while (rows.step()) varying[rows.text(0)] = {rows.text(1), rows.text(2), rows.text(3)};
    const bool several = database_.integer("SELECT count(DISTINCT target) FROM parameters") > 1;
    const Statement points(database_, "SELECT * FROM points");
    for (int i = 0; i < points.columns(); ++i) {
      const auto found = varying.find(points.name(i));
      if (found == varying.end()) continue;
      const Parameter& parameter = found->second;
      const std::string label = several ? parameter.label + " (" + parameter.target + ")" : parameter.label;
      const bool choice = database_.integer(fmt::format("SELECT count(*) FROM points WHERE typeof({}) = 'text'",
                                                        sql_name(found->first))) > 0;
      head_.columns.push_back({found->first,
                               label,
                               parameter.unit,
                               ColumnKind::machine,
                               false,
                               Origin::derived,
                               choice ? distinct(database_, found->first) : std::vector<std::string>(),
                               {}});
    }
  }

  Targets known_targets() const {
    Targets targets;
    for (const std::string& id : distinct(database_, "target"))
      if (auto target = catalogue_.find_target(id)) targets.push_back(std::move(target));
    return targets;
  }

  SweepRows::Row row_of(const Statement& row, const SweepTable& head) const {
    SweepRows::Row result;
    result.point = static_cast<std::uint64_t>(row.integer(0));
    result.reason = row.text(2);
    for (std::size_t i = 0; i < head.columns.size(); ++i) {
      const SweepColumn& column = head.columns[i];
      result.values.push_back(value_of(row, static_cast<int>(i) + first_column, column));
      const int origin = first_column + static_cast<int>(head.columns.size() + i);
      result.origins.push_back(row.is_null(origin) ? column.origin : origin_from(row.text(origin)));
    }
    result.vector = vector_of(result.values, head);
    return result;
  }

  static double value_of(const Statement& row, int index, const SweepColumn& column) {
    if (row.is_null(index)) return absent;
    if (column.names.empty()) return row.real(index);
    const auto found = std::find(column.names.begin(), column.names.end(), row.text(index));
    return static_cast<double>(found - column.names.begin());
  }

  std::optional<Vector> vector_of(const std::vector<double>& values, const SweepTable& head) const {
    const auto value = [&](std::string_view key) {
      const SweepColumn* column = head.column(key);
      return column ? values[static_cast<std::size_t>(column - head.columns.data())] : absent;
    };
    const double coverage = value("coverage");
    if (!artifact::reaches(std::isnan(coverage) ? std::nullopt : artifact::Coverage(coverage), minimum_coverage_))
      return std::nullopt;
    Vector vector;
    for (const Objective& objective : head.objectives) {
      const double found = value(objective.key);
      if (!std::isfinite(found)) return std::nullopt;
      vector.push_back(objective.maximize ? -found : found);
    }
    return vector;
  }

  const Database& database_;
  const catalogue::Catalogue& catalogue_;
  SweepTable head_;
  double minimum_coverage_ = 1;
};

}  // namespace

std::shared_ptr<const SweepTable> read_rows(const Database& database, const catalogue::Catalogue& catalogue,
                                            const std::string& state) {
  return RowsReader(database, catalogue).read(state);
}

}  // namespace convscope::explore
