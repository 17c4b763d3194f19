#include "ui/panels/sweep_results/sweep_columns.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>
#include <cmath>

#include "ui/words/translated.h"

namespace convscope::ui {
namespace {

using explore::ColumnKind;
using explore::SweepColumn;

bool is_ratio(const SweepColumn& column) {
  return column.key == "utilization" || column.key == "coverage";
}

/// Units that take a prefix; counts are written out.
bool is_scaled(const SweepColumn& column) {
  return column.unit == "s" || column.unit == "byte" || column.unit == "bit";
}

struct Prefix {
  const char* text;
  double factor;
};

Prefix prefix_for(double most) {
  static constexpr Prefix prefixes[] = {{"G", 1e9}, {"M", 1e6}, {"k", 1e3}, {"", 1}, {"m", 1e-3}, {"µ", 1e-6}};
  for (const Prefix& each : prefixes) {
    if (most >= each.factor) return each;
  }
  return {"n", 1e-9};
}

int decimals_for(double shown) {
  if (shown >= 100) return 1;
  return shown >= 10 ? 2 : 3;
}

SweepColumnFormat format_of(const SweepColumn& column) {
  SweepColumnFormat format;
  format.label = QString::fromStdString(column.label);
  format.unit = QString::fromStdString(column.unit);
  if (column.kind == ColumnKind::machine) return format;
  format.origin = QString::fromUtf8(origin_name(column.origin).data());
  if (is_ratio(column)) {
    format.unit = QStringLiteral("%");
    format.scale = 100;
    format.decimals = 1;
  } else if (is_scaled(column) && column.least <= column.most) {
    const Prefix prefix = prefix_for(std::max(std::abs(column.least), std::abs(column.most)));
    format.unit = QString::fromUtf8(prefix.text) + format.unit;
    format.scale = 1 / prefix.factor;
    format.decimals = decimals_for(column.most * format.scale);
  } else {
    format.grouped = true;
  }
  return format;
}

}  // namespace

QString SweepColumnFormat::header() const {
  QStringList below;
  if (!unit.isEmpty()) below << unit;
  if (!origin.isEmpty()) below << origin;
  return label + '\n' + below.join(QStringLiteral(", "));
}

std::vector<SweepColumnFormat> sweep_formats(const explore::SweepTable& table) {
  std::vector<SweepColumnFormat> formats;
  for (const SweepColumn& column : table.columns) formats.push_back(format_of(column));
  return formats;
}

QString sweep_cell(const SweepColumn& column, const SweepColumnFormat& format, double value) {
  if (std::isnan(value)) return {};
  if (!column.names.empty()) return QString::fromStdString(column.names[static_cast<std::size_t>(value)]);
  if (format.decimals >= 0) return QString::number(value * format.scale, 'f', format.decimals);
  const bool whole = value == std::floor(value) && std::abs(value) < 1e15;
  if (format.grouped && whole) return QLocale(QLocale::English).toString(static_cast<qlonglong>(value));
  return QString::number(value, 'g', 12);
}

QString sweep_mark(const explore::SweepTable& table, std::size_t row) {
  if (table.on_front[row] != 0) return translated("◆ front");
  return table.comparable[row] != 0 ? QString() : translated("◌ partial");
}

QString sweep_text(const explore::SweepTable& table, const std::vector<std::uint32_t>& rows) {
  const auto formats = sweep_formats(table);
  QStringList header{translated("Mark"), translated("Point")};
  for (const SweepColumnFormat& each : formats) {
    const QString unit = each.unit.isEmpty() ? QString() : QStringLiteral(" [%1]").arg(each.unit);
    header << each.label + unit + (each.origin.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(each.origin));
  }
  QString text = header.join('\t') + '\n';
  for (const std::uint32_t row : rows) {
    text += sweep_mark(table, row) + '\t' + QString::number(table.points[row]);
    for (std::size_t i = 0; i < formats.size(); ++i) {
      text += '\t' + sweep_cell(table.columns[i], formats[i], table.columns[i].values[row]);
    }
    text += '\n';
  }
  return text;
}

}  // namespace convscope::ui
