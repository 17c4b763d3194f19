#pragma once
// The layer table, sortable, following and setting the selection; copies as text with tabs.

#include <QTableView>

#include "ui/workbench.h"

class QSortFilterProxyModel;

namespace convscope::ui {

class LayerTableModel;

class LayerPanel : public QTableView {
  Q_OBJECT
 public:
  explicit LayerPanel(Workbench& workbench, QWidget* parent = nullptr);

  /// The whole table with its headers, cells divided by tabs.
  QString text() const;

 private:
  void follow_selection();
  void set_column_widths();
  void take_selection(const QModelIndex& current);

  Workbench& workbench_;
  LayerTableModel* model_;
  QSortFilterProxyModel* sorted_;
  bool fresh_ = true;       ///< other columns: they may become narrower
  bool following_ = false;  ///< the selection is being shown, not made
};

}  // namespace convscope::ui
