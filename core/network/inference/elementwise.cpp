// Operators whose output is shaped like an input, or like all of them broadcast against each other.

#include <algorithm>

#include <fmt/format.h>

#include "core/network/inference/rules.h"

namespace convscope::network {
namespace {

std::int64_t broadcast_dimension(std::int64_t a, std::int64_t b) {
  if (a == 1 || a == b) return b;
  if (b == 1) return a;
  if (a < 0) return b == 0 ? unknown_dimension : b;  // whatever isn't 1 must fit
  return a;
}

bool clash(std::int64_t a, std::int64_t b) {
  return a >= 0 && b >= 0 && a != b && a != 1 && b != 1;
}

void infer_same(NodeView& node) {
  node.set(0, node.shape(0), node.type(0));
}

/// The values pass too: Identity and its like may stand between a shape and what is computed from it.
void infer_identity(NodeView& node) {
  infer_same(node);
  if (auto values = node.values(0)) node.fold(0, std::move(*values));
}

void infer_dropout(NodeView& node) {
  infer_same(node);
  node.set(1, node.shape(0), node.opset() != 0 && node.opset() < 10 ? node.type(0) : ElementType::boolean);
}

void infer_test(NodeView& node) {
  node.set(0, node.shape(0), ElementType::boolean);
}

void infer_shape_of_first(NodeView& node) {
  const std::int64_t type = node.attributes().integer("dtype", 0);
  node.set(0, node.shape(0), type == 0 ? node.type(0) : element_type_of_onnx(type));
}

TensorShape broadcast_all(NodeView& node) {
  TensorShape shape = node.shape(0);
  for (std::size_t input = 1; input < node.inputs(); ++input) shape = broadcast(node, shape, node.shape(input));
  return shape;
}

void infer_variadic(NodeView& node) {
  node.set(0, broadcast_all(node), node.type(0));
}

/// Slopes that stand for channels alone are stretched over space by some exporters, against the letter.
void infer_prelu(NodeView& node) {
  node.set(0, node.shape(0), node.type(0));
}

}  // namespace

TensorShape broadcast(NodeView& node, const TensorShape& a, const TensorShape& b) {
  if (!a.known || !b.known) return {};
  const std::size_t rank = std::max(a.dimensions.size(), b.dimensions.size());
  Dimensions out(rank);
  for (std::size_t i = 1; i <= rank; ++i) {
    const std::int64_t left = i <= a.dimensions.size() ? a.dimensions[a.dimensions.size() - i] : 1;
    const std::int64_t right = i <= b.dimensions.size() ? b.dimensions[b.dimensions.size() - i] : 1;
    if (clash(left, right)) {
      node.contradiction(fmt::format("its inputs {} and {} don't fit", shape_text(a), shape_text(b)),
                         "equal dimensions, or 1");
      return {};
    }
    out[rank - i] = broadcast_dimension(left, right);
  }
  return shape_of(std::move(out));
}

void add_elementwise_rules(RuleTable& table) {
  for (const char* name : {"Relu",
                           "LeakyRelu",
                           "Elu",
                           "Selu",
                           "Celu",
                           "ThresholdedRelu",
                           "Sigmoid",
                           "Tanh",
                           "HardSwish",
                           "Swish",
                           "HardSigmoid",
                           "Mish",
                           "Softplus",
                           "Softsign",
                           "Gelu",
                           "FastGelu",
                           "QuickGelu",
                           "BiasGelu",
                           "Exp",
                           "Log",
                           "Sqrt",
                           "Abs",
                           "Reciprocal",
                           "Sign",
                           "Erf",
                           "Sin",
                           "Cos",
                           "Tan",
                           "Asin",
                           "Acos",
                           "Atan",
                           "Sinh",
                           "Cosh",
                           "Asinh",
                           "Acosh",
                           "Atanh",
                           "Round",
                           "Clip",
                           "Shrink",
                           "CumSum",
                           "Softmax",
                           "LogSoftmax",
                           "Hardmax",
                           "LRN",
                           "Trilu",
                           "Scale",
                           "Affine",
                           "ScaledTanh",
                           "ImageScaler",
                           "ParametricSoftplus",
                           "BitwiseNot",
                           "ReverseSequence",
                           "LpNormalization",
                           "MeanVarianceNormalization",
                           "QLinearSigmoid",
                           "QLinearLeakyRelu",
                           "QLinearSoftmax",
                           "ScatterElements",
                           "ScatterND",
                           "Scatter"})
    table[name] = infer_same;
  table["Identity"] = infer_identity;
  table["Dropout"] = infer_dropout;
  table["PRelu"] = infer_prelu;
  for (const char* name : {"Not", "IsNaN", "IsInf"}) table[name] = infer_test;
  for (const char* name : {"Bernoulli", "EyeLike", "RandomNormalLike", "RandomUniformLike"})
    table[name] = infer_shape_of_first;
  for (const char* name : {"Sum", "Max", "Min", "Mean"}) table[name] = infer_variadic;
  table["BitShift"] = table["BitwiseAnd"] = table["BitwiseOr"] = table["BitwiseXor"] = infer_variadic;
}

}  // namespace convscope::network
