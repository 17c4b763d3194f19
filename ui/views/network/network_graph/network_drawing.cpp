#include "ui/views/network/network_graph/network_drawing.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "core/base/integers.h"

namespace convscope::ui {
namespace {

constexpr double curve_pull = 0.55;  ///< of the height: upright at both ends

QSizeF size_of(const NetworkBox& box) {
  return {NetworkDrawing::box_width,
          box.role == NetworkBox::Role::layers ? NetworkDrawing::box_height : NetworkDrawing::terminal_height};
}

/// A network of nothing but constants has no blocks.
NetworkBoxes boxes_of(const network::Network& network, NetworkDetail detail) {
  NetworkBoxes boxes = network_boxes(network, detail);
  return boxes.boxes.empty() ? network_boxes(network, NetworkDetail::operators) : boxes;
}

QRectF reach_of(const FlowStretch& stretch) {
  const auto [left, right] =
      std::minmax({stretch.from.x(), stretch.bend_from.x(), stretch.bend_to.x(), stretch.to.x()});
  const auto [top, bottom] =
      std::minmax({stretch.from.y(), stretch.bend_from.y(), stretch.bend_to.y(), stretch.to.y()});
  return {QPointF(left, top), QPointF(right, bottom)};
}

}  // namespace

NetworkDrawing::NetworkDrawing(std::shared_ptr<const network::Network> network, NetworkDetail detail,
                               std::set<int> folded)
    : network_(std::move(network)), detail_(detail), folded_(std::move(folded)) {
  const NetworkBoxes boxes = boxes_of(*network_, detail);
  unfolded_box_of_layer_ = boxes.box_of_layer;
  branches_ = find_branches(boxes);
  content_ = fold_branches(boxes, branches_, folded_);
  choose_main_layers(content_, *network_);
  layout_ = layered_layout(sizes(), edges());
  index();
}

std::vector<QSizeF> NetworkDrawing::sizes() const {
  std::vector<QSizeF> sizes;
  for (const NetworkBox& box : content_.boxes) sizes.push_back(size_of(box));
  return sizes;
}

std::vector<LayoutEdge> NetworkDrawing::edges() const {
  std::vector<LayoutEdge> edges;
  for (const NetworkFlow& flow : content_.flows) edges.push_back({flow.from, flow.to});
  return edges;
}

void NetworkDrawing::index() {
  kinds_.clear();
  for (const NetworkBox& box : content_.boxes) {
    kinds_.push_back(box.main < 0 ? OperatorKind::other : operator_kind(network_->layers[at(box.main)].operator_name));
  }
  stretches_.clear();
  first_stretch_.assign(1, 0);
  flows_of_box_.assign(content_.boxes.size(), {});
  for (int flow = 0; flow < static_cast<int>(content_.flows.size()); ++flow) {
    add_path(flow, layout_.routes[at(flow)]);
    stretches_.back().last = true;
    first_stretch_.push_back(static_cast<int>(stretches_.size()));
    flows_of_box_[at(content_.flows[at(flow)].from)].push_back(flow);
    flows_of_box_[at(content_.flows[at(flow)].to)].push_back(flow);
  }
  std::vector<QRectF> reaches;
  for (const FlowStretch& stretch : stretches_) reaches.push_back(reach_of(stretch));
  stretch_grid_ = RectangleGrid(std::move(reaches));
  box_grid_ = RectangleGrid(layout_.boxes);
}

void NetworkDrawing::add_path(int flow, const std::vector<QPointF>& route) {
  for (std::size_t i = 0; i + 1 < route.size(); ++i) {
    const QPointF pull(0, (route[i + 1].y() - route[i].y()) * curve_pull);
    const bool straight = std::abs(route[i].x() - route[i + 1].x()) < 0.5;
    stretches_.push_back({flow, route[i], route[i] + pull, route[i + 1] - pull, route[i + 1], straight, false});
  }
}

std::vector<int> NetworkDrawing::stretches_of(int box) const {
  std::vector<int> found;
  for (const int flow : flows_of_box_[at(box)])
    for (int i = first_stretch_[at(flow)]; i < first_stretch_[at(flow) + 1]; ++i) found.push_back(i);
  return found;
}

int NetworkDrawing::box_of(int layer) const {
  return layer < 0 || at(layer) >= content_.box_of_layer.size() ? -1 : content_.box_of_layer[at(layer)];
}

bool NetworkDrawing::branch_holds(int branch, int layer) const {
  if (layer < 0 || at(layer) >= unfolded_box_of_layer_.size()) return false;
  const auto& members = branches_[at(branch)].members;
  return std::binary_search(members.begin(), members.end(), unfolded_box_of_layer_[at(layer)]);
}

int NetworkDrawing::box_at(QPointF content) const {
  for (const int box : boxes_in(QRectF(content, QSizeF(1e-6, 1e-6))))
    if (place(box).contains(content)) return box;
  return -1;
}

int NetworkDrawing::box_near(QPointF content) const {
  int nearest = -1;
  double least = 0;
  for (int box = 0; box < static_cast<int>(layout_.boxes.size()); ++box) {
    const QPointF way = place(box).center() - content;
    const double distance = QPointF::dotProduct(way, way);
    if (nearest < 0 || distance < least) {
      nearest = box;
      least = distance;
    }
  }
  return nearest;
}

}  // namespace convscope::ui
