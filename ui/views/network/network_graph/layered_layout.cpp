#include "ui/views/network/network_graph/layered_layout.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <optional>
#include <utility>

namespace convscope::ui {
namespace {

constexpr double column_gap = 28, row_gap = 34, lane_width = 14, margin = 20;
constexpr int order_sweeps = 6, place_sweeps = 16;
constexpr double chain_weight = 8;  ///< a bend in a column costs more than the way to a neighbour

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

/// Boxes and the stretches of lanes, which take part in order and placement like narrow boxes.
struct Vertex {
  int layer = 0;
  double width = 0;
  bool lane = false;
  std::vector<int> above, below;  ///< neighbours in the layers beside
  double x = 0;                   ///< of the middle
};

class Layouter {
 public:
  Layouter(const std::vector<QSizeF>& sizes, const std::vector<LayoutEdge>& edges) : sizes_(sizes), edges_(edges) {}

  LayeredLayout run() {
    assign_layers();
    make_lanes();
    order_layers();
    place_vertices();
    return result();
  }

 private:
  void assign_layers() {
    vertices_.resize(sizes_.size());
    std::vector<std::vector<int>> targets(sizes_.size());
    std::vector<bool> has_input(sizes_.size(), false);
    for (const LayoutEdge& edge : edges_) {
      assert(edge.from < edge.to);
      targets[at(edge.from)].push_back(edge.to);
      has_input[at(edge.to)] = true;
    }
    for (std::size_t node = 0; node < vertices_.size(); ++node) {
      vertices_[node].width = sizes_[node].width();
      for (const int target : targets[node])
        vertices_[at(target)].layer = std::max(vertices_[at(target)].layer, vertices_[node].layer + 1);
    }
    // A source stands just above what it feeds first, not at the top of the drawing.
    for (std::size_t node = 0; node < vertices_.size(); ++node) {
      if (has_input[node] || targets[node].empty()) continue;
      int nearest = vertices_[at(targets[node].front())].layer;
      for (const int target : targets[node]) nearest = std::min(nearest, vertices_[at(target)].layer);
      vertices_[node].layer = nearest - 1;
    }
  }

  int last_target_layer(const std::vector<int>& edges) const {
    int last = 0;
    for (const int edge : edges) last = std::max(last, vertices_[at(edges_[at(edge)].to)].layer);
    return last;
  }

  /// Shortest lanes first, so that the budget serves most sources.
  void make_lanes() {
    std::vector<std::vector<int>> outgoing(sizes_.size());
    for (std::size_t i = 0; i < edges_.size(); ++i) outgoing[at(edges_[i].from)].push_back(static_cast<int>(i));
    std::vector<std::pair<int, int>> lengths;
    for (std::size_t node = 0; node < sizes_.size(); ++node) {
      if (outgoing[node].empty()) continue;
      lengths.emplace_back(last_target_layer(outgoing[node]) - vertices_[node].layer - 1, static_cast<int>(node));
    }
    std::sort(lengths.begin(), lengths.end());
    lanes_.resize(edges_.size());
    std::size_t budget = 4 * sizes_.size() + 4096;
    for (const auto& [length, node] : lengths) {
      if (at(length) > budget) break;
      budget -= at(length);
      route_lane(node, length, outgoing[at(node)]);
    }
  }

  void route_lane(int node, int length, const std::vector<int>& outgoing) {
    std::vector<int> lane;
    for (int i = 0; i < length; ++i) {
      Vertex stretch;
      stretch.layer = vertices_[at(node)].layer + 1 + i;
      stretch.width = lane_width;
      stretch.lane = true;
      lane.push_back(static_cast<int>(vertices_.size()));
      vertices_.push_back(std::move(stretch));
      join(i == 0 ? node : lane[at(i - 1)], lane.back());
    }
    for (const int edge : outgoing) {
      const int target = edges_[at(edge)].to;
      const auto passed = at(vertices_[at(target)].layer - vertices_[at(node)].layer - 1);
      lanes_[at(edge)].assign(lane.begin(), lane.begin() + static_cast<std::ptrdiff_t>(passed));
      join(passed == 0 ? node : lane[passed - 1], target);
    }
  }

  void join(int upper, int lower) {
    vertices_[at(upper)].below.push_back(lower);
    vertices_[at(lower)].above.push_back(upper);
  }

