#include "core/reference/executor.h"

#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "core/network/inference/convolution.h"
#include "core/network/shape_inference.h"
#include "core/reference/operators/call.h"

namespace convscope::reference {
namespace {

using network::Constant;
using network::ElementType;
using network::Graph;
using network::Node;

constexpr std::size_t shape_values = 4096;  // what shape inference looks at

template <typename T>
void append(std::vector<std::byte>& bytes, double value) {
  T number{};
  if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
    number = static_cast<T>(network::saturating_integer(value));
  } else {
    number = static_cast<T>(value);
  }
  const std::size_t at = bytes.size();
  bytes.resize(at + sizeof number);
  std::memcpy(bytes.data() + at, &number, sizeof number);
}

template <typename T>
std::vector<std::byte> encoded(const FloatTensor& tensor) {
  std::vector<std::byte> bytes;
  for (const double value : tensor.values) append<T>(bytes, value);
  return bytes;
}

/// Nothing for types that no shape is computed from.
std::optional<std::vector<std::byte>> encode(const FloatTensor& tensor) {
  switch (tensor.type) {
    case ElementType::float32:
      return encoded<float>(tensor);
    case ElementType::int64:
      return encoded<std::int64_t>(tensor);
    case ElementType::int32:
      return encoded<std::int32_t>(tensor);
    case ElementType::boolean:
      return encoded<std::uint8_t>(tensor);
    default:
      return std::nullopt;
  }
}

/// For shape inference, which looks into small tensors.
std::shared_ptr<const Constant> constant_of(const FloatTensor& tensor) {
  auto bytes = tensor.values.size() <= shape_values ? encode(tensor) : std::nullopt;
  if (!bytes) return nullptr;
  auto owner = std::make_shared<std::vector<std::byte>>(std::move(*bytes));
  auto constant = std::make_shared<Constant>();
  constant->type = tensor.type;
  constant->dimensions = tensor.dimensions;
  constant->bytes = {owner->data(), owner->size()};
  constant->owner = std::move(owner);
  return constant;
}

double rounded(double value, int fraction_bits, int least_exponent) {
  if (value == 0 || !std::isfinite(value)) return value;
  const int exponent = std::max(std::ilogb(value), least_exponent);
  const double quantum = std::ldexp(1.0, exponent - fraction_bits);
  return std::nearbyint(value / quantum) * quantum;
}

bool all_outputs_constant(const Graph& graph, const Node& node) {
  bool constant = !node.outputs.empty();
  for (const int output : node.outputs)
    constant = constant && output >= 0 && graph.tensors[as_size(output)].constant != nullptr;
  return constant;
}

class Execution {
 public:
  Execution(const Graph& graph, Diagnostics& diagnostics, const ExecutionLimits& limits, const ValueHook& hook)
      : graph_(graph),
        diagnostics_(diagnostics),
        limits_(limits),
        hook_(hook),
        values_(graph.tensors.size()),
        uses_(graph.tensors.size(), 0) {}

  std::optional<FloatTensors> run(const FloatTensors& inputs) {
    count_uses();
    if (!take_inputs(inputs)) return std::nullopt;
    for (const Node& node : graph_.nodes) {
      if (!run_node(node)) return std::nullopt;
    }
    return collect();
  }

 private:
  static Location where(const Node& node) {
    return {{}, node.source_line, fmt::format("node '{}' ({})", node.name, node.operator_name)};
  }

  const network::Tensor& tensor(int index) const { return graph_.tensors[as_size(index)]; }

  bool fail(const Node& node, std::string what, std::string expected = {}) {
    diagnostics_.error(where(node), std::move(what), std::move(expected));
    return false;
  }

  void count_uses() {
    for (const Node& node : graph_.nodes) {
      for (const int input : node.inputs) {
        if (input >= 0) ++uses_[as_size(input)];
      }
    }
    for (const int output : graph_.outputs) ++uses_[as_size(output)];
  }

  bool take_inputs(const FloatTensors& inputs) {
    for (const int index : graph_.inputs) {
      const auto found = inputs.find(tensor(index).name);
      if (found == inputs.end()) {
        if (tensor(index).constant) continue;  // IR 3 lists constants among the inputs
        diagnostics_.error({{}, 0, fmt::format("input '{}'", tensor(index).name)}, "has no value");
        return false;
      }
      if (network::TensorShape{true, found->second.dimensions, {}}.elements() !=
          static_cast<std::int64_t>(found->second.values.size())) {
        diagnostics_.error({{}, 0, fmt::format("input '{}'", tensor(index).name)}, "has other values than dimensions");
        return false;
      }
      FloatTensor value = found->second;
      show(index, value);
      keep(index, std::move(value));
    }
    return true;
  }

