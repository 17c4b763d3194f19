#pragma once
// Which columns of a table are shown: a button with a menu, the same menu on the table's header. Remembered by the
// columns' keys, so that columns that come and go, as differences to a baseline do, stay as the user wants them.

#include <QPushButton>
#include <QSet>
#include <QString>
#include <functional>

class QMenu;
class QTableView;

namespace convscope::ui {

class ColumnMenu : public QPushButton {
  Q_OBJECT
 public:
  /// `key` names a column; the first column is always shown.
  ColumnMenu(QTableView& table, std::function<QString(int column)> key, QWidget* parent = nullptr);

  /// Hides what the user does not want to see; to be called whenever the table has other columns.
  void apply();

 private:
  void fill(QMenu& menu);
  void show_column(int column, bool shown);
  void show_all();
  QString setting() const;

  QTableView& table_;
  std::function<QString(int column)> key_;
  QSet<QString> hidden_;
};

}  // namespace convscope::ui
