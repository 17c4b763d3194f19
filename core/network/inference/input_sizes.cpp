#include "core/network/inference/input_sizes.h"

#include <limits>

#include <fmt/format.h>

#include "core/network/inference/convolution.h"
#include "core/network/shape_inference.h"

namespace convscope::network {
namespace {

/// First of the inputs that are parameters, not data; the number of inputs if all are data.
std::size_t first_parameter(const Node& node) {
  if (const auto form = convolution_form(node)) return form->weights;
  for (const char* name : {"Gemm", "ConvTranspose", "DeformConv", "BatchNormalization", "PRelu", "QuantizeLinear",
                           "DequantizeLinear", "InstanceNormalization", "GroupNormalization", "LayerNormalization"}) {
    if (node.operator_name == name) return 1;
  }
  return node.inputs.size();
}

bool only_rearranges(const Node& node) {
  for (const char* name : {"DequantizeLinear", "QuantizeLinear", "Cast", "Identity", "Transpose", "Reshape"}) {
    if (node.operator_name == name) return true;
  }
  return false;
}

bool marked(const std::vector<bool>& marks, int tensor) {
  return tensor >= 0 && marks[static_cast<std::size_t>(tensor)];
}

/// Tensors that are weights, scales and the like, though the file may call them inputs. From the end to the front, so
/// that what passes through a DequantizeLinear is known by then.
std::vector<bool> parameters_of(const Graph& graph) {
  std::vector<bool> marks(graph.tensors.size(), false);
  for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
    const bool passes = only_rearranges(*node) && !node->outputs.empty() && marked(marks, node->outputs[0]);
    for (std::size_t i = passes ? 0 : first_parameter(*node); i < node->inputs.size(); ++i) {
      if (node->inputs[i] >= 0) marks[static_cast<std::size_t>(node->inputs[i])] = true;
    }
  }
  return marks;
}

/// Images, or volumes.
bool is_image(const TensorShape& shape) {
  return shape.dimensions.size() == 4 || shape.dimensions.size() == 5;
}

std::string symbol_at(const TensorShape& shape, std::size_t axis) {
  return axis < shape.symbols.size() ? shape.symbols[axis] : std::string();
}

class SizeSetter {
 public:
  SizeSetter(const InputSizes& sizes, InferenceState& state) : sizes_(sizes), state_(state) {
    for (const auto& [name, value] : sizes.symbols) check(name, value);
  }

  void set_input(Tensor& tensor) {
    TensorShape& shape = tensor.shape;
    set_batch(shape);
    set_symbols(shape);
    if (sizes_.image && shape.dimensions.size() == 4) {
      set_open(shape.dimensions[2], sizes_.image->height);
      set_open(shape.dimensions[3], sizes_.image->width);
    }
  }

  void set_symbols(TensorShape& shape) const {
    for (std::size_t axis = 0; axis < shape.dimensions.size() && axis < shape.symbols.size(); ++axis) {
      const auto found = symbols_.find(shape.symbols[axis]);
      if (shape.dimensions[axis] < 0 && found != symbols_.end()) shape.dimensions[axis] = found->second;
    }
  }

  BatchChange change() const { return change_; }

 private:
  static void set_open(std::int64_t& dimension, std::int64_t size) {
    if (dimension < 0 && size > 0) dimension = size;
  }

  void check(const std::string& name, std::int64_t value) {
    if (value >= 1 && value <= element_cap)
      symbols_[name] = value;
    else
      state_.diagnostics.warning({state_.file, 0, fmt::format("dimension '{}'", name)},
                                 fmt::format("a size of {}", value), fmt::format("1 to {}", element_cap));
  }

  /// The first dimension of images and volumes, whatever the file says; of other inputs where it is open.
  void set_batch(TensorShape& shape) {
    if (shape.dimensions.empty() || sizes_.batch < 1) return;
    std::int64_t& batch = shape.dimensions[0];
    const std::string symbol = symbol_at(shape, 0);
    if (!is_image(shape) && (batch >= 0 || shape.dimensions.size() < 2)) return;
    if (!symbol.empty() && batch < 0) symbols_.emplace(symbol, sizes_.batch);
    if (!symbol.empty() && batch < 0)
      batch = symbols_[symbol];
    else if (batch != sizes_.batch) {
      if (batch > 0 && change_.stated == change_.wanted) change_ = {batch, sizes_.batch};
      batch = sizes_.batch;
    }
  }

  const InputSizes& sizes_;
  InferenceState& state_;
  std::map<std::string, std::int64_t> symbols_;
  BatchChange change_;
};

}  // namespace

BatchChange apply_sizes(Graph& graph, const InputSizes& sizes, InferenceState& state) {
  const std::vector<bool> parameters = parameters_of(graph);
  SizeSetter setter(sizes, state);
  for (const int input : graph.inputs) {
    Tensor& tensor = graph.tensors[static_cast<std::size_t>(input)];
    if (!tensor.constant && !parameters[static_cast<std::size_t>(input)]) setter.set_input(tensor);
  }
  for (Tensor& tensor : graph.tensors) setter.set_symbols(tensor.shape);
  return setter.change();
}

int batch_of(const Graph& graph) {
  const std::vector<bool> parameters = parameters_of(graph);
  std::int64_t batch = 0;
  bool image = false;
  for (const int input : graph.inputs) {
    const Tensor& tensor = graph.tensors[static_cast<std::size_t>(input)];
    if (tensor.constant || parameters[static_cast<std::size_t>(input)]) continue;
    const bool features = tensor.shape.dimensions.size() == 2 && batch == 0;
    if (image || (!is_image(tensor.shape) && !features)) continue;
    image = is_image(tensor.shape);
    batch = tensor.shape.dimensions[0];
  }
  return batch > 0 && batch <= std::numeric_limits<int>::max() ? static_cast<int>(batch) : 0;
}

}  // namespace convscope::network
