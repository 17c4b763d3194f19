// Operators that compute value by value, and conversions of types.

#include <map>

#include "core/readers/tflite/operators.h"

namespace convscope::readers::tflite {
namespace {

using network::Attributes;
using network::ElementType;

/// Scale and zero point of a tensor as operands; along an axis where there are several.
std::vector<int> quantization_operands(const OperatorContext& context, const ModelTensor& tensor,
                                       const std::string& prefix) {
  const std::vector<float> scales(tensor.scale.begin(), tensor.scale.end());
  const bool single = scales.size() == 1;
  const Integers dimensions = single ? Integers{} : Integers{static_cast<std::int64_t>(scales.size())};
  std::vector<int> operands{context.to.graph().floats(context.name + "/" + prefix + "_scale", dimensions, scales)};
  const int zero = context.to.graph().constant(context.name + "/" + prefix + "_zero_point", dimensions, 0, tensor.type);
  Integers points = tensor.zero_point;
  points.resize(scales.size(), 0);
  network::Constant& constant = *context.to.graph().constant_of(zero);
  if (tensor.type == ElementType::int8) give_values(constant, std::vector<std::int8_t>(points.begin(), points.end()));
  if (tensor.type == ElementType::uint8) give_values(constant, std::vector<std::uint8_t>(points.begin(), points.end()));
  if (tensor.type == ElementType::int16) give_values(constant, std::vector<std::int16_t>(points.begin(), points.end()));
  if (tensor.type == ElementType::int32) give_values(constant, std::vector<std::int32_t>(points.begin(), points.end()));
  operands.push_back(zero);
  return operands;
}

bool is_integer(ElementType type) {
  return type == ElementType::int8 || type == ElementType::uint8 || type == ElementType::int16 ||
         type == ElementType::int32;
}

}  // namespace

bool binary(const OperatorContext& context) {
  static const std::map<std::string, std::string> operators{{"ADD", "Add"}, {"SUB", "Sub"},     {"MUL", "Mul"},
                                                            {"DIV", "Div"}, {"MAXIMUM", "Max"}, {"MINIMUM", "Min"},
                                                            {"POW", "Pow"}};
  if (context.input(1) < 0) return false;
  const std::size_t rank = context.out().shape.size();
  const ModelOperator& source = context.source;
  const schema::Activation activation = source.name == "ADD"   ? fused_activation<schema::AddOptions>(source)
                                        : source.name == "SUB" ? fused_activation<schema::SubOptions>(source)
                                        : source.name == "MUL" ? fused_activation<schema::MulOptions>(source)
                                        : source.name == "DIV" ? fused_activation<schema::DivOptions>(source)
                                                               : schema::Activation::None;
  context.finish(
      operators.at(context.source.name),
      {context.to.broadcast_operand(context.input(0), rank), context.to.broadcast_operand(context.input(1), rank)}, {},
      activation);
  return true;
}

bool unary(const OperatorContext& context) {
  static const std::map<std::string, std::string> operators{
      {"RELU", "Relu"}, {"LOGISTIC", "Sigmoid"}, {"TANH", "Tanh"},  {"ELU", "Elu"}, {"HARD_SWISH", "HardSwish"},
      {"ABS", "Abs"},   {"NEG", "Neg"},          {"EXP", "Exp"},    {"LOG", "Log"}, {"SQRT", "Sqrt"},
      {"CEIL", "Ceil"}, {"FLOOR", "Floor"},      {"ROUND", "Round"}};
  context.finish(operators.at(context.source.name), {context.to.operand(context.input(0))});
  return true;
}

bool relu_between(const OperatorContext& context) {
  const std::string& name = context.source.name;
  const int least = context.scalar("least", name == "RELU_N1_TO_1" ? -1.f : 0.f);
  const int most = context.scalar("most", name == "RELU6" ? 6.f : 1.f);
  context.finish("Clip", {context.to.operand(context.input(0)), least, most});
  return true;
}

bool leaky_relu(const OperatorContext& context) {
  Attributes attributes;
  const auto* options = context.source.options<schema::LeakyReluOptions>();
  attributes.set("alpha", options == nullptr ? 0.0 : static_cast<double>(options->alpha()));
  context.finish("LeakyRelu", {context.to.operand(context.input(0))}, std::move(attributes));
  return true;
}

bool prelu(const OperatorContext& context) {
  if (context.input(1) < 0) return false;
  context.finish("PRelu", {context.to.operand(context.input(0)),
                           context.to.broadcast_operand(context.input(1), context.in().shape.size())});
  return true;
}

/// Over the last axis of the file's layout; with another beta than 1 the input is scaled first.
bool softmax(const OperatorContext& context) {
  const bool logarithmic = context.source.name == "LOG_SOFTMAX";
  const auto* options = context.source.options<schema::SoftmaxOptions>();
  const float beta = logarithmic ? 1 : options == nullptr ? 0 : options->beta();
  const std::size_t rank = context.in().shape.size();
  if (rank == 0) return false;
  Attributes attributes;
  attributes.set("axis", OperatorContext::axis(-1, rank));
  int operand = context.to.operand(context.input(0));
  if (beta != 1) {
    const network::Tensor declared = context.to.graph().graph().tensors[static_cast<std::size_t>(operand)];
    operand = context.step("scaled", "Mul", {operand, context.scalar("beta", beta)}, declared.shape.dimensions);
  }
  context.finish(logarithmic ? "LogSoftmax" : "Softmax", {operand}, std::move(attributes));
  return true;
}

/// From numbers to integers, or from integers of one quantization to another.
bool quantize(const OperatorContext& context) {
  const ModelTensor &in = context.in(), &out = context.out();
  const bool again = in.quantized();
  if (out.scale.size() != 1 || !is_integer(out.type) || (again && (in.scale.size() != 1 || !is_integer(in.type))))
    return false;
  int operand = context.to.operand(context.input(0));
  if (again) {
    const std::vector<int> from = quantization_operands(context, in, "input");
    operand = context.step("dequantized", "DequantizeLinear", {operand, from[0], from[1]},
                           OperatorContext::by_axis(in.shape));
    context.to.graph().graph().tensors[static_cast<std::size_t>(operand)].type = ElementType::float32;
  }
  const std::vector<int> to = quantization_operands(context, out, "output");
  context.finish("QuantizeLinear", {operand, to[0], to[1]});
  return true;
}

bool dequantize(const OperatorContext& context) {
  const ModelTensor& in = context.in();
  const int operand = context.to.operand(context.input(0));
  if (in.type == ElementType::float16) {
    Attributes attributes;
    attributes.set("to", std::int64_t{1});  // TensorProto.FLOAT
    context.finish("Cast", {operand}, std::move(attributes));
    return true;
  }
  if (in.scale.size() != 1 || !is_integer(in.type)) return false;
  const std::vector<int> from = quantization_operands(context, in, "input");
  context.finish("DequantizeLinear", {operand, from[0], from[1]});
  return true;
}

}  // namespace convscope::readers::tflite
