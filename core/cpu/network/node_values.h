#pragma once
// What a node of a graph says about its tensors, given their values.

#include <optional>
#include <string>
#include <vector>

#include "core/cpu/network/flow.h"
#include "core/network/graph.h"

namespace convscope::cpu {

/// [outer][channels][pixels] as [outer][pixels][channels].
std::vector<float> channels_last(const std::vector<float>& values, std::int64_t outer, std::int64_t channels,
                                 std::int64_t pixels);

class NodeValues {
 public:
  NodeValues(const network::Graph& graph, const TensorValues& values);

  /// No input of the graph has a part in it.
  bool fixed(int tensor) const { return tensor < 0 || fixed_[static_cast<std::size_t>(tensor)]; }
  std::string name(int tensor) const;
  std::size_t rank(int tensor) const;
  /// H W C of [1, C, H, W], [1, C, W], [1, C]; nothing for others.
  std::optional<Extents> extents(int tensor) const;
  /// Of what is no image, its last dimension as W and all others as C: in the order C H W as in the graph. Nothing for
  /// empty tensors.
  std::optional<Extents> rows(int tensor) const;
  /// Empty if it has no value.
  const TensorValue& constant(int tensor) const;
  /// Of an attribute, or of a constant input in its place.
  std::vector<std::int64_t> integers(const network::Node& node, const std::string& attribute, std::size_t input) const;
  /// The one input that isn't fixed; -1 if there are none or several.
  int moving_input(const network::Node& node) const;
  /// What the node does to each element of its one moving input; empty if it does something else.
  std::vector<ElementOperation> element_operations(const network::Node& node) const;
  /// Of an input that is one; nothing if it is absent.
  std::optional<float> number(const network::Node& node, std::size_t input) const;

 private:
  std::vector<ElementOperation> with_constant(const network::Node& node) const;
  std::vector<ElementOperation> scaled(const network::Node& node) const;
  std::vector<ElementOperation> clip(const network::Node& node) const;
  /// One number, or one for each channel of `like`.
  bool by_channel(const TensorValue& constant, int like) const;

  const network::Graph& graph_;
  const TensorValues& values_;
  std::vector<bool> fixed_;
};

}  // namespace convscope::cpu
