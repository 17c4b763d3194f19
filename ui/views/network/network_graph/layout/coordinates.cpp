#include "ui/views/network/network_graph/layout/coordinates.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

#include "core/base/integers.h"
#include "ui/views/network/network_graph/layout/network_simplex.h"

namespace convscope::ui::layout {
namespace {

constexpr int box_pull = 4, lane_pull = 1, bend_pull = 8;  ///< what goes from row to row shall be straighter than lanes

/// Members of the longest rising sequence.
std::vector<bool> longest_rising(const std::vector<int>& sequence) {
  std::vector<int> ends, before(sequence.size(), -1);  // ends: of the best sequence of each length
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    const auto place = std::lower_bound(ends.begin(), ends.end(), static_cast<int>(i),
                                        [&](int a, int b) { return sequence[at(a)] < sequence[at(b)]; });
    if (place != ends.begin()) before[i] = *(place - 1);
    if (place == ends.end()) {
      ends.push_back(static_cast<int>(i));
    } else {
      *place = static_cast<int>(i);
    }
  }
  std::vector<bool> member(sequence.size(), false);
  for (int i = ends.empty() ? -1 : ends.back(); i >= 0; i = before[at(i)]) member[at(i)] = true;
  return member;
}

/// A way from the top of the drawing downward with the most boxes, as the vertex of each row or -1: what stands upright
/// before all else, lest drawings of many parts lean.
std::vector<int> find_trunk(const LayerGraph& graph) {
  std::vector<int> boxes(graph.vertices.size(), 0), next(graph.vertices.size(), -1), trunk(graph.rows.size(), -1);
  int first = -1;
  for (auto row = graph.rows.rbegin(); row != graph.rows.rend(); ++row) {
    for (const int vertex : *row) {
      for (const int lower : graph.vertices[at(vertex)].below) {
        if (next[at(vertex)] < 0 || boxes[at(lower)] > boxes[at(next[at(vertex)])]) next[at(vertex)] = lower;
      }
      boxes[at(vertex)] =
          (graph.vertices[at(vertex)].lane ? 0 : 1) + (next[at(vertex)] < 0 ? 0 : boxes[at(next[at(vertex)])]);
      if (first < 0 || boxes[at(vertex)] > boxes[at(first)]) first = vertex;
    }
  }
  for (int vertex = first; vertex >= 0; vertex = next[at(vertex)]) trunk[at(graph.vertices[at(vertex)].row)] = vertex;
  return trunk;
}

/// Vertices that shall stand upright, as blocks: between two rows their segments don't cross, so that blocks have an
/// order from left to right.
class BlockFinder {
 public:
  explicit BlockFinder(const LayerGraph& graph)
      : graph_(graph), trunk_(find_trunk(graph)), position_(graph.vertices.size()), block_(graph.vertices.size(), -1) {}

  /// Block of each vertex, and their number.
  std::pair<std::vector<int>, int> run() {
    for (const auto& row : graph_.rows)
      for (std::size_t i = 0; i < row.size(); ++i) position_[at(row[i])] = static_cast<int>(i);
    for (std::size_t row = 0; row < graph_.rows.size(); ++row) {
      if (row > 0) continue_blocks(row);
      for (const int vertex : graph_.rows[row])
        if (block_[at(vertex)] < 0) block_[at(vertex)] = count_++;
    }
    return {std::move(block_), count_};
  }

 private:
  struct Segment {
    int upper = 0, lower = 0;
  };

  const Vertex& vertex(int index) const { return graph_.vertices[at(index)]; }

  /// The stretch of a lane above, or -1.
  int lane_above(int lower) const {
    if (!vertex(lower).lane || vertex(lower).above.empty()) return -1;
    const int upper = vertex(lower).above[0];
    return vertex(upper).lane ? upper : -1;
  }

  /// The only neighbour above if it has no other below, or -1.
  int chain_above(int lower) const {
    if (vertex(lower).above.size() != 1) return -1;
    const int upper = vertex(lower).above[0];
    return vertex(upper).below.size() == 1 ? upper : -1;
  }

  /// First the trunk, then as many lanes as possible, then chains.
  void continue_blocks(std::size_t row) {
    std::vector<Segment> chosen;
    if (trunk_[row - 1] >= 0 && trunk_[row] >= 0) chosen.push_back({trunk_[row - 1], trunk_[row]});
    add(chosen, segments(row, chosen, [&](int lower) { return lane_above(lower); }));
    add(chosen, segments(row, chosen, [&](int lower) { return chain_above(lower); }));
    for (const Segment& each : chosen) block_[at(each.lower)] = block_[at(each.upper)];
  }

