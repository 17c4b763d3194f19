#pragma once
// The network as a tree, following and setting the selection.

#include <QTreeView>

#include "ui/workbench.h"

namespace convscope::ui {

class NetworkTreeModel;

class NetworkPanel : public QTreeView {
  Q_OBJECT
 public:
  explicit NetworkPanel(Workbench& workbench, QWidget* parent = nullptr);

 private:
  void follow_selection();
  void set_column_widths();
  void take_selection(const QModelIndex& current);

  Workbench& workbench_;
  NetworkTreeModel* model_;
  bool fresh_ = true;       ///< another tree: columns may become narrower
  bool following_ = false;  ///< the selection is being shown, not made
};

}  // namespace convscope::ui
