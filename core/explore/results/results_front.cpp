#include "core/explore/results/results_front.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/explore/results/front.h"

namespace convscope::explore {
namespace {

class FrontReader {
 public:
  FrontReader(const Database& database, const FrontOptions& options) : database_(database), options_(options) {}

  FrontReport read() {
    read_meta();
    read_objectives();
    count_removed();
    const Front front = find_front();
    std::vector<std::uint64_t> points;
    for (const Front::Member& member : front.members()) points.push_back(member.point);
    read_rows(points);
    if (options_.dominated) read_dominated(points);
    drop_empty_columns();
    return std::move(report_);
  }

 private:
  std::string meta(const char* key) const {
    return database_.text(fmt::format("SELECT value FROM meta WHERE key = '{}'", key)).value_or("");
  }

  void read_meta() {
    if (meta("schema") != "convscope-sweep") throw SqlError("this is no results file of a sweep");
    report_.space = meta("space");
    report_.title = meta("title");
    report_.strategy = meta("strategy");
    report_.size = static_cast<std::uint64_t>(database_.integer("SELECT value FROM meta WHERE key = 'points'"));
    report_.seen = static_cast<std::uint64_t>(database_.integer("SELECT count(*) FROM points"));
    Statement coverage(database_, "SELECT value FROM meta WHERE key = 'minimum_coverage'");
    if (coverage.step()) report_.minimum_coverage = coverage.real(0);
    report_.minimum_coverage = options_.minimum_coverage.value_or(report_.minimum_coverage);
  }

  void read_objectives() {
    report_.objectives = options_.objectives;
    if (report_.objectives.empty()) {
      Statement objectives(database_, "SELECT name, best FROM objectives ORDER BY position");
      while (objectives.step()) report_.objectives.push_back({objectives.text(0), objectives.text(1) == "most"});
    }
    for (const Objective& each : report_.objectives)
      if (!has_column(database_, "points", each.key)) throw SqlError("unknown objective " + each.key);
  }

  void count_removed() {
    Statement removed(database_, "SELECT reason, count(*) FROM points WHERE status <> 'done' GROUP BY reason");
    while (removed.step()) report_.removed[removed.text(0)] = static_cast<std::uint64_t>(removed.integer(1));
  }

  Front find_front() {
    std::vector<std::string> columns;
    for (const Objective& objective : report_.objectives) columns.push_back(sql_name(objective.key));
    Statement done(database_, fmt::format("SELECT point, coverage, {} FROM points WHERE status = 'done'",
                                          fmt::join(columns, ", ")));
    Front front;
    while (done.step()) {
      if (!artifact::reaches(done.optional_real(1), report_.minimum_coverage))
        ++report_.below_coverage;
      else if (auto values = vector_of(done))
        front.add(static_cast<std::uint64_t>(done.integer(0)), std::move(*values));
    }
    return front;
  }

  std::optional<Vector> vector_of(const Statement& row) const {
    Vector values;
    for (std::size_t i = 0; i < report_.objectives.size(); ++i) {
      const int column = static_cast<int>(i) + 2;
      if (row.is_null(column)) return std::nullopt;
      values.push_back(report_.objectives[i].maximize ? -row.real(column) : row.real(column));
    }
    return values;
  }

  void add_row(const Statement& row, bool on_front) {
    FrontRow values{on_front, {}};
    for (int i = 0; i < row.columns(); ++i) values.values.push_back(row.value(i));
    report_.rows.push_back(std::move(values));
  }

  void read_rows(const std::vector<std::uint64_t>& points) {
    Statement row(database_, "SELECT * FROM points WHERE point = ?");
    for (int i = 0; i < row.columns(); ++i) report_.columns.push_back(row.name(i));
    for (const std::uint64_t point : points) {
      row.reset();
      row.bind(1, static_cast<std::int64_t>(point));
      if (row.step()) add_row(row, true);
    }
  }

  void read_dominated(std::vector<std::uint64_t> front) {
    std::sort(front.begin(), front.end());
    Statement row(database_, "SELECT * FROM points WHERE status = 'done' ORDER BY point");
    while (row.step())
      if (!std::binary_search(front.begin(), front.end(), static_cast<std::uint64_t>(row.integer(0))))
        add_row(row, false);
  }

  // Parameters of a target none of whose machines is listed say nothing.
  void drop_empty_columns() {
    const auto empty = [](const SqlValue& value) { return std::holds_alternative<std::monostate>(value); };
    for (std::size_t i = report_.columns.size(); i-- > 0;) {
      const bool parameter = report_.columns[i].find('.') != std::string::npos;
      if (!parameter || report_.rows.empty()) continue;
      if (!std::all_of(report_.rows.begin(), report_.rows.end(), [&](const auto& row) { return empty(row.values[i]); }))
        continue;
      report_.columns.erase(report_.columns.begin() + static_cast<std::ptrdiff_t>(i));
      for (FrontRow& row : report_.rows) row.values.erase(row.values.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  const Database& database_;
  const FrontOptions& options_;
  FrontReport report_;
};

}  // namespace

std::optional<FrontReport> read_front(const std::string& path, const FrontOptions& options, Diagnostics& diagnostics) {
  try {
    const Database database(path, Database::Access::read);
    return FrontReader(database, options).read();
  } catch (const SqlError& error) {
    diagnostics.error({path, 0, {}}, fmt::format("can't be read: {}", error.what()), "a results file of `sweep`");
    return std::nullopt;
  }
}

}  // namespace convscope::explore
