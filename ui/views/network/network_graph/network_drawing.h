#pragma once
// A network's drawing, laid out once for a network, a detail and the branches that are folded. Immutable.

#include <QPointF>
#include <QRectF>
#include <memory>
#include <set>
#include <vector>

#include "ui/parts/rectangle_grid.h"
#include "ui/views/network/network_graph/branches.h"
#include "ui/views/network/network_graph/layout/layered_layout.h"
#include "ui/views/network/network_graph/network_boxes.h"
#include "ui/views/network/network_graph/operator_kind.h"

namespace convscope::ui {

/// A piece of a flow's route: a cubic curve, or a line.
struct FlowStretch {
  int flow = 0;
  QPointF from, bend_from, bend_to, to;
  bool straight = false, last = false;  ///< last: ends at the flow's box
};

class NetworkDrawing {
 public:
  static constexpr double box_width = 236, box_height = 72, terminal_height = 40;

  /// Indices in `folded` that are no branches don't matter.
  NetworkDrawing(std::shared_ptr<const network::Network> network, NetworkDetail detail, std::set<int> folded = {});

  const network::Network& network() const { return *network_; }
  const std::shared_ptr<const network::Network>& shared_network() const { return network_; }
  NetworkDetail detail() const { return detail_; }
  const std::set<int>& folded() const { return folded_; }
  const NetworkBoxes& content() const { return content_; }
  /// Of the network with nothing folded, outer ones first.
  const std::vector<Branch>& branches() const { return branches_; }
  /// Layers of a branch, in no particular order.
  bool branch_holds(int branch, int layer) const;
  std::vector<QSizeF> sizes() const;
  std::vector<LayoutEdge> edges() const;
  const LayeredLayout& layout() const { return layout_; }
  QRectF place(int box) const { return layout_.boxes[static_cast<std::size_t>(box)]; }
  /// Box of a layer, or -1.
  int box_of(int layer) const;
  OperatorKind kind(int box) const { return kinds_[static_cast<std::size_t>(box)]; }
  const FlowStretch& stretch(int index) const { return stretches_[static_cast<std::size_t>(index)]; }
  const std::vector<FlowStretch>& stretches() const { return stretches_; }
  /// Stretches of all flows of a box.
  std::vector<int> stretches_of(int box) const;
  /// Stretches that meet a part of the content, ascending.
  std::vector<int> stretches_in(const QRectF& content) const { return stretch_grid_.in(content); }
  /// Boxes that meet a part of the content, ascending.
  std::vector<int> boxes_in(const QRectF& content) const { return box_grid_.in(content); }
  /// The box at a point, or -1.
  int box_at(QPointF content) const;
  /// The box whose middle is nearest to a point, or -1 if there is none.
  int box_near(QPointF content) const;

 private:
  void index();
  void add_path(int flow, const std::vector<QPointF>& route);

  std::shared_ptr<const network::Network> network_;
  NetworkDetail detail_;
  std::set<int> folded_;
  std::vector<int> unfolded_box_of_layer_;
  std::vector<Branch> branches_;
  NetworkBoxes content_;
  LayeredLayout layout_;
  std::vector<OperatorKind> kinds_;
  std::vector<FlowStretch> stretches_;  ///< by flow
  std::vector<int> first_stretch_;      ///< flows + 1
  std::vector<std::vector<int>> flows_of_box_;
  RectangleGrid box_grid_, stretch_grid_;
};

}  // namespace convscope::ui
