#include "core/network/shape_inference.h"

#include <map>

#include <fmt/format.h>

#include "core/network/inference/input_sizes.h"
#include "core/network/inference/rules.h"

namespace convscope::network {
namespace {

class ShapeInference {
 public:
  ShapeInference(Graph& graph, const std::string& file, Diagnostics& diagnostics)
      : graph_(graph), state_{file, diagnostics} {}

  void run(const InputSizes& sizes) {
    take_constants();
    state_.batch = apply_sizes(graph_, sizes, state_);
    for (const Node& node : graph_.nodes) infer(node);
    note_unknown_operators();
  }

 private:
  struct Unknown {
    std::string first_node;
    int line = 0;
    int count = 0;
  };

  Tensor& tensor(int index) { return graph_.tensors[static_cast<std::size_t>(index)]; }

  Location where(const Node& node) const {
    return {state_.file, node.source_line, fmt::format("node '{}' ({})", node.name, node.operator_name)};
  }

  void take_constants() {
    for (Tensor& tensor : graph_.tensors) {
      if (!tensor.constant) continue;
      tensor.shape = shape_of(tensor.constant->dimensions);
      if (tensor.constant->type != ElementType::unknown) tensor.type = tensor.constant->type;
    }
  }

  void infer(const Node& node) {
    const Rule rule = find_rule(rules_, node);
    if (!rule) return count_unknown(node);
    std::vector<TensorShape> declared;
    for (const int output : node.outputs) declared.push_back(take_declared(output));
    NodeView view(graph_, node, state_);
    rule(view);
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      if (node.outputs[i] >= 0) merge(node, tensor(node.outputs[i]), declared[i]);
    }
  }

  /// What the file says about an output, for the batch that is wanted; the output is left open. Constants stay.
  TensorShape take_declared(int output) {
    if (output < 0 || tensor(output).constant) return {};
    TensorShape declared = std::move(tensor(output).shape);
    tensor(output).shape = {};
    const BatchChange& batch = state_.batch;
    if (batch.stated != batch.wanted && !declared.dimensions.empty() && declared.dimensions[0] == batch.stated)
      declared.dimensions[0] = unknown_dimension;
    for (std::int64_t& dimension : declared.dimensions) {
      if (dimension < 0 || dimension > element_cap) dimension = unknown_dimension;
    }
    return declared;
  }

  void merge(const Node& node, Tensor& output, const TensorShape& declared) {
    if (output.constant || !declared.known) return;
    if (!output.shape.known) {
      output.shape = declared;
      return;
    }
    Dimensions& dimensions = output.shape.dimensions;
    bool differ = dimensions.size() != declared.dimensions.size();
    for (std::size_t i = 0; !differ && i < dimensions.size(); ++i) {
      if (dimensions[i] < 0) dimensions[i] = declared.dimensions[i];
      differ = declared.dimensions[i] >= 0 && declared.dimensions[i] != dimensions[i];
    }
    if (!differ) output.shape.symbols = declared.symbols;
    // Another batch changes shapes that are computed from it; what the file declares is no longer about this network.
    if (differ && state_.batch.stated == state_.batch.wanted && ++state_.contradictions <= 200)
      state_.diagnostics.warning(where(node),
                                 fmt::format("the file declares '{}' as {}", output.name, shape_text(declared)),
                                 fmt::format("{}, which follows from its inputs", shape_text(output.shape)));
  }

  void count_unknown(const Node& node) {
    const std::string name = node.domain.empty() ? node.operator_name : node.domain + "." + node.operator_name;
    Unknown& unknown = unknown_[name];
    if (unknown.count++ == 0) {
      unknown.first_node = node.name;
      unknown.line = node.source_line;
    }
  }

  void note_unknown_operators() {
    for (const auto& [name, unknown] : unknown_) {
      std::string what =
          fmt::format("operator '{}' is not known: shapes behind it are those that the file declares", name);
      if (unknown.count > 1) what += fmt::format(" ({} nodes)", unknown.count);
      state_.diagnostics.note({state_.file, unknown.line, fmt::format("node '{}'", unknown.first_node)}, what);
    }
  }

  Graph& graph_;
  InferenceState state_;
  RuleTable rules_ = all_rules();
  std::map<std::string, Unknown> unknown_;
};

}  // namespace

void infer_shapes(Graph& graph, const InputSizes& sizes, const std::string& file, Diagnostics& diagnostics) {
  ShapeInference(graph, file, diagnostics).run(sizes);
}

}  // namespace convscope::network
