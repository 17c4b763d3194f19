#include "ui/panels/sweep_results/sweep_table_model.h"

#include <QBrush>
#include <QFont>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ui/document/exploration/exploration.h"
#include "ui/words/figures.h"

namespace convscope::ui {
namespace {

using explore::ColumnKind;
using explore::SweepTable;

std::shared_ptr<const SweepTable> shown_table(Workbench& workbench) {
  auto table = workbench.exploration().state()->sweep;
  return table ? table : std::make_shared<const SweepTable>();
}

bool same_columns(const SweepTable& a, const SweepTable& b) {
  return std::equal(a.columns.begin(), a.columns.end(), b.columns.begin(), b.columns.end(),
                    [](const auto& x, const auto& y) { return x.key == y.key; });
}

/// True if every point of the one is among those of the other, which both list ascending.
bool contains(const SweepTable& more, const SweepTable& less) {
  return std::includes(more.points.begin(), more.points.end(), less.points.begin(), less.points.end());
}

}  // namespace

SweepTableModel::SweepTableModel(Workbench& workbench, QObject* parent)
    : QAbstractTableModel(parent), workbench_(workbench), table_(std::make_shared<const SweepTable>()) {
  connect(&workbench.exploration(), &Exploration::changed, this, &SweepTableModel::take_table);
  connect(&workbench.exploration(), &Exploration::look_changed, this, &SweepTableModel::take_look);
  on_change(workbench, this, Change::theme, [this] {
    if (!rows_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
  });
  take_table();
}

void SweepTableModel::take_table() {
  auto table = shown_table(workbench_);
  if (table == table_) return;
  const bool grown = filter_ == SweepFilter::all && same_columns(*table, *table_) && !table_->points.empty() &&
                     contains(*table, *table_);
  if (grown) return extend(std::move(table));
  beginResetModel();
  table_ = std::move(table);
  formats_ = sweep_formats(*table_);
  take_brushes();
  rows_ = filtered();
  sort_rows(rows_);
  endResetModel();
}

/// Rows that were there stay what they are for whoever holds one: new ones are put below, then all take their places.
void SweepTableModel::extend(std::shared_ptr<const SweepTable> table) {
  std::vector<std::uint8_t> old(table->rows(), 0);
  Rows rows;
  rows.reserve(table->rows());
  for (const std::uint32_t row : rows_) {
    const auto place = std::lower_bound(table->points.begin(), table->points.end(), table_->points[row]);
    rows.push_back(static_cast<std::uint32_t>(place - table->points.begin()));
    old[rows.back()] = 1;
  }
  for (std::uint32_t row = 0; row < table->rows(); ++row) {
    if (old[row] == 0) rows.push_back(row);
  }
  const bool more = rows.size() > rows_.size();
  if (more) beginInsertRows({}, rowCount(), static_cast<int>(rows.size()) - 1);
  table_ = std::move(table);
  formats_ = sweep_formats(*table_);
  rows_ = std::move(rows);
  take_brushes();
  if (more) endInsertRows();
  arrange();
  emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
  if (!rows_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void SweepTableModel::arrange() {
  Rows sorted = rows_;
  sort_rows(sorted);
  if (sorted == rows_) return;
  emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
  std::vector<int> place(table_->rows(), -1);
  for (std::size_t i = 0; i < sorted.size(); ++i) place[sorted[i]] = static_cast<int>(i);
  const QModelIndexList held = persistentIndexList();
  QModelIndexList moved;
  for (const QModelIndex& each : held) {
    moved << index(place[rows_[static_cast<std::size_t>(each.row())]], each.column());
  }
  rows_ = std::move(sorted);
  changePersistentIndexList(held, moved);
  emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

void SweepTableModel::restart() {
  beginResetModel();
  rows_ = filtered();
  sort_rows(rows_);
  endResetModel();
}

void SweepTableModel::take_brushes() {
  within_ = workbench_.exploration().state()->look.rows_within(*table_);
}

void SweepTableModel::take_look() {
  const auto before = within_;
  take_brushes();
  if (filter_ == SweepFilter::brushed && before != within_) return restart();
  if (!rows_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void SweepTableModel::set_filter(SweepFilter filter) {
  if (filter == filter_) return;
  filter_ = filter;
  restart();
}

SweepTableModel::Rows SweepTableModel::filtered() const {
  Rows rows(table_->rows());
  std::iota(rows.begin(), rows.end(), 0U);
  if (filter_ == SweepFilter::front) std::erase_if(rows, [&](auto row) { return table_->on_front[row] == 0; });
  if (filter_ == SweepFilter::brushed) std::erase_if(rows, [&](auto row) { return within_[row] == 0; });
  return rows;
}

double SweepTableModel::sort_value(std::uint32_t row) const {
  if (sort_column_ == mark_column) return table_->on_front[row] * 2.0 + table_->comparable[row];
  if (sort_column_ < first_column) return row;
  return table_->columns[static_cast<std::size_t>(sort_column_ - first_column)].values[row];
}

void SweepTableModel::sort_rows(Rows& rows) const {
  std::sort(rows.begin(), rows.end());  // by point, since the table is
  if (sort_column_ < 0 || sort_column_ >= first_column + static_cast<int>(table_->columns.size())) return;
  const bool ascending = order_ == Qt::AscendingOrder;
  std::stable_sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
    const double x = sort_value(a), y = sort_value(b);
    if (std::isnan(x) || std::isnan(y)) return std::isnan(y) && !std::isnan(x);
    return ascending ? x < y : x > y;
  });
}

void SweepTableModel::sort(int column, Qt::SortOrder order) {
  sort_column_ = column;
  order_ = order;
  arrange();
}

int SweepTableModel::row_of(std::uint64_t point) const {
  const auto row = table_->row(point);
  if (!row) return -1;
  const auto found = std::find(rows_.begin(), rows_.end(), static_cast<std::uint32_t>(*row));
  return found == rows_.end() ? -1 : static_cast<int>(found - rows_.begin());
}

int SweepTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int SweepTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() || table_->columns.empty() ? 0 : first_column + static_cast<int>(table_->columns.size());
}

QVariant SweepTableModel::font(std::size_t row, int column) const {
  const bool estimate = column >= first_column && formats_[static_cast<std::size_t>(column - first_column)].origin ==
                                                      QLatin1String(origin_name(Origin::estimate).data());
  if (table_->on_front[row] == 0 && !estimate) return {};
  QFont font = workbench_.theme().label_font();
  font.setBold(table_->on_front[row] != 0);
  font.setItalic(estimate);
  return font;
}

QVariant SweepTableModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const std::size_t row = rows_[static_cast<std::size_t>(index.row())];
  const auto place = static_cast<std::size_t>(index.column() - first_column);
  switch (role) {
    case Qt::DisplayRole:
      if (index.column() == mark_column) return sweep_mark(*table_, row);
      if (index.column() == point_column) return count_text(static_cast<std::int64_t>(table_->points[row]));
      return sweep_cell(table_->columns[place], formats_[place], table_->columns[place].values[row]);
    case Qt::ToolTipRole:
      return workbench_.exploration().describe(table_->points[row]);
    case Qt::TextAlignmentRole: {
      const bool text =
          index.column() == mark_column || (index.column() >= first_column && !table_->columns[place].names.empty());
      return QVariant::fromValue((text ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    }
    case Qt::ForegroundRole:
      if (within_[row] == 0 || table_->comparable[row] == 0) return QBrush(workbench_.theme().muted_text);
      return {};
    case Qt::FontRole:
      return font(row, index.column());
    default:
      return {};
  }
}

QVariant SweepTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  const auto place = static_cast<std::size_t>(section - first_column);
  const bool text = section == mark_column || (section >= first_column && !table_->columns[place].names.empty());
  if (role == Qt::TextAlignmentRole) {
    return QVariant::fromValue((text ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  }
  if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
  if (section == mark_column) return role == Qt::DisplayRole ? tr("Mark") : tr("◆ on the front, ◌ not compared");
  if (section == point_column) return role == Qt::DisplayRole ? tr("Point") : tr("Number of the point in its space");
  const explore::SweepColumn& column = table_->columns[place];
  if (role == Qt::DisplayRole) return formats_[place].header();
  if (column.kind == ColumnKind::machine) return QString::fromStdString(column.key);
  return tr("%1\n%2; %3")
      .arg(QString::fromStdString(column.key), origin_text(column.origin),
           column.maximize ? tr("more is better") : tr("less is better"));
}

}  // namespace convscope::ui
