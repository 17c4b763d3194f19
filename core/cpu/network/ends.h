#pragma once
// Ends of a network that are left to the host: operators without generated code, and what needs their results.

#include <algorithm>
#include <string>
#include <vector>

#include "core/network/network.h"

namespace convscope::cpu {

class Ends {
 public:
  /// Nothing is left out. The network must outlive it, and have a graph.
  explicit Ends(const network::Network& network);

  /// Leaves out a node and all that needs what it makes; `why` tells its mode or what is missing. False, and nothing
  /// changes, if a layer that multiplies would be among them: then most of the work might be.
  bool leave_out(std::size_t node, const std::string& why);
  bool is_left_out(std::size_t node) const { return left_out_[node]; }
  bool empty() const { return std::find(left_out_.begin(), left_out_.end(), true) == left_out_.end(); }
  /// Of nodes, in the order of the graph.
  std::vector<std::string> names() const;
  /// Why the first node was left out that was.
  const std::string& first_reason() const { return first_.why; }
  std::size_t first_node() const { return first_.node; }

  /// Tensors that a node which stays has made and the host reads: outputs of the network and inputs of what is left
  /// out. Sorted.
  std::vector<int> outputs() const;
  /// What stays; tensors as in the network's graph.
  network::Graph rest() const;

 private:
  std::vector<bool> with_followers(std::size_t node) const;

  struct First {
    std::size_t node = 0;
    std::string why;
  };
  const network::Graph& graph_;
  std::vector<bool> multiplies_, left_out_;  // by node
  First first_;
};

}  // namespace convscope::cpu
