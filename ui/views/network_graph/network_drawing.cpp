#include <algorithm>
#include <cstddef>

#include "ui/views/network_graph/network_graph_scene.h"

namespace convscope::ui {
namespace {

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

QSizeF size_of(const NetworkBox& box) {
  return {NetworkDrawing::box_width,
          box.role == NetworkBox::Role::layers ? NetworkDrawing::box_height : NetworkDrawing::terminal_height};
}

LayeredLayout laid_out(const NetworkBoxes& content) {
  std::vector<QSizeF> sizes;
  for (const NetworkBox& box : content.boxes) sizes.push_back(size_of(box));
  std::vector<LayoutEdge> edges;
  for (const NetworkFlow& flow : content.flows) edges.push_back({flow.from, flow.to});
  return layered_layout(sizes, edges);
}

/// A network of nothing but constants has no blocks.
NetworkBoxes boxes_of(const network::Network& network, NetworkDetail detail) {
  NetworkBoxes boxes = network_boxes(network, detail);
  return boxes.boxes.empty() ? network_boxes(network, NetworkDetail::operators) : boxes;
}

}  // namespace

NetworkDrawing::NetworkDrawing(std::shared_ptr<const network::Network> network, NetworkDetail detail)
    : network_(std::move(network)),
      detail_(detail),
      content_(boxes_of(*network_, detail)),
      layout_(laid_out(content_)),
      rows_(layout_.tops.size()) {
  for (std::size_t box = 0; box < layout_.boxes.size(); ++box)
    rows_[at(layout_.layers[box])].push_back(static_cast<int>(box));
  for (auto& row : rows_)
    std::sort(row.begin(), row.end(), [&](int a, int b) { return place(a).left() < place(b).left(); });
  for (const auto& route : layout_.routes) {
    QRectF reach(route.front(), QSizeF(0, 0));
    for (const QPointF& point : route) {
      reach.setLeft(std::min(reach.left(), point.x()));
      reach.setRight(std::max(reach.right(), point.x()));
      reach.setBottom(std::max(reach.bottom(), point.y()));
    }
    reaches_.push_back(reach);
  }
}

int NetworkDrawing::box_of(int layer) const {
  return layer < 0 || at(layer) >= content_.box_of_layer.size() ? -1 : content_.box_of_layer[at(layer)];
}

OperatorKind NetworkDrawing::kind(int box) const {
  const int main = content_.boxes[at(box)].main;
  return main < 0 ? OperatorKind::other : operator_kind(network_->layers[at(main)].operator_name);
}

std::vector<int> NetworkDrawing::boxes_in(const QRectF& content) const {
  std::vector<int> found;
  const auto& tops = layout_.tops;
  auto row = std::upper_bound(tops.begin(), tops.end(), content.top() - box_height);
  if (row != tops.begin()) --row;
  for (; row != tops.end() && *row <= content.bottom(); ++row) {
    const auto& boxes = rows_[static_cast<std::size_t>(row - tops.begin())];
    auto box = std::lower_bound(boxes.begin(), boxes.end(), content.left(),
                                [&](int candidate, double left) { return place(candidate).right() < left; });
    for (; box != boxes.end() && place(*box).left() <= content.right(); ++box)
      if (place(*box).intersects(content)) found.push_back(*box);
  }
  return found;
}

int NetworkDrawing::box_at(QPointF content) const {
  for (const int box : boxes_in(QRectF(content, QSizeF(1e-6, 1e-6))))
    if (place(box).contains(content)) return box;
  return -1;
}

std::shared_ptr<const NetworkDrawing> NetworkDrawingCache::get(std::shared_ptr<const network::Network> network,
                                                               NetworkDetail detail) {
  const std::lock_guard lock(mutex_);
  if (!last_ || last_->shared_network() != network || last_->detail() != detail)
    last_ = std::make_shared<const NetworkDrawing>(std::move(network), detail);
  return last_;
}

}  // namespace convscope::ui