  void show(int index, FloatTensor& value) const {
    if (hook_ && index >= 0) hook_(index, value);
  }

  void keep(int index, FloatTensor value) {
    if (index < 0 || uses_[as_size(index)] == 0) return;
    alive_ += static_cast<std::int64_t>(value.values.size());
    values_[as_size(index)] = std::move(value);
  }

  void release(int index) {
    if (index < 0 || --uses_[as_size(index)] > 0 || !values_[as_size(index)]) return;
    alive_ -= static_cast<std::int64_t>(values_[as_size(index)]->values.size());
    values_[as_size(index)].reset();
  }

  /// Values of a computed tensor, an input or a constant; constants are converted into `converted`.
  const FloatTensor* find(int index, std::vector<FloatTensor>& converted) const {
    if (values_[as_size(index)]) return &*values_[as_size(index)];
    if (!tensor(index).constant) return nullptr;
    auto value = tensor_of(*tensor(index).constant, limits_.elements - alive_);
    if (!value) return nullptr;
    show(index, *value);
    converted.push_back(std::move(*value));
    return &converted.back();
  }

  /// Shapes and types of the outputs, from a graph of this node alone whose inputs are as they are.
  std::optional<std::vector<FloatTensor>> shape_outputs(const Node& node,
                                                        const std::vector<const FloatTensor*>& inputs) {
    Graph single;
    single.opset = graph_.opset;
    Node copy = node;
    copy.inputs.clear();
    copy.outputs.clear();
    for (const FloatTensor* input : inputs) {
      copy.inputs.push_back(input ? static_cast<int>(single.tensors.size()) : -1);
      if (input) single.tensors.push_back({"", input->type, {true, input->dimensions, {}}, constant_of(*input)});
    }
    for (const int output : node.outputs) {
      copy.outputs.push_back(output < 0 ? -1 : static_cast<int>(single.tensors.size()));
      if (output >= 0) single.tensors.push_back({tensor(output).name, ElementType::unknown, {}, nullptr});
    }
    const std::vector<int> outputs = copy.outputs;
    single.nodes.push_back(std::move(copy));
    Diagnostics findings;
    network::infer_shapes(single, {}, {}, findings);
    for (const Diagnostic& finding : findings.items()) {
      if (finding.severity == Severity::note) continue;
      diagnostics_.error(finding.where, finding.what, finding.expected);
      return std::nullopt;
    }
    return allocate(node, single, outputs);
  }

  std::optional<std::vector<FloatTensor>> allocate(const Node& node, const Graph& single,
                                                   const std::vector<int>& outputs) {
    std::vector<FloatTensor> result(outputs.size());
    std::int64_t needed = alive_;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (outputs[i] < 0) continue;
      const network::Tensor& shaped = single.tensors[as_size(outputs[i])];
      const auto elements = shaped.shape.elements();
      if (!elements) {
        fail(node, fmt::format("the shape of its output '{}' doesn't follow from its inputs", shaped.name));
        return std::nullopt;
      }
      needed += *elements;
      if (needed > limits_.elements) {
        fail(node, fmt::format("{} elements would be alive", needed), fmt::format("at most {}", limits_.elements));
        return std::nullopt;
      }
      const ElementType type = shaped.type == ElementType::unknown ? tensor(node.outputs[i]).type : shaped.type;
      result[i] = {type, shaped.shape.dimensions, std::vector<double>(as_size(*elements))};
      if (shaped.constant && shaped.constant->fill)
        result[i].values.assign(result[i].values.size(), *shaped.constant->fill);
    }
    return result;
  }

  /// Multiply-accumulates behind each output element, at most.
  static std::int64_t depth_of(const Node& node, const Call& call) {
    const auto convolution = network::convolution_form(node);
    if (convolution || node.operator_name == "DeformConv" || node.operator_name == "ConvTranspose") {
      const Dimensions& weights = call.in(convolution ? convolution->weights : 1).dimensions;
      return network::product(weights, node.operator_name == "ConvTranspose" ? 0 : 1, weights.size());
    }
    if (network::product_form(node) && !call.in().dimensions.empty()) {
      const Dimensions& rows = call.in().dimensions;
      const bool transposed = node.attributes.integer("transA", 0) != 0;
      return transposed ? rows.front() : network::product(rows, rows.size() > 2 ? 1 : rows.size() - 1, rows.size());
    }
    return network::product(node.attributes.integers("kernel_shape"));
  }

