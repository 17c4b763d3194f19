#pragma once
// The network as a tree that can be searched, following and setting the selection.

#include <QWidget>

#include "ui/model/view_host.h"

class QTreeView;

namespace convscope::ui {

class LayerFilter;
class NetworkTreeModel;

class NetworkPanel : public QWidget {
  Q_OBJECT
 public:
  explicit NetworkPanel(ViewHost& host, QWidget* parent = nullptr);

 private:
  void set_up_tree();
  void connect_all();
  void search(const QString& text);
  void follow_selection();
  void set_column_widths();
  void take_selection(const QModelIndex& current);

  ViewHost& host_;
  NetworkTreeModel* model_;
  LayerFilter* shown_;
  QTreeView* tree_;
  bool fresh_ = true;       ///< another tree: columns may become narrower
  bool following_ = false;  ///< the selection is being shown, not made
};

}  // namespace convscope::ui
