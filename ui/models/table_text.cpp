#include "ui/models/table_text.h"

#include <QAbstractItemModel>

namespace convscope::ui {
namespace {

QString cell(const QVariant& value) {
  QString text = value.toString();
  for (QChar& character : text) {
    if (character == '\t' || character == '\n' || character == '\r') character = ' ';
  }
  return text;
}

void add_rows(const QAbstractItemModel& model, const QModelIndex& parent, int depth, QStringList& lines) {
  for (int row = 0; row < model.rowCount(parent); ++row) {
    QStringList cells;
    for (int column = 0; column < model.columnCount(parent); ++column) {
      cells << cell(model.index(row, column, parent).data());
    }
    if (!cells.isEmpty()) cells[0].prepend(QString(2 * depth, ' '));
    lines << cells.join('\t');
    add_rows(model, model.index(row, 0, parent), depth + 1, lines);
  }
}

}  // namespace

QString table_text(const QAbstractItemModel& model) {
  QStringList header;
  for (int column = 0; column < model.columnCount(); ++column) {
    header << cell(model.headerData(column, Qt::Horizontal));
  }
  QStringList lines{header.join('\t')};
  add_rows(model, {}, 0, lines);
  return lines.join('\n') + '\n';
}

}  // namespace convscope::ui