  void order_layers() {
    int last = -1;
    for (const Vertex& vertex : vertices_) last = std::max(last, vertex.layer);
    rows_.resize(at(last + 1));
    for (std::size_t i = 0; i < vertices_.size(); ++i) rows_[at(vertices_[i].layer)].push_back(static_cast<int>(i));
    position_.resize(vertices_.size());
    for (const auto& row : rows_) number(row);
    for (int sweep = 0; sweep < order_sweeps; ++sweep) {
      if (sweep % 2 == 0) {
        for (auto& row : rows_) order_row(row, &Vertex::above);
      } else {
        for (auto row = rows_.rbegin(); row != rows_.rend(); ++row) order_row(*row, &Vertex::below);
      }
    }
  }

  void number(const std::vector<int>& row) {
    const double middle = static_cast<double>(row.size() - 1) / 2;
    for (std::size_t i = 0; i < row.size(); ++i) position_[at(row[i])] = static_cast<double>(i) - middle;
  }

  void order_row(std::vector<int>& row, std::vector<int> Vertex::*neighbours) {
    if (row.size() < 2) return;
    std::vector<std::pair<double, int>> keyed;
    keyed.reserve(row.size());
    for (const int vertex : row) {
      const auto& beside = vertices_[at(vertex)].*neighbours;
      double sum = 0;
      for (const int other : beside) sum += position_[at(other)];
      keyed.emplace_back(beside.empty() ? position_[at(vertex)] : sum / static_cast<double>(beside.size()), vertex);
    }
    std::stable_sort(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = keyed[i].second;
    number(row);
  }

  void place_vertices() {
    for (const auto& row : rows_) {
      double x = 0;
      for (const int vertex : row) {
        vertices_[at(vertex)].x = x + vertices_[at(vertex)].width / 2;
        x += vertices_[at(vertex)].width + column_gap;
      }
      for (const int vertex : row) vertices_[at(vertex)].x -= x / 2;
    }
    find_chains();
    for (int sweep = 0; sweep < place_sweeps; ++sweep) {
      aim_chains();
      if (sweep % 2 == 0) {
        for (const auto& row : rows_) place_row(row);
      } else {
        for (auto row = rows_.rbegin(); row != rows_.rend(); ++row) place_row(*row);
      }
    }
  }

  /// Vertices that have nobody else on that side, and the stretches of a lane, shall stand in one column.
  void find_chains() {
    chain_.resize(vertices_.size());
    for (const auto& row : rows_) {
      for (const int vertex : row) {
        chain_[at(vertex)] = vertex;
        const Vertex& lower = vertices_[at(vertex)];
        if (lower.above.size() != 1) continue;
        const Vertex& upper = vertices_[at(lower.above[0])];
        if (upper.below.size() == 1 || (upper.lane && lower.lane)) chain_[at(vertex)] = chain_[at(lower.above[0])];
      }
    }
  }

  /// Middle of each chain, halfway to the middle of its neighbours: all the way would make two chains swing.
  void aim_chains() {
    struct Sum {
      double own = 0, beside = 0;
      int members = 0, neighbours = 0;
    };
    std::vector<Sum> sums(vertices_.size());
    for (std::size_t i = 0; i < vertices_.size(); ++i) {
      Sum& sum = sums[at(chain_[i])];
      sum.own += vertices_[i].x;
      ++sum.members;
      for (const auto* neighbours : {&vertices_[i].above, &vertices_[i].below}) {
        for (const int other : *neighbours) {
          if (chain_[at(other)] == chain_[i]) continue;
          sum.beside += vertices_[at(other)].x;
          ++sum.neighbours;
        }
      }
    }
    aims_.assign(vertices_.size(), {});
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if (sums[i].members < 2) continue;
      const double own = sums[i].own / sums[i].members;
      aims_[i] = sums[i].neighbours == 0 ? own : (own + sums[i].beside / sums[i].neighbours) / 2;
    }
  }

  /// Where a vertex would like to be, and how much.
  std::pair<double, double> wish(int index) const {
    const Vertex& vertex = vertices_[at(index)];
    if (const auto& aim = aims_[at(chain_[at(index)])]) return {*aim, chain_weight};
    double sum = 0;
    for (const auto* neighbours : {&vertex.above, &vertex.below})
      for (const int other : *neighbours) sum += vertices_[at(other)].x;
    const auto count = static_cast<double>(vertex.above.size() + vertex.below.size());
    return count > 0 ? std::pair(sum / count, count) : std::pair(vertex.x, 0.1);
  }