  /// Segments that neither cross nor meet those chosen before, and as many of them as don't cross each other.
  template <typename Above>
  std::vector<Segment> segments(std::size_t row, const std::vector<Segment>& chosen, const Above& above) const {
    std::vector<Segment> found;
    std::vector<int> uppers;
    std::size_t before = 0;
    for (const int lower : graph_.rows[row]) {
      while (before < chosen.size() && position_[at(chosen[before].lower)] < position_[at(lower)]) ++before;
      const int upper = above(lower);
      if (upper < 0 || !fits(chosen, before, {upper, lower})) continue;
      found.push_back({upper, lower});
      uppers.push_back(position_[at(upper)]);
    }
    const std::vector<bool> rising = longest_rising(uppers);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < found.size(); ++i)
      if (rising[i]) found[kept++] = found[i];
    found.resize(kept);
    return found;
  }

  bool fits(const std::vector<Segment>& chosen, std::size_t before, Segment segment) const {
    const int upper = position_[at(segment.upper)];
    if (before > 0 && position_[at(chosen[before - 1].upper)] >= upper) return false;
    return before == chosen.size() ||
           (chosen[before].lower != segment.lower && position_[at(chosen[before].upper)] > upper);
  }

  void add(std::vector<Segment>& chosen, const std::vector<Segment>& more) const {
    chosen.insert(chosen.end(), more.begin(), more.end());
    std::sort(chosen.begin(), chosen.end(),
              [&](const Segment& a, const Segment& b) { return position_[at(a.lower)] < position_[at(b.lower)]; });
  }

  const LayerGraph& graph_;
  std::vector<int> trunk_, position_, block_;
  int count_ = 0;
};

class Placer {
 public:
  explicit Placer(const LayerGraph& graph) : graph_(graph) { std::tie(block_, count_) = BlockFinder(graph).run(); }

  std::vector<int> run(StepBudget& budget) {
    keep_apart();
    pull_together();
    const std::vector<int> of_blocks = place_on_line(count_, spans_, Ties::centred, budget);
    std::vector<int> places;
    for (const int block : block_) places.push_back(of_blocks[at(block)]);
    return places;
  }

 private:
  void keep_apart() {
    std::vector<std::array<int, 3>> apart;
    for (const auto& row : graph_.rows) {
      for (std::size_t i = 1; i < row.size(); ++i) {
        const int distance = least_distance(graph_.vertices[at(row[i - 1])], graph_.vertices[at(row[i])]);
        apart.push_back({block_[at(row[i - 1])], block_[at(row[i])], distance});
      }
    }
    std::sort(apart.begin(), apart.end());
    for (std::size_t i = 0; i < apart.size(); ++i) {
      const bool largest = i + 1 == apart.size() || apart[i][0] != apart[i + 1][0] || apart[i][1] != apart[i + 1][1];
      if (largest) spans_.push_back({apart[i][0], apart[i][1], apart[i][2], 0});
    }
  }

  static int pull(const Vertex& upper, const Vertex& lower) {
    return upper.lane && lower.lane ? bend_pull : upper.lane || lower.lane ? lane_pull : box_pull;
  }

  /// The distance of two blocks, whichever is on the left, is that of both from a node before both.
  void pull_together() {
    std::map<std::pair<int, int>, int> pulls;
    for (std::size_t upper = 0; upper < graph_.vertices.size(); ++upper) {
      for (const int lower : graph_.vertices[upper].below) {
        const auto blocks = std::minmax(block_[upper], block_[at(lower)]);
        if (blocks.first != blocks.second) pulls[blocks] += pull(graph_.vertices[upper], graph_.vertices[at(lower)]);
      }
    }
    for (const auto& [blocks, weight] : pulls) {
      spans_.push_back({count_, blocks.first, 0, weight});
      spans_.push_back({count_, blocks.second, 0, weight});
      ++count_;
    }
  }

  const LayerGraph& graph_;
  std::vector<int> block_;
  int count_ = 0;  ///< blocks, and nodes that pull them together
  std::vector<Span> spans_;
};

}  // namespace

std::vector<int> place_vertices(const LayerGraph& graph, StepBudget& budget) {
  return Placer(graph).run(budget);
}

}  // namespace convscope::ui::layout
