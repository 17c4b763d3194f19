#include "ui/document/exploration/point_machine.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "ui/words/figures.h"
#include "ui/words/translated.h"

namespace convscope::ui {
namespace {

using explore::ColumnKind;
using explore::SweepColumn;
using explore::SweepTable;

/// The same values over the description of the window's target.
arch::ParameterValues over(const std::shared_ptr<const arch::MachineDescription>& description,
                           const arch::ParameterValues& values) {
  arch::ParameterValues result(description);
  for (std::size_t i = 0; i < description->parameters.size(); ++i) result.set_at(i, values.at(i));
  return result;
}

QString cell(const SweepColumn& column, std::size_t row) {
  return QString::fromStdString(column_text(column, column.values[row]));
}

QString headline(const SweepTable& table, std::size_t row) {
  const QString number = translated("Point %1").arg(count_text(static_cast<std::int64_t>(table.points[row])));
  if (table.on_front[row] != 0) return number + translated(", on the front");
  return table.comparable[row] != 0 ? number : number + translated(", not compared");
}

bool is_objective(const SweepTable& table, const SweepColumn& column) {
  return std::any_of(table.objectives.begin(), table.objectives.end(),
                     [&](const auto& objective) { return objective.key == column.key; });
}

/// Objectives of the front first: what one asks for.
QStringList figures(const SweepTable& table, std::size_t row) {
  QStringList first, rest;
  for (const SweepColumn& column : table.columns) {
    if (column.kind != ColumnKind::objective || std::isnan(column.values[row])) continue;
    if (column.key == "coverage") continue;
    const QString origin = QString::fromUtf8(origin_name(column.origin).data());
    const auto line =
        QStringLiteral("%1: %2 (%3)").arg(QString::fromStdString(column.label), cell(column, row), origin);
    (is_objective(table, column) ? first : rest) << line;
  }
  return first + rest;
}

QString obstacle(const SweepTable& table, std::size_t row) {
  const SweepColumn* coverage = table.column("coverage");
  const QString reason = QString::fromStdString(table.reasons[table.reason[row]]);
  if (coverage != nullptr && !reason.isEmpty() && std::isnan(coverage->values[row]))
    return translated("Nobody knows which part of the MACs it maps; %1").arg(reason);
  if (coverage != nullptr && !reason.isEmpty()) {
    return translated("Maps %1 of the MACs only; %2").arg(percent_text(coverage->values[row]), reason);
  }
  return table.comparable[row] != 0 ? QString() : translated("Has no value for an objective of the front");
}

}  // namespace

std::optional<Settings> point_settings(const explore::Space& space, std::uint64_t point, const Targets& targets) {
  if (point >= space.size()) return std::nullopt;
  const explore::Point machine = space.point(point);
  const explore::Family& family = space.families[machine.family];
  const auto found =
      std::find_if(targets.begin(), targets.end(), [&](const auto& each) { return each->id() == family.target->id(); });
  if (found == targets.end()) return std::nullopt;
  const explore::PresetValues& preset = family.presets[machine.preset];
  const auto description = (*found)->machine();
  return Settings{*found, over(description, machine.machine), over(description, preset.values),
                  QString::fromStdString(preset.name), QString::fromStdString(family.levels[machine.level])};
}

std::optional<Settings> stored_settings(const explore::StoredMachine& machine, const Targets& targets,
                                        const std::string& file, Diagnostics& diagnostics) {
  const auto found =
      std::find_if(targets.begin(), targets.end(), [&](const auto& each) { return each->id() == machine.target; });
  const auto level = QString::fromStdString(machine.level);
  if (found == targets.end() || !has_level(**found, level)) {
    diagnostics.error({file, 0, "target '" + machine.target + "'"},
                      "no such target, or none with level " + machine.level);
    return std::nullopt;
  }
  Diagnostics missing;
  auto settings = read_settings(*found, QString::fromStdString(machine.preset), level, missing);
  if (!settings) settings = default_settings(*found);
  settings->level = level;
  for (const auto& [name, value] : machine.parameters) {
    if (!settings->values.set(name, value, diagnostics, {file, 0, {}})) return std::nullopt;
  }
  return settings;
}

QString point_text(const SweepTable& table, std::uint64_t point) {
  const auto row = table.row(point);
  if (!row) return {};
  QStringList machine;
  for (const SweepColumn& column : table.columns) {
    if (column.kind != ColumnKind::machine || std::isnan(column.values[*row])) continue;
    machine << QString::fromStdString(column.label) + ' ' + cell(column, *row);
  }
  QStringList lines{headline(table, *row)};
  if (!machine.isEmpty()) lines << machine.join(QStringLiteral(", "));
  lines << figures(table, *row);
  if (const QString why = obstacle(table, *row); !why.isEmpty()) lines << why;
  return lines.join('\n');
}

}  // namespace convscope::ui
