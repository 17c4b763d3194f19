#pragma once
// What a rule of shape inference sees of its node, and where it puts what it found.

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/network/graph.h"
#include "core/network/inference/dimensions.h"

namespace convscope::network {

/// Values of a small tensor as far as they are known: shapes are computed from such.
using Values = std::vector<std::optional<double>>;

/// The batch of the file and the one that the user wants instead; equal if nothing changes.
struct BatchChange {
  std::int64_t stated = 1;
  std::int64_t wanted = 1;
};

/// Everything that one inference run knows besides the graph.
struct InferenceState {
  const std::string& file;
  Diagnostics& diagnostics;
  std::unordered_map<int, Values> folded{};
  BatchChange batch{};
  int contradictions = 0;
};

class NodeView {
 public:
  NodeView(Graph& graph, const Node& node, InferenceState& state) : graph_(graph), node_(node), state_(state) {}

  const Attributes& attributes() const { return node_.attributes; }
  const std::string& operator_name() const { return node_.operator_name; }
  std::size_t inputs() const { return node_.inputs.size(); }
  std::size_t outputs() const { return node_.outputs.size(); }
  bool has_input(std::size_t input) const { return tensor_of(node_.inputs, input) >= 0; }
  bool has_output(std::size_t output) const { return tensor_of(node_.outputs, output) >= 0; }
  const BatchChange& batch() const { return state_.batch; }
  int opset() const { return graph_.opset; }

  /// Unknown for absent inputs.
  TensorShape shape(std::size_t input) const;
  ElementType type(std::size_t input) const;
  /// Shape as the file declared it, or as set before.
  TensorShape output_shape(std::size_t output) const;
  ElementType output_type(std::size_t output) const;
  /// Values of a constant (up to 4096) or of a folded tensor; nothing if none is known.
  std::optional<Values> values(std::size_t input) const;
  /// The same where all are known.
  std::optional<std::vector<std::int64_t>> integers(std::size_t input) const;
  std::optional<std::vector<double>> reals(std::size_t input) const;
  /// What became an input in later opsets: the attribute if there is one, else the input's values.
  std::optional<std::vector<std::int64_t>> integers(const char* attribute, std::size_t input) const;
  /// True if the node says anything under this attribute or at this input.
  bool says(const char* attribute, std::size_t input) const { return attributes().has(attribute) || has_input(input); }

  void set(std::size_t output, TensorShape shape, ElementType type);
  void set(std::size_t output, Dimensions dimensions, ElementType type) {
    set(output, shape_of(std::move(dimensions)), type);
  }
  void fold(std::size_t output, Values values);
  void fill(std::size_t output, double value);  ///< makes the output a constant; its shape must be complete

  void contradiction(const std::string& what, const std::string& expected = {});
  void note(const std::string& what);

 private:
  static int tensor_of(const std::vector<int>& list, std::size_t index) {
    return index < list.size() ? list[index] : -1;
  }
  Tensor& tensor(int index) const { return graph_.tensors[static_cast<std::size_t>(index)]; }
  Location where() const;

  Graph& graph_;
  const Node& node_;
  InferenceState& state_;
};

}  // namespace convscope::network
