#pragma once
// A table or tree as text for spreadsheets: a header and rows with tabs between cells; deeper rows are indented.
// Figures say where they come from: in the header if a column's figures all come from the same, "Cycles (derived)",
// else in a column of their own behind it, so that numbers stay numbers.

#include <QModelIndex>
#include <QString>
#include <QStringList>
#include <functional>
#include <map>
#include <set>
#include <vector>

class QAbstractItemModel;

namespace convscope::ui {

/// Made in steps, so that a large table does not hold up the window. The model must not change in between.
class TableText {
 public:
  using Shown = std::function<bool(int column)>;

  /// Only columns that `shown` says yes to; all without it.
  explicit TableText(const QAbstractItemModel& model, Shown shown = {});

  /// Goes on for about so long, one row at least; true once all rows are there.
  bool add_rows(int milliseconds);
  /// Call when all rows are there.
  QString text() const;

 private:
  struct Place {
    QModelIndex parent;
    int row = 0;
  };
  struct Cell {
    QString text, origin;
  };

  bool is_shown(int column) const { return !shown_ || shown_(column); }
  QString title(int column) const;
  void add_row(const QModelIndex& parent, int row, int depth);

  const QAbstractItemModel& model_;
  Shown shown_;
  std::vector<Place> places_;  ///< rows to go on with, outermost first
  std::vector<std::vector<Cell>> rows_;
  std::map<int, std::set<QString>> origins_;  ///< by column
};

/// All at once.
QString table_text(const QAbstractItemModel& model, const TableText::Shown& shown = {});

/// Role of headers under which they say in full what the window shortens.
inline constexpr int full_title_role = Qt::UserRole + 2;

}  // namespace convscope::ui
