#include "ui/views/network/network_graph/layout/routes.h"

#include <algorithm>
#include <cstdlib>

#include "core/base/integers.h"

namespace convscope::ui::layout {
namespace {

constexpr double margin = 20, least_gap = 34, most_gap = 90, gap_share = 0.12;

class Drawer {
 public:
  Drawer(const LayerGraph& graph, const std::vector<int>& middles, const std::vector<QSizeF>& sizes,
         const std::vector<LayoutEdge>& edges)
      : graph_(graph), middles_(middles), sizes_(sizes), edges_(edges) {}

  LayeredLayout run() {
    place_columns();
    place_rows();
    for (std::size_t box = 0; box < sizes_.size(); ++box) {
      const int row = graph_.vertices[box].row;
      layout_.layers.push_back(row);
      layout_.boxes.emplace_back(x(static_cast<int>(box)) - sizes_[box].width() / 2, tops_[at(row)],
                                 sizes_[box].width(), sizes_[box].height());
    }
    for (std::size_t edge = 0; edge < edges_.size(); ++edge) layout_.routes.push_back(route(edge));
    return std::move(layout_);
  }

 private:
  double x(int vertex) const { return middles_[at(vertex)] + shift_; }

  void place_columns() {
    double left = 0, right = 0;
    for (std::size_t i = 0; i < middles_.size(); ++i) {
      const double half = graph_.vertices[i].width / 2.0;
      left = i == 0 ? middles_[i] - half : std::min(left, middles_[i] - half);
      right = i == 0 ? middles_[i] + half : std::max(right, middles_[i] + half);
    }
    shift_ = margin - left;
    layout_.size.setWidth(right - left + 2 * margin);
  }

  void place_rows() {
    double top = margin;
    for (const auto& row : graph_.rows) {
      double height = 0;
      int run = 0;
      for (const int vertex : row) {
        if (at(vertex) < sizes_.size()) height = std::max(height, sizes_[at(vertex)].height());
        for (const int below : graph_.vertices[at(vertex)].below)
          run = std::max(run, std::abs(middles_[at(below)] - middles_[at(vertex)]));
      }
      tops_.push_back(top);
      bottoms_.push_back(top + height);
      top += height + std::clamp(gap_share * run, least_gap, most_gap);
    }
    layout_.size.setHeight((bottoms_.empty() ? margin : bottoms_.back()) + margin);
  }

  std::vector<QPointF> route(std::size_t edge) const {
    const int from = edges_[edge].from, to = edges_[edge].to;
    std::vector<QPointF> points{{x(from), layout_.boxes[at(from)].bottom()}};
    // What goes straight on takes two points, however many rows it passes.
    const auto add = [&](double x, double y) {
      const std::size_t count = points.size();
      const bool straight = count > 1 && points[count - 1].x() == x && points[count - 2].x() == x;
      if (straight) points.pop_back();
      if (points.back() != QPointF(x, y)) points.emplace_back(x, y);
    };
    add(x(from), bottoms_[at(graph_.vertices[at(from)].row)]);
    for (const int stretch : graph_.lanes[edge]) {
      add(x(stretch), tops_[at(graph_.vertices[at(stretch)].row)]);
      add(x(stretch), bottoms_[at(graph_.vertices[at(stretch)].row)]);
    }
    add(x(to), tops_[at(graph_.vertices[at(to)].row)]);
    return points;
  }

  const LayerGraph& graph_;
  const std::vector<int>& middles_;
  const std::vector<QSizeF>& sizes_;
  const std::vector<LayoutEdge>& edges_;
  double shift_ = 0;
  std::vector<double> tops_, bottoms_;  ///< of rows
  LayeredLayout layout_;
};

}  // namespace

LayeredLayout drawn(const LayerGraph& graph, const std::vector<int>& middles, const std::vector<QSizeF>& sizes,
                    const std::vector<LayoutEdge>& edges) {
  return Drawer(graph, middles, sizes, edges).run();
}

}  // namespace convscope::ui::layout
