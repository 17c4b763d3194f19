#include "ui/parts/table_text.h"

#include <QAbstractItemModel>
#include <QCoreApplication>
#include <QElapsedTimer>
#include <limits>
#include <utility>

#include "ui/words/figures.h"

namespace convscope::ui {
namespace {

QString plain(const QVariant& value) {
  QString text = value.toString();
  for (QChar& character : text) {
    if (character == '\t' || character == '\n' || character == '\r') character = ' ';
  }
  return text;
}

}  // namespace

TableText::TableText(const QAbstractItemModel& model, Shown shown)
    : model_(model), shown_(std::move(shown)), places_{{}} {}

QString TableText::title(int column) const {
  const QVariant full = model_.headerData(column, Qt::Horizontal, full_title_role);
  return plain(full.isValid() ? full : model_.headerData(column, Qt::Horizontal));
}

bool TableText::add_rows(int milliseconds) {
  QElapsedTimer time;
  time.start();
  while (!places_.empty()) {
    Place& place = places_.back();
    if (place.row >= model_.rowCount(place.parent)) {
      places_.pop_back();
      continue;
    }
    const QModelIndex parent = place.parent;
    const int row = place.row++;
    add_row(parent, row, static_cast<int>(places_.size()) - 1);
    places_.push_back({model_.index(row, 0, parent), 0});
    if (time.elapsed() >= milliseconds) return false;
  }
  return true;
}

void TableText::add_row(const QModelIndex& parent, int row, int depth) {
  std::vector<Cell> cells;
  for (int column = 0; column < model_.columnCount(parent); ++column) {
    if (!is_shown(column)) continue;
    const QModelIndex index = model_.index(row, column, parent);
    Cell cell{plain(index.data()), index.data(origin_role).toString()};
    if (!cell.origin.isEmpty()) origins_[column].insert(cell.origin);
    cells.push_back(std::move(cell));
  }
  if (!cells.empty()) cells[0].text.prepend(QString(2 * depth, ' '));
  rows_.push_back(std::move(cells));
}

QString TableText::text() const {
  const auto origins_of = [this](int column) {
    const auto found = origins_.find(column);
    return found == origins_.end() ? std::set<QString>{} : found->second;
  };
  QStringList header;
  std::vector<bool> own_column;  // of those that are shown
  for (int column = 0; column < model_.columnCount(); ++column) {
    if (!is_shown(column)) continue;
    const auto origins = origins_of(column);
    own_column.push_back(origins.size() > 1);
    header << (origins.size() == 1 ? QStringLiteral("%1 (%2)").arg(title(column), *origins.begin()) : title(column));
    if (own_column.back()) header << QCoreApplication::translate("figures", "%1, origin").arg(title(column));
  }
  QString text = header.join('\t') + '\n';
  for (const auto& row : rows_) {
    for (std::size_t column = 0; column < row.size(); ++column) {
      if (column > 0) text += '\t';
      text += row[column].text;
      if (column < own_column.size() && own_column[column]) text += '\t' + row[column].origin;
    }
    text += '\n';
  }
  return text;
}

QString table_text(const QAbstractItemModel& model, const TableText::Shown& shown) {
  TableText text(model, shown);
  text.add_rows(std::numeric_limits<int>::max());
  return text.text();
}

}  // namespace convscope::ui
