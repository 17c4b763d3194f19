#include "core/readers/tflite/operators.h"

#include <map>

#include <fmt/format.h>

namespace convscope::readers::tflite {
namespace {

using network::Attributes;

struct Fused {
  const char* operator_name = nullptr;
  float least = 0, most = 0;  ///< of Clip
};

Fused fused(schema::Activation activation) {
  switch (activation) {
    case schema::Activation::Relu:
      return {"Relu"};
    case schema::Activation::ReluFromMinus1To1:
      return {"Clip", -1, 1};
    case schema::Activation::Relu6:
      return {"Clip", 0, 6};
    case schema::Activation::Tanh:
      return {"Tanh"};
    case schema::Activation::SignBit:
      return {"Sign"};
    default:  // also numbers that no version of the format knows
      return {};
  }
}

const std::map<std::string, OperatorTranslation>& translations() {
  static const std::map<std::string, OperatorTranslation> table{{"CONV_2D", convolution},
                                                                {"DEPTHWISE_CONV_2D", depthwise_convolution},
                                                                {"TRANSPOSE_CONV", transposed_convolution},
                                                                {"FULLY_CONNECTED", fully_connected},
                                                                {"AVERAGE_POOL_2D", average_pool},
                                                                {"MAX_POOL_2D", max_pool},
                                                                {"ADD", binary},
                                                                {"SUB", binary},
                                                                {"MUL", binary},
                                                                {"DIV", binary},
                                                                {"MAXIMUM", binary},
                                                                {"MINIMUM", binary},
                                                                {"POW", binary},
                                                                {"RELU", unary},
                                                                {"LOGISTIC", unary},
                                                                {"TANH", unary},
                                                                {"ELU", unary},
                                                                {"HARD_SWISH", unary},
                                                                {"ABS", unary},
                                                                {"NEG", unary},
                                                                {"EXP", unary},
                                                                {"LOG", unary},
                                                                {"SQRT", unary},
                                                                {"FLOOR", unary},
                                                                {"CEIL", unary},
                                                                {"ROUND", unary},
                                                                {"RELU6", relu_between},
                                                                {"RELU_N1_TO_1", relu_between},
                                                                {"RELU_0_TO_1", relu_between},
                                                                {"LEAKY_RELU", leaky_relu},
                                                                {"PRELU", prelu},
                                                                {"SOFTMAX", softmax},
                                                                {"LOG_SOFTMAX", softmax},
                                                                {"CONCATENATION", concatenation},
                                                                {"RESHAPE", reshape},
                                                                {"SQUEEZE", reshape},
                                                                {"EXPAND_DIMS", reshape},
                                                                {"TRANSPOSE", transpose},
                                                                {"PAD", pad},
                                                                {"PADV2", pad},
                                                                {"MIRROR_PAD", pad},
                                                                {"MEAN", reduction},
                                                                {"SUM", reduction},
                                                                {"REDUCE_MAX", reduction},
                                                                {"REDUCE_MIN", reduction},
                                                                {"REDUCE_PROD", reduction},
                                                                {"RESIZE_BILINEAR", resize},
                                                                {"RESIZE_NEAREST_NEIGHBOR", resize},
                                                                {"STRIDED_SLICE", strided_slice},
                                                                {"SLICE", slice},
                                                                {"SPLIT", split},
                                                                {"DEPTH_TO_SPACE", depth_and_space},
                                                                {"SPACE_TO_DEPTH", depth_and_space},
                                                                {"QUANTIZE", quantize},
                                                                {"DEQUANTIZE", dequantize}};
  return table;
}

void opaque(const ModelOperator& source, const std::string& name, Translation& to) {
  std::vector<int> inputs, outputs;
  for (const std::int64_t input : source.inputs) inputs.push_back(to.operand(input));
  for (const std::int64_t output : source.outputs) outputs.push_back(to.result(output));
  to.graph().node_to({source.name, name, std::move(inputs), {}, "tflite"}, std::move(outputs));
}

bool is_sound(const ModelOperator& source, const Translation& to) {
  if (source.outputs.empty() || source.inputs.empty() || source.inputs.front() < 0) return false;
  for (const std::int64_t output : source.outputs)
    if (to.is_constant(output)) return false;
  return true;
}

}  // namespace

std::int64_t OperatorContext::input(std::size_t position) const {
  return position < source.inputs.size() ? source.inputs[position] : -1;
}

void OperatorContext::finish(const std::string& operator_name, std::vector<int> operands, Attributes attributes,
                             schema::Activation fused_activation) const {
  const Fused activation = fused(fused_activation);
  const int result = to.result(output());
  if (activation.operator_name == nullptr) {
    to.graph().node_to({operator_name, name, std::move(operands), std::move(attributes)}, {result});
    return;
  }
  const network::Tensor declared = to.graph().graph().tensors[static_cast<std::size_t>(result)];
  const int linear = to.graph().tensor(name + "/linear", declared.shape, declared.type);
  to.graph().node_to({operator_name, name, std::move(operands), std::move(attributes)}, {linear});
  std::vector<int> inputs{linear};
  if (activation.most != activation.least) {
    inputs.push_back(scalar("least", activation.least));
    inputs.push_back(scalar("most", activation.most));
  }
  to.graph().node_to({activation.operator_name, name + "/activation", std::move(inputs)}, {result});
}

int OperatorContext::step(const std::string& suffix, const std::string& operator_name, std::vector<int> operands,
                          Integers shape, Attributes attributes) const {
  const std::string step_name = name + "/" + suffix;
  const int tensor = to.graph().tensor(step_name, {true, std::move(shape), {}}, out().type);
  to.graph().node_to({operator_name, step_name, std::move(operands), std::move(attributes)}, {tensor});
  return tensor;
}

void OperatorContext::finish_from_file_order(int tensor, schema::Activation fused_activation) const {
  if (out().shape.size() != 4) return finish("Identity", {tensor}, {}, fused_activation);
  Attributes attributes;
  attributes.set("perm", maps_first);
  finish("Transpose", {tensor}, std::move(attributes), fused_activation);
}

std::int64_t OperatorContext::axis(std::int64_t axis, std::size_t rank) {
  const auto count = static_cast<std::int64_t>(rank);
  const std::int64_t absolute = axis < 0 ? axis + count : axis;
  if (absolute < 0 || absolute >= count) return -1;
  // Axis i of the file's layout is axis maps_last's inverse of ONNX's: 0 1 2 3 become 0 2 3 1.
  return rank == 4 ? maps_last[static_cast<std::size_t>(absolute)] : absolute;
}

Integers OperatorContext::by_axis(const Integers& values) {
  return values.size() == 4 ? permuted(values, maps_first) : values;
}

int OperatorContext::integers(const std::string& suffix, const Integers& values) const {
  return to.graph().integers(name + "/" + suffix, values);
}

int OperatorContext::scalar(const std::string& suffix, float value) const {
  return to.graph().floats(name + "/" + suffix, {}, {value});
}

void translate(const ModelOperator& source, Translation& to) {
  const std::string name = source.outputs.empty() ? source.name : to.tensor(source.outputs.front()).name;
  const auto known = source.custom ? translations().end() : translations().find(source.name);
  if (known != translations().end() && is_sound(source, to)) {
    const OperatorContext context{source, to, name};
    if (known->second(context)) return;
  }
  opaque(source, name, to);
}

}  // namespace convscope::readers::tflite
