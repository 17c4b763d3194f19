#include "ui/views/network/network_graph/operator_kind.h"

#include <algorithm>
#include <unordered_map>

namespace convscope::ui {
namespace {

using Kinds = std::unordered_map<std::string_view, OperatorKind>;

void add(Kinds& kinds, OperatorKind kind, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) kinds.emplace(name, kind);
}

Kinds make_kinds() {
  Kinds kinds;
  add(kinds, OperatorKind::product,
      {"Conv", "ConvInteger", "QLinearConv", "ConvTranspose", "DeformConv", "Gemm", "MatMul", "MatMulInteger",
       "QLinearMatMul", "Einsum", "FusedConv", "FusedGemm", "QGemm"});
  add(kinds, OperatorKind::activation, {"Relu",           "LeakyRelu",       "PRelu",      "Elu",         "Selu",
                                        "Celu",           "ThresholdedRelu", "Sigmoid",    "HardSigmoid", "Tanh",
                                        "Clip",           "Softmax",         "LogSoftmax", "Hardmax",     "Softplus",
                                        "Softsign",       "HardSwish",       "Swish",      "Mish",        "Gelu",
                                        "QLinearSigmoid", "QLinearLeakyRelu"});
  add(kinds, OperatorKind::pooling,
      {"MaxPool", "AveragePool", "GlobalAveragePool", "GlobalMaxPool", "LpPool", "GlobalLpPool", "MaxRoiPool",
       "RoiAlign", "ReduceMean", "ReduceMax", "ReduceSum", "ReduceMin", "ReduceL2", "QLinearAveragePool",
       "QLinearGlobalAveragePool", "MaxUnpool"});
  add(kinds, OperatorKind::arithmetic,
      {"Add",
       "Sub",
       "Mul",
       "Div",
       "Sum",
       "Mean",
       "Max",
       "Min",
       "Pow",
       "Sqrt",
       "Exp",
       "Log",
       "Abs",
       "Neg",
       "Erf",
       "Reciprocal",
       "BatchNormalization",
       "InstanceNormalization",
       "LayerNormalization",
       "GroupNormalization",
       "LRN",
       "LpNormalization",
       "MeanVarianceNormalization",
       "QLinearAdd",
       "QLinearMul",
       "QuantizeLinear",
       "DequantizeLinear",
       "DynamicQuantizeLinear",
       "Cast",
       "Round",
       "Floor",
       "Ceil"});
  add(kinds, OperatorKind::rearrangement,
      {"Concat",       "Split",        "Slice",   "Reshape",   "Flatten", "Transpose",    "Pad",
       "Resize",       "Upsample",     "Squeeze", "Unsqueeze", "Gather",  "Tile",         "Expand",
       "DepthToSpace", "SpaceToDepth", "Shape",   "Identity",  "Dropout", "QLinearConcat"});
  add(kinds, OperatorKind::constant, {"Constant", "ConstantOfShape", "Range", "EyeLike"});
  return kinds;
}

}  // namespace

OperatorKind operator_kind(std::string_view operator_name) {
  static const Kinds kinds = make_kinds();
  const auto found = kinds.find(operator_name);
  return found == kinds.end() ? OperatorKind::other : found->second;
}

QString operator_kind_name(OperatorKind kind) {
  switch (kind) {
    case OperatorKind::product:
      return QStringLiteral("convolution, product");
    case OperatorKind::activation:
      return QStringLiteral("activation");
    case OperatorKind::pooling:
      return QStringLiteral("pooling");
    case OperatorKind::arithmetic:
      return QStringLiteral("arithmetic");
    case OperatorKind::rearrangement:
      return QStringLiteral("rearrangement");
    case OperatorKind::constant:
      return QStringLiteral("constant");
    case OperatorKind::other:
      return QStringLiteral("other");
  }
  return {};
}

QColor operator_colour(OperatorKind kind, const Theme& theme) {
  switch (kind) {
    case OperatorKind::product:
      return theme.multiply_accumulate;
    case OperatorKind::activation:
      return theme.activation;
    case OperatorKind::pooling:
      return theme.series[4];
    case OperatorKind::arithmetic:
      return theme.series[0];
    case OperatorKind::rearrangement:
      return theme.pixels;
    case OperatorKind::constant:
      return theme.coefficients;
    case OperatorKind::other:
      return theme.other;
  }
  return theme.other;
}

}  // namespace convscope::ui
