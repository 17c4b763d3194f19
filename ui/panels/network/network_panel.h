#pragma once
// The network as a tree that can be searched, following and setting the selection.

#include <QWidget>
#include <array>

#include "ui/model/view_host.h"
#include "ui/panels/network/network_tree_model.h"

class QTreeView;

namespace convscope::ui {

class LayerFilter;

class NetworkPanel : public QWidget {
  Q_OBJECT
 public:
  explicit NetworkPanel(ViewHost& host, QWidget* parent = nullptr);

 private:
  void set_up_tree();
  void connect_all();
  void search(const QString& text);
  void follow_selection();
  /// Letters of the longest text among the rows that are seen.
  int longest_text(int column) const;
  void set_column_widths();
  void take_selection(const QModelIndex& current);

  ViewHost& host_;
  NetworkTreeModel* model_;
  LayerFilter* shown_;
  QTreeView* tree_;
  std::array<int, NetworkTreeModel::column_count> measured_{};  ///< letters for which a column is wide enough
  bool fresh_ = true;                                           ///< another tree: columns may become narrower
  bool following_ = false;                                      ///< the selection is being shown, not made
};

}  // namespace convscope::ui
