#include "core/network/graph.h"

#include <algorithm>
#include <utility>

namespace convscope::network {
namespace {

bool is_index(int tensor, std::size_t count) {
  return tensor >= 0 && static_cast<std::size_t>(tensor) < count;
}

/// Depth-first search that emits a node after the producers of its inputs. Started in the file's order, it leaves an
/// order that is already right as it is. Own stack: files may hold chains of a million nodes.
class TopologicalSort {
 public:
  explicit TopologicalSort(const Graph& graph)
      : graph_(graph), producers_(graph.producers()), states_(graph.nodes.size(), State::waiting) {}

  bool run() {
    for (std::size_t node = 0; node < graph_.nodes.size(); ++node) {
      if (states_[node] == State::waiting && !visit(static_cast<int>(node))) return false;
    }
    return true;
  }

  const std::vector<int>& order() const { return order_; }

  std::vector<std::string> circle() const {
    std::vector<std::string> names;
    const auto first = std::find_if(way_.begin(), way_.end(), [this](const Step& s) { return s.node == met_; });
    for (auto step = first; step != way_.end(); ++step) names.push_back(graph_.nodes[index(step->node)].name);
    return names;
  }

 private:
  enum class State { waiting, on_the_way, done };
  struct Step {
    int node;
    std::size_t next_input;
  };

  static std::size_t index(int node) { return static_cast<std::size_t>(node); }

  void enter(int node) {
    states_[index(node)] = State::on_the_way;
    way_.push_back({node, 0});
  }

  int next_producer(Step& step) const {
    const std::vector<int>& inputs = graph_.nodes[index(step.node)].inputs;
    while (step.next_input < inputs.size()) {
      const int tensor = inputs[step.next_input++];
      if (is_index(tensor, producers_.size()) && producers_[index(tensor)] >= 0) return producers_[index(tensor)];
    }
    return -1;
  }

  bool visit(int start) {
    enter(start);
    while (!way_.empty()) {
      const int producer = next_producer(way_.back());
      if (producer < 0) {
        states_[index(way_.back().node)] = State::done;
        order_.push_back(way_.back().node);
        way_.pop_back();
      } else if (states_[index(producer)] == State::on_the_way) {
        met_ = producer;
        return false;
      } else if (states_[index(producer)] == State::waiting) {
        enter(producer);
      }
    }
    return true;
  }

  const Graph& graph_;
  std::vector<int> producers_;
  std::vector<State> states_;
  std::vector<Step> way_;
  std::vector<int> order_;
  int met_ = -1;
};

}  // namespace

bool TensorShape::complete() const {
  return known && std::none_of(dimensions.begin(), dimensions.end(), [](std::int64_t d) { return d < 0; });
}

std::optional<std::int64_t> TensorShape::elements() const {
  if (!complete()) return std::nullopt;
  if (std::find(dimensions.begin(), dimensions.end(), 0) != dimensions.end()) return 0;
  std::int64_t count = 1;
  for (const std::int64_t dimension : dimensions) {
    if (dimension > element_cap / count) return std::nullopt;
    count *= dimension;
  }
  return count;
}

std::vector<int> Graph::producers() const {
  std::vector<int> result(tensors.size(), -1);
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    for (const int output : nodes[node].outputs) {
      if (is_index(output, result.size()) && result[static_cast<std::size_t>(output)] < 0)
        result[static_cast<std::size_t>(output)] = static_cast<int>(node);
    }
  }
  return result;
}

bool sort_topologically(Graph& graph, std::vector<std::string>* circle) {
  TopologicalSort sort(graph);
  if (!sort.run()) {
    if (circle) *circle = sort.circle();
    return false;
  }
  std::vector<Node> sorted;
  sorted.reserve(graph.nodes.size());
  for (const int node : sort.order()) sorted.push_back(std::move(graph.nodes[static_cast<std::size_t>(node)]));
  graph.nodes = std::move(sorted);
  return true;
}

}  // namespace convscope::network
