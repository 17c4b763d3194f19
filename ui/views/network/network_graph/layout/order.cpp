#include "ui/views/network/network_graph/layout/order.h"

#include <algorithm>
#include <numeric>

#include "core/base/integers.h"

namespace convscope::ui::layout {
namespace {

constexpr int most_sweeps = 24, most_sweeps_in_vain = 6, most_transpositions = 12;

using Neighbours = std::vector<int> Vertex::*;

/// Rows by a depth-first search: each vertex to the right of what was found in its row before.
class Searcher {
 public:
  explicit Searcher(const LayerGraph& graph)
      : graph_(graph), found_(graph.vertices.size(), false), rows_(graph.rows.size()) {}

  std::vector<std::vector<int>> run(Neighbours back, Neighbours on) {
    for (std::size_t root = 0; root < found_.size(); ++root)
      if ((graph_.vertices[root].*back).empty()) search(static_cast<int>(root), on);
    return std::move(rows_);
  }

 private:
  void search(int root, Neighbours on) {
    std::vector<int> open{root};
    while (!open.empty()) {
      const int vertex = open.back();
      open.pop_back();
      if (found_[at(vertex)]) continue;
      found_[at(vertex)] = true;
      rows_[at(graph_.vertices[at(vertex)].row)].push_back(vertex);
      const auto& next = graph_.vertices[at(vertex)].*on;
      open.insert(open.end(), next.rbegin(), next.rend());
    }
  }

  const LayerGraph& graph_;
  std::vector<bool> found_;
  std::vector<std::vector<int>> rows_;
};

class Orderer {
 public:
  Orderer(LayerGraph& graph, StepBudget& budget)
      : graph_(graph), budget_(budget), given_(graph.rows), position_(graph.vertices.size(), 0) {}

  void run() {
    for (int attempt = 0; attempt < 3 && least_ != 0; ++attempt) {
      start(attempt == 0   ? Searcher(graph_).run(&Vertex::above, &Vertex::below)
            : attempt == 1 ? Searcher(graph_).run(&Vertex::below, &Vertex::above)
                           : given_);
      improve();
    }
  }

 private:
  void start(std::vector<std::vector<int>> rows) {
    rows_ = std::move(rows);
    for (const auto& row : rows_) number(row);
    keep_if_better();
  }

  void number(const std::vector<int>& row) {
    for (std::size_t i = 0; i < row.size(); ++i) position_[at(row[i])] = static_cast<int>(i);
  }

  bool keep_if_better() {
    std::swap(graph_.rows, rows_);
    const long now = crossings(graph_);
    budget_.spend(static_cast<long>(graph_.vertices.size()));
    if (least_ >= 0 && now >= least_) {
      std::swap(graph_.rows, rows_);
      return false;
    }
    rows_ = graph_.rows;
    least_ = now;
    return true;
  }

  void improve() {
    for (int sweep = 0, vain = 0; sweep < most_sweeps && vain < most_sweeps_in_vain && least_ > 0; ++sweep) {
      const bool down = sweep % 2 == 0, turn_equal = sweep % 4 < 2, by_median = sweep % 8 >= 4;
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        auto& row = rows_[down ? i : rows_.size() - 1 - i];
        sort_row(row, down ? &Vertex::above : &Vertex::below, by_median ? median : mean, turn_equal);
      }
      bool better = keep_if_better();
      transpose(turn_equal);
      better = keep_if_better() || better;
      if (!budget_.spend(1)) return;
      vain = better ? 0 : vain + 1;
    }
  }

  void read_positions(std::vector<int>& positions, int vertex, Neighbours neighbours) const {
    positions.clear();
    for (const int other : graph_.vertices[at(vertex)].*neighbours) positions.push_back(position_[at(other)]);
    std::sort(positions.begin(), positions.end());
    budget_.spend(4 + 2 * static_cast<long>(positions.size()));
  }

  static double mean(const std::vector<int>& positions) {
    return std::accumulate(positions.begin(), positions.end(), 0.0) / static_cast<double>(positions.size());
  }

