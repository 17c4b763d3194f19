#include "ui/views/machines/sweep_plot/sweep_text.h"

#include <QLocale>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "ui/parts/drawing.h"
#include "ui/views/machines/sweep_plot/plot_scale.h"

namespace convscope::ui {
namespace {

using explore::SweepColumn;
using explore::SweepTable;

QString percent(double share) {
  const double value = 100 * share;
  return QString::number(value, 'f',
                         value > 0 && value < 0.95    ? 2
                         : value < 99.95 && value > 0 ? 1
                                                      : 0) +
         QStringLiteral(" %");
}

std::string number(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : std::string();
}

std::string field(const SweepColumn& column, double value) {
  if (column.names.empty() || !std::isfinite(value)) return number(value);
  const auto index = static_cast<std::size_t>(value);
  return index < column.names.size() ? csv_field(column.names[index]) : std::string();
}

/// What of a machine a column may tell: nothing if the column is about something else.
std::optional<double> value_of(const SweepColumn& column, const OpenMachine& open) {
  std::string text;
  if (column.key == "level") {
    text = open.level;
  } else if (column.key == "target") {
    text = open.target->id();
  } else {
    const std::string prefix = open.target->id() + ".";
    if (!column.key.starts_with(prefix)) return std::nullopt;
    const auto parameter = open.machine.description().find(column.key);
    if (!parameter) return std::nullopt;
    if (column.names.empty()) return open.machine.at(*parameter);
    text = open.machine.text(*parameter);
  }
  const auto found = std::find(column.names.begin(), column.names.end(), text);
  return found == column.names.end() ? std::nan("") : static_cast<double>(found - column.names.begin());
}

bool is_machine(const SweepTable& table, std::size_t row, const OpenMachine& open) {
  if (!table.space) return true;
  const explore::Point point = table.space->point(table.points[row]);
  const explore::Family& family = table.space->families[point.family];
  return family.target->id() == open.target->id() && family.levels[point.level] == open.level &&
         point.machine == open.machine;
}

}  // namespace

QString points_text(std::uint64_t count) {
  return QLocale(QLocale::English).toString(static_cast<qulonglong>(count));
}

std::shared_ptr<const SweepTable> swept_table(const Snapshot& snapshot) {
  if (!snapshot.exploration || !snapshot.exploration->sweep) return nullptr;
  return snapshot.exploration->sweep->rows() > 0 ? snapshot.exploration->sweep : nullptr;
}

QString missing_sweep_message(const Snapshot& snapshot) {
  const auto table = snapshot.exploration ? snapshot.exploration->sweep : nullptr;
  if (!table) {
    return QStringLiteral(
        "No sweep yet. Explore › Sweep… (F6) compares thousands of machines, or right-click a parameter of the machine "
        "to sweep "
        "it alone.");
  }
  const QString state = to_text(table->state);
  if (table->seen == 0 && state == QStringLiteral("running"))
    return QStringLiteral("The sweep is running: its first points appear here in a moment.");
  QString message = QStringLiteral("The sweep has no point to show (%1).").arg(seen_text(*table));
  const QString removed = removed_text(*table, 3);
  return removed.isEmpty() ? message : message + QChar('\n') + removed;
}

QString seen_text(const SweepTable& table) {
  const double share = table.size > 0 ? static_cast<double>(table.seen) / static_cast<double>(table.size) : 0;
  QString text =
      QStringLiteral("%1 of %2 points seen (%3)").arg(points_text(table.seen), points_text(table.size), percent(share));
  if (!table.state.empty()) text += QStringLiteral(", ") + to_text(table.state);
  return text;
}

QString removed_text(const SweepTable& table, std::size_t most) {
  std::vector<std::pair<std::uint64_t, std::string>> reasons;
  std::uint64_t all = 0;
  for (const auto& [reason, points] : table.removed) {
    reasons.emplace_back(points, reason);
    all += points;
  }
  if (all == 0) return {};
  std::stable_sort(reasons.begin(), reasons.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  QStringList parts;
  for (std::size_t i = 0; i < std::min(most, reasons.size()); ++i)
    parts << QStringLiteral("%1 (%2)").arg(to_text(reasons[i].second), points_text(reasons[i].first));
  if (reasons.size() > most) parts << QStringLiteral("…");
  return QStringLiteral("%1 left out: %2").arg(points_text(all), parts.join(QStringLiteral(", ")));
}

QString row_reading(const SweepTable& table, std::size_t row) {
  QStringList lines{QStringLiteral("point %1").arg(points_text(table.points[row]))};
  if (table.on_front[row] != 0) lines[0] += QStringLiteral(", on the front");
  if (table.comparable[row] == 0) lines[0] += QStringLiteral(", maps too little to be compared");
  if (row < table.reason.size() && table.reason[row] != 0)
    lines << QStringLiteral("not mapped: %1").arg(to_text(table.reasons[table.reason[row]]));
  for (const SweepColumn& column : table.columns) {
    if (!std::isfinite(column.values[row])) continue;
    QString line = QStringLiteral("%1: %2").arg(to_text(column.label), column_value(column, column.values[row]));
    if (column.kind == explore::ColumnKind::objective)
      line += QStringLiteral(" (%1)").arg(to_text(origin_name(column.origin)));
    lines << line;
  }
  return lines.join(QChar('\n'));
}

std::string sweep_csv(const SweepTable& table, const SweepLook& look) {
  std::string text = "point,on_front,comparable,within_brushes";
  for (const SweepColumn& column : table.columns)
    text += "," + csv_field(column.unit.empty() ? column.key : column.key + " (" + column.unit + ")");
  text += "\n";
  const auto within = look.rows_within(table);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    text += fmt::format("{},{},{},{}", table.points[row], int{table.on_front[row]}, int{table.comparable[row]},
                        int{within[row]});
    for (const SweepColumn& column : table.columns) text += "," + field(column, column.values[row]);
    text += "\n";
  }
  return text;
}

std::optional<OpenMachine> open_machine(const Snapshot& snapshot) {
  if (!snapshot.compiled || !snapshot.compiled->target) return std::nullopt;
  return OpenMachine{snapshot.compiled->target, snapshot.compiled->machine, snapshot.compiled->level};
}

std::optional<std::size_t> row_of(const SweepTable& table, const OpenMachine& open) {
  std::vector<std::pair<const SweepColumn*, double>> wanted;
  for (const SweepColumn& column : table.columns) {
    if (column.kind != explore::ColumnKind::machine) continue;
    if (const auto value = value_of(column, open)) wanted.emplace_back(&column, *value);
  }
  if (wanted.empty()) return std::nullopt;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const bool same = std::all_of(wanted.begin(), wanted.end(),
                                  [row](const auto& each) { return each.first->values[row] == each.second; });
    if (same && is_machine(table, row, open)) return row;
  }
  return std::nullopt;
}

}  // namespace convscope::ui