  /// Least squares under 'in this order, without overlap': pool adjacent violators.
  void place_row(const std::vector<int>& row) {
    struct Pool {
      double place, weight;
      std::size_t count;
    };
    std::vector<double> offsets(row.size(), 0);
    std::vector<Pool> pools;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const Vertex& vertex = vertices_[at(row[i])];
      if (i > 0) offsets[i] = offsets[i - 1] + (vertices_[at(row[i - 1])].width + vertex.width) / 2 + column_gap;
      const auto [place, weight] = wish(row[i]);
      pools.push_back({place - offsets[i], weight, 1});
      while (pools.size() > 1 && pools[pools.size() - 2].place > pools.back().place) {
        const Pool last = pools.back();
        pools.pop_back();
        Pool& first = pools.back();
        first.place = (first.place * first.weight + last.place * last.weight) / (first.weight + last.weight);
        first.weight += last.weight;
        first.count += last.count;
      }
    }
    std::size_t i = 0;
    for (const Pool& pool : pools) {
      for (const std::size_t end = i + pool.count; i < end; ++i) vertices_[at(row[i])].x = pool.place + offsets[i];
    }
  }

  LayeredLayout result() const {
    LayeredLayout layout;
    double left = 0, right = 0;
    for (const Vertex& vertex : vertices_) {
      left = std::min(left, vertex.x - vertex.width / 2);
      right = std::max(right, vertex.x + vertex.width / 2);
    }
    const double shift = margin - left;
    const std::vector<double> bottoms = place_rows(layout);
    for (std::size_t node = 0; node < sizes_.size(); ++node) {
      const Vertex& vertex = vertices_[node];
      layout.layers.push_back(vertex.layer);
      layout.boxes.emplace_back(vertex.x + shift - vertex.width / 2, layout.tops[at(vertex.layer)],
                                sizes_[node].width(), sizes_[node].height());
    }
    for (std::size_t edge = 0; edge < edges_.size(); ++edge)
      layout.routes.push_back(route(layout, bottoms, edge, shift));
    layout.size = {right - left + 2 * margin, bottoms.empty() ? 2 * margin : bottoms.back() + margin};
    return layout;
  }

  std::vector<double> place_rows(LayeredLayout& layout) const {
    std::vector<double> bottoms;
    double top = margin;
    for (const auto& row : rows_) {
      double height = 0;
      for (const int vertex : row)
        if (at(vertex) < sizes_.size()) height = std::max(height, sizes_[at(vertex)].height());
      layout.tops.push_back(top);
      bottoms.push_back(top + height);
      top += height + row_gap;
    }
    return bottoms;
  }

  std::vector<QPointF> route(const LayeredLayout& layout, const std::vector<double>& bottoms, std::size_t edge,
                             double shift) const {
    const QRectF from = layout.boxes[at(edges_[edge].from)], to = layout.boxes[at(edges_[edge].to)];
    std::vector<QPointF> points{{from.center().x(), from.bottom()}};
    // A lane that goes straight on takes two points, however many rows it passes.
    const auto add = [&](double x, double y) {
      const std::size_t count = points.size();
      if (count > 1 && points[count - 1].x() == x && points[count - 2].x() == x) {
        points.back().setY(y);
      } else {
        points.emplace_back(x, y);
      }
    };
    for (const int stretch : lanes_[edge]) {
      const Vertex& vertex = vertices_[at(stretch)];
      add(vertex.x + shift, layout.tops[at(vertex.layer)]);
      add(vertex.x + shift, bottoms[at(vertex.layer)]);
    }
    points.emplace_back(to.center().x(), to.top());
    return points;
  }

  const std::vector<QSizeF>& sizes_;
  const std::vector<LayoutEdge>& edges_;
  std::vector<Vertex> vertices_;
  std::vector<std::vector<int>> lanes_;  ///< of each edge: stretches that it passes
  std::vector<std::vector<int>> rows_;
  std::vector<double> position_;
  std::vector<int> chain_;                   ///< first vertex of each vertex's chain
  std::vector<std::optional<double>> aims_;  ///< of chains of more than one, by their first vertex
};

}  // namespace

LayeredLayout layered_layout(const std::vector<QSizeF>& sizes, const std::vector<LayoutEdge>& edges) {
  return Layouter(sizes, edges).run();
}

}  // namespace convscope::ui