  /// Between the two in the middle, nearer to where the others are closer together.
  static double median(const std::vector<int>& sorted) {
    const std::size_t middle = sorted.size() / 2;
    if (sorted.size() % 2 == 1) return sorted[middle];
    const int left = sorted[middle - 1] - sorted.front(), right = sorted.back() - sorted[middle];
    if (left + right == 0) return (sorted[middle - 1] + sorted[middle]) / 2.0;
    return (static_cast<double>(sorted[middle - 1]) * right + static_cast<double>(sorted[middle]) * left) /
           (left + right);
  }

  /// By the mean or median of neighbours; vertices without neighbours there keep their places.
  template <typename Key>
  void sort_row(std::vector<int>& row, Neighbours neighbours, Key key, bool turn_equal) {
    if (row.size() < 2) return;
    std::vector<std::pair<double, int>> keyed;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < row.size(); ++i) {
      read_positions(left_, row[i], neighbours);
      if (left_.empty()) continue;
      places.push_back(i);
      keyed.emplace_back(key(left_), row[i]);
    }
    if (turn_equal) std::reverse(keyed.begin(), keyed.end());
    std::stable_sort(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < places.size(); ++i) row[places[i]] = keyed[i].second;
    number(row);
  }

  static long pairs_crossing(const std::vector<int>& left, const std::vector<int>& right) {
    long count = 0;
    std::size_t smaller = 0;
    for (const int each : left) {
      while (smaller < right.size() && right[smaller] < each) ++smaller;
      count += static_cast<long>(smaller);
    }
    return count;
  }

  /// Crossings saved if two neighbours change places.
  long gain(int left, int right) const {
    long gain = 0;
    for (const Neighbours side : {&Vertex::above, &Vertex::below}) {
      read_positions(left_, left, side);
      read_positions(right_, right, side);
      gain += pairs_crossing(left_, right_) - pairs_crossing(right_, left_);
    }
    return gain;
  }

  void transpose(bool equal_too) {
    bool better = true;
    for (int pass = 0; better && pass < most_transpositions; ++pass) {
      better = false;
      for (auto& row : rows_) better = transpose(row, equal_too && pass == 0) || better;
    }
  }

  bool transpose(std::vector<int>& row, bool equal_too) {
    bool better = false;
    for (std::size_t i = 0; i + 1 < row.size() && budget_.spend(1); ++i) {
      const long saved = gain(row[i], row[i + 1]);
      if (saved < 0 || (saved == 0 && !equal_too)) continue;
      std::swap(row[i], row[i + 1]);
      std::swap(position_[at(row[i])], position_[at(row[i + 1])]);
      better = better || saved > 0;
    }
    return better;
  }

  LayerGraph& graph_;  ///< with the best rows so far
  StepBudget& budget_;
  std::vector<std::vector<int>> given_, rows_;
  std::vector<int> position_;
  mutable std::vector<int> left_, right_;  ///< positions of neighbours, kept for their memory
  long least_ = -1;
};

/// Inversions of a sequence of numbers below `size`, in a binary indexed tree.
long inversions(const std::vector<int>& sequence, std::size_t size) {
  std::vector<long> tree(size + 1, 0);
  long count = 0, seen = 0;
  for (const int number : sequence) {
    count += seen++;
    for (std::size_t i = at(number) + 1; i > 0; i &= i - 1) count -= tree[i];
    for (std::size_t i = at(number) + 1; i <= size; i += i & (~i + 1)) ++tree[i];
  }
  return count;
}

}  // namespace

long crossings(const LayerGraph& graph) {
  long count = 0;
  std::vector<int> position(graph.vertices.size(), 0);
  for (std::size_t row = 1; row < graph.rows.size(); ++row) {
    if (graph.rows[row].size() < 2 || graph.rows[row - 1].size() < 2) continue;
    for (std::size_t i = 0; i < graph.rows[row].size(); ++i) position[at(graph.rows[row][i])] = static_cast<int>(i);
    std::vector<int> targets;
    for (const int upper : graph.rows[row - 1]) {
      const std::size_t begin = targets.size();
      for (const int lower : graph.vertices[at(upper)].below) targets.push_back(position[at(lower)]);
      std::sort(targets.begin() + static_cast<std::ptrdiff_t>(begin), targets.end());
    }
    count += inversions(targets, graph.rows[row].size());
  }
  return count;
}

void order_rows(LayerGraph& graph, StepBudget& budget) {
  Orderer(graph, budget).run();
}

}  // namespace convscope::ui::layout
