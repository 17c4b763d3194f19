#include "ui/published_figures/figure_model.h"

#include "core/analysis/table.h"
#include "ui/models/figures.h"

namespace convscope::ui {
namespace {

using figures::Cell;

/// A small mark behind a number that is not ours: what the tooltip says in words.
QString origin_mark(Origin origin) {
  switch (origin) {
    case Origin::published:
      return QStringLiteral(" ᵖ");
    case Origin::estimate:
      return QStringLiteral(" ≈");
    case Origin::measured:
      return QStringLiteral(" ᵐ");
    default:
      return {};
  }
}

QString tip(const Cell& cell) {
  if (!cell.value) return {};
  const QString digits = QString::fromStdString(analysis::number_text(*cell.value));
  const bool ratio = cell.unit == "%" || cell.unit == "±%";
  const QString unit = cell.unit.empty() || ratio ? QString() : " " + QString::fromStdString(cell.unit);
  return digits + unit + "\n" + origin_text(cell.origin);
}

}  // namespace

void FigureModel::set_figure(figures::Figure figure) {
  beginResetModel();
  figure_ = std::move(figure);
  endResetModel();
}

int FigureModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(figure_.rows.size());
}

int FigureModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(figure_.columns.size());
}

QVariant FigureModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const auto& row = figure_.rows[static_cast<std::size_t>(index.row())];
  if (static_cast<std::size_t>(index.column()) >= row.size()) return {};
  const Cell& cell = row[static_cast<std::size_t>(index.column())];
  switch (role) {
    case Qt::DisplayRole:
      return QString::fromStdString(figures::cell_text(cell)) + (cell.value ? origin_mark(cell.origin) : QString());
    case Qt::ToolTipRole:
      return tip(cell);
    case Qt::TextAlignmentRole:
      return QVariant(cell.value ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    case value_role:
      return cell.value ? QVariant(*cell.value) : QVariant(QString::fromStdString(cell.text));
    default:
      return {};
  }
}

QVariant FigureModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole) return {};
  if (orientation == Qt::Vertical) return section + 1;
  return QString::fromStdString(figure_.columns[static_cast<std::size_t>(section)]);
}

QString tab_separated(const figures::Figure& figure) {
  QStringList lines, names;
  for (const std::string& column : figure.columns) names << QString::fromStdString(column);
  lines << names.join('\t');
  for (const auto& row : figure.rows) {
    QStringList cells;
    for (const Cell& cell : row)
      cells << QString::fromStdString(cell.value ? analysis::number_text(*cell.value) : cell.text);
    lines << cells.join('\t');
  }
  return lines.join('\n') + '\n';
}

}  // namespace convscope::ui
