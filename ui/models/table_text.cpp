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

using Shown = std::function<bool(int column)>;

QString title(const QAbstractItemModel& model, int column) {
  const QVariant full = model.headerData(column, Qt::Horizontal, full_title_role);
  return cell(full.isValid() ? full : model.headerData(column, Qt::Horizontal));
}

void add_rows(const QAbstractItemModel& model, const Shown& shown, const QModelIndex& parent, int depth,
              QStringList& lines) {
  for (int row = 0; row < model.rowCount(parent); ++row) {
    QStringList cells;
    for (int column = 0; column < model.columnCount(parent); ++column) {
      if (!shown || shown(column)) cells << cell(model.index(row, column, parent).data());
    }
    if (!cells.isEmpty()) cells[0].prepend(QString(2 * depth, ' '));
    lines << cells.join('\t');
    add_rows(model, shown, model.index(row, 0, parent), depth + 1, lines);
  }
}

}  // namespace

QString table_text(const QAbstractItemModel& model, const Shown& shown) {
  QStringList header;
  for (int column = 0; column < model.columnCount(); ++column) {
    if (!shown || shown(column)) header << title(model, column);
  }
  QStringList lines{header.join('\t')};
  add_rows(model, shown, {}, 0, lines);
  return lines.join('\n') + '\n';
}

}  // namespace convscope::ui
