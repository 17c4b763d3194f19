#include "ui/published_figures/figure_model.h"

#include <QStringList>
#include <set>
#include <vector>

#include "core/analysis/table.h"
#include "ui/words/figures.h"
#include "ui/words/text.h"

namespace convscope::ui {
namespace {

using figures::Cell;

/// Behind a number that is not ours: what the tooltip says in words.
QString foreign_mark(Origin origin) {
  const bool ours = origin == Origin::simulated || origin == Origin::derived;
  return ours ? QString() : ' ' + origin_mark(origin);
}

QString tip(const Cell& cell) {
  if (!cell.value) return {};
  const QString digits = to_text(analysis::number_text(*cell.value));
  const bool ratio = cell.unit == "%" || cell.unit == "±%";
  const QString unit = cell.unit.empty() || ratio ? QString() : " " + to_text(cell.unit);
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
      return to_text(figures::cell_text(cell)) + (cell.value ? foreign_mark(cell.origin) : QString());
    case Qt::ToolTipRole:
      return tip(cell);
    case Qt::TextAlignmentRole:
      return QVariant(cell.value ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    case value_role:
      return cell.value ? QVariant(*cell.value) : QVariant(to_text(cell.text));
    case origin_role:
      return cell.value ? QVariant(to_text(origin_name(cell.origin))) : QVariant();
    default:
      return {};
  }
}

QVariant FigureModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole) return {};
  if (orientation == Qt::Vertical) return section + 1;
  return to_text(figure_.columns[static_cast<std::size_t>(section)]);
}

QString tab_separated(const figures::Figure& figure) {
  std::vector<std::set<Origin>> origins(figure.columns.size());
  for (const auto& row : figure.rows) {
    for (std::size_t column = 0; column < row.size() && column < origins.size(); ++column)
      if (row[column].value) origins[column].insert(row[column].origin);
  }
  QStringList header;
  for (std::size_t column = 0; column < origins.size(); ++column) {
    const QString title = to_text(figure.columns[column]);
    const auto& of = origins[column];
    header << (of.size() == 1 ? QStringLiteral("%1 (%2)").arg(title, to_text(origin_name(*of.begin()))) : title);
    if (of.size() > 1) header << FigureModel::tr("%1, origin").arg(title);
  }
  QStringList lines{header.join('\t')};
  for (const auto& row : figure.rows) {
    QStringList cells;
    for (std::size_t column = 0; column < row.size(); ++column) {
      const Cell& cell = row[column];
      cells << to_text(cell.value ? analysis::number_text(*cell.value) : cell.text);
      if (column < origins.size() && origins[column].size() > 1)
        cells << (cell.value ? to_text(origin_name(cell.origin)) : QString());
    }
    lines << cells.join('\t');
  }
  return lines.join('\n') + '\n';
}

}  // namespace convscope::ui