  bool spend(const Node& node, const Call& call) {
    std::int64_t read = 1, written = 0;
    for (const FloatTensor& output : call.outputs) written += static_cast<std::int64_t>(output.values.size());
    for (const FloatTensor* input : call.inputs) read += input ? static_cast<std::int64_t>(input->values.size()) : 0;
    const std::int64_t work = network::saturating_multiply(written, std::max<std::int64_t>(1, depth_of(node, call)));
    operations_ = network::saturating_add(operations_, network::saturating_add(read, work));
    if (operations_ <= limits_.operations) return true;
    return fail(node, fmt::format("{} operations so far", operations_), fmt::format("at most {}", limits_.operations));
  }

  bool run_node(const Node& node) {
    const auto found = operators_.find(node.operator_name);
    if (found == operators_.end() || !network::is_known_domain(node))
      return all_outputs_constant(graph_, node) || fail(node, "the reference can't execute this operator");
    std::vector<FloatTensor> converted;
    converted.reserve(node.inputs.size());
    Call call{node, graph_.opset, {}, {}};
    for (std::size_t i = 0; i < std::max(node.inputs.size(), found->second.required); ++i) {
      const int index = i < node.inputs.size() ? node.inputs[i] : -1;
      call.inputs.push_back(index < 0 ? nullptr : find(index, converted));
      if (call.inputs.back() || (index < 0 && i >= found->second.required)) continue;
      return fail(node, index < 0 ? fmt::format("its input {} is missing", i)
                                  : fmt::format("its input '{}' has no values", tensor(index).name));
    }
    call.inputs.resize(node.inputs.size());
    auto outputs = shape_outputs(node, call.inputs);
    if (!outputs) return false;
    call.outputs = std::move(*outputs);
    return finish(node, call, found->second.function);
  }

  bool finish(const Node& node, Call& call, Function function) {
    if (!spend(node, call)) return false;
    if (call.outputs.empty()) return fail(node, "has no output");
    if (!function(call)) return fail(node, call.problem);
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      round_to_type(call.outputs[i]);
      show(node.outputs[i], call.outputs[i]);
      keep(node.outputs[i], std::move(call.outputs[i]));
    }
    for (const int input : node.inputs) release(input);
    return true;
  }

  std::optional<FloatTensors> collect() {
    FloatTensors result;
    std::vector<FloatTensor> converted;
    converted.reserve(graph_.outputs.size());
    for (const int output : graph_.outputs) {
      const FloatTensor* value = find(output, converted);
      if (!value) {
        diagnostics_.error({{}, 0, fmt::format("output '{}'", tensor(output).name)}, "no node computes it");
        return std::nullopt;
      }
      result[tensor(output).name] = *value;
    }
    return result;
  }

  const Graph& graph_;
  Diagnostics& diagnostics_;
  ExecutionLimits limits_;
  const ValueHook& hook_;
  OperatorTable operators_ = all_operators();
  std::vector<std::optional<FloatTensor>> values_;
  std::vector<int> uses_;
  std::int64_t alive_ = 0;
  std::int64_t operations_ = 0;
};

}  // namespace

std::optional<FloatTensor> tensor_of(const Constant& constant, std::int64_t limit) {
  if (limit < 0) return std::nullopt;
  FloatTensor tensor{constant.type, constant.dimensions, {}};
  if (is_real(constant.type)) {
    const auto values = constant.floats(as_size(limit));
    if (!values) return std::nullopt;
    tensor.values.assign(values->begin(), values->end());
  } else {
    const auto values = constant.integers(as_size(limit));
    if (!values) return std::nullopt;
    tensor.values.assign(values->begin(), values->end());
  }
  return tensor;
}

void round_to_type(FloatTensor& tensor) {
  for (double& value : tensor.values) {
    if (tensor.type == ElementType::float32) value = static_cast<double>(static_cast<float>(value));
    if (tensor.type == ElementType::bfloat16) value = rounded(value, 7, -126);
    if (tensor.type != ElementType::float16) continue;
    value = rounded(value, 10, -14);
    if (std::abs(value) > 65504) value = std::copysign(std::numeric_limits<double>::infinity(), value);
  }
}

bool can_execute(const Graph& graph, const Node& node) {
  static const OperatorTable operators = all_operators();
  return (operators.contains(node.operator_name) && network::is_known_domain(node)) ||
         all_outputs_constant(graph, node);
}

std::optional<FloatTensors> execute(const Graph& graph, const FloatTensors& inputs, Diagnostics& diagnostics,
                                    const ExecutionLimits& limits, const ValueHook& hook) {
  return Execution(graph, diagnostics, limits, hook).run(inputs);
}

}  // namespace convscope::reference
