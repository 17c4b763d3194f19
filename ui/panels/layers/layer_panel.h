#pragma once
// The layer table, sortable and searchable, following and setting the selection; copies as text with tabs.

#include <QWidget>
#include <vector>

#include "ui/model/view_host.h"

class QTableView;

namespace convscope::ui {

class ColumnMenu;
class LayerFilter;
class LayerTableModel;

class LayerPanel : public QWidget {
  Q_OBJECT
 public:
  explicit LayerPanel(ViewHost& host, QWidget* parent = nullptr);

  /// The table as shown, with its headers, cells divided by tabs.
  QString text() const;

 private:
  void set_up_table();
  void search(const QString& text);
  void follow_selection();
  /// Letters of the longest visible text.
  int longest_text(int column) const;
  void set_column_widths();
  void take_selection(const QModelIndex& current);

  ViewHost& host_;
  LayerTableModel* model_;
  LayerFilter* sorted_;
  QTableView* table_;
  ColumnMenu* columns_ = nullptr;
  std::vector<int> measured_;  ///< by column: letters of the text that its width was set by
  bool fresh_ = true;          ///< other columns: they may become narrower
  bool following_ = false;     ///< the selection is being shown, not made
};

}  // namespace convscope::ui
