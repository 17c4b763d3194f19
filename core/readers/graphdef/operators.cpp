#include "core/readers/graphdef/operators.h"

#include <array>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace convscope::readers::graphdef {
namespace {

using network::Attributes;

const std::map<std::string, OperatorTranslation>& translations() {
  static const std::map<std::string, OperatorTranslation> table{{"Placeholder", placeholder},
                                                                {"PlaceholderV2", placeholder},
                                                                {"PlaceholderWithDefault", placeholder},
                                                                {"Identity", identity},
                                                                {"StopGradient", identity},
                                                                {"PreventGradient", identity},
                                                                {"CheckNumerics", identity},
                                                                {"Snapshot", identity},
                                                                {"Conv2D", convolution},
                                                                {"DepthwiseConv2dNative", depthwise_convolution},
                                                                {"Conv2DBackpropInput", transposed_convolution},
                                                                {"MatMul", matrix_product},
                                                                {"BiasAdd", bias},
                                                                {"BiasAddV1", bias},
                                                                {"MaxPool", max_pool},
                                                                {"AvgPool", average_pool},
                                                                {"FusedBatchNorm", batch_normalization},
                                                                {"FusedBatchNormV2", batch_normalization},
                                                                {"FusedBatchNormV3", batch_normalization},
                                                                {"LRN", local_response_normalization},
                                                                {"Relu", unary},
                                                                {"Elu", unary},
                                                                {"Selu", unary},
                                                                {"Sigmoid", unary},
                                                                {"Tanh", unary},
                                                                {"Softplus", unary},
                                                                {"Softsign", unary},
                                                                {"Abs", unary},
                                                                {"Neg", unary},
                                                                {"Exp", unary},
                                                                {"Log", unary},
                                                                {"Sqrt", unary},
                                                                {"Floor", unary},
                                                                {"Ceil", unary},
                                                                {"Round", unary},
                                                                {"Erf", unary},
                                                                {"Sign", unary},
                                                                {"Reciprocal", unary},
                                                                {"Inv", unary},
                                                                {"Rsqrt", rsqrt_of},
                                                                {"Square", square},
                                                                {"Relu6", relu_between},
                                                                {"LeakyRelu", leaky_relu},
                                                                {"Softmax", softmax},
                                                                {"LogSoftmax", softmax},
                                                                {"Add", binary},
                                                                {"AddV2", binary},
                                                                {"Sub", binary},
                                                                {"Mul", binary},
                                                                {"RealDiv", binary},
                                                                {"Div", binary},
                                                                {"Maximum", binary},
                                                                {"Minimum", binary},
                                                                {"Pow", binary},
                                                                {"AddN", add_all},
                                                                {"Concat", concatenation},
                                                                {"ConcatV2", concatenation},
                                                                {"Reshape", reshape},
                                                                {"Squeeze", squeeze},
                                                                {"ExpandDims", expand_dimensions},
                                                                {"Transpose", transpose},
                                                                {"Pad", pad},
                                                                {"PadV2", pad},
                                                                {"MirrorPad", pad},
                                                                {"Mean", reduction},
                                                                {"Sum", reduction},
                                                                {"Max", reduction},
                                                                {"Min", reduction},
                                                                {"Prod", reduction},
                                                                {"ResizeBilinear", resize},
                                                                {"ResizeNearestNeighbor", resize},
                                                                {"Slice", slice},
                                                                {"StridedSlice", strided_slice},
                                                                {"Split", split},
                                                                {"DepthToSpace", depth_and_space},
                                                                {"SpaceToDepth", depth_and_space},
                                                                {"Cast", cast}};
  return table;
}

/// Only control hangs on what these give.
bool gives_nothing(const std::string& operator_name) {
  return operator_name == "NoOp" || operator_name == "Assert";
}

/// Split alone gives several outputs.
bool gives_what_is_used(const OperatorContext& context) {
  return context.to.outputs_used(context.index) <= 1 || context.source.operator_name == "Split";
}

}  // namespace

std::optional<Integers> OperatorContext::integers(std::size_t position, std::size_t limit) const {
  if (position >= inputs()) return std::nullopt;
  const Value& value = input(position);
  if (value.constant) return value.constant->integers(limit);
  if (!value.numbers) return std::nullopt;
  Integers known;
  for (const ShapeNumber& number : *value.numbers) {
    if (number.kind != ShapeNumber::Kind::known) return std::nullopt;
    known.push_back(number.value);
  }
  return known;
}

std::int64_t OperatorContext::maps_of(const network::TensorShape& shape) const {
  if (!shape.known || shape.dimensions.empty()) return network::unknown_dimension;
  return maps_stand_first() && shape.dimensions.size() == 4 ? shape.dimensions[1] : shape.dimensions.back();
}

bool OperatorContext::has_plain_format() const {
  const std::string format = source.text("data_format", "NHWC");
  return format == "NHWC" || format == "NCHW";
}

std::optional<int> OperatorContext::maps(Value& value) const {
  if (value.shape.known && value.shape.dimensions.size() != 4) return std::nullopt;
  if (maps_stand_first()) {
    const int tensor = to.in_file_order(value);
    if (!value.shape.known) value.shape = {true, Integers(4, network::unknown_dimension), {}};
    return tensor;
  }
  return to.with_maps_first(value);
}

int OperatorContext::operand(Value& value, Layout layout) const {
  return layout == Layout::maps_first ? to.with_maps_first(value) : to.in_file_order(value);
}

Value& OperatorContext::finish(const std::string& operator_name, std::vector<int> operands, Attributes attributes,
                               Layout layout, network::TensorShape shape) const {
  Value& made = to.make(index);
  made.shape = std::move(shape);
  made.type = element_type(source.type("T"));
  if (made.type == network::ElementType::unknown || made.type == network::ElementType::other)
    made.type = network::ElementType::float32;
  const int tensor = to.graph().tensor(source.name, {}, made.type);
  to.graph().node_to({operator_name, source.name, std::move(operands), std::move(attributes), {}, source.line},
                     {tensor});
  (layout == Layout::maps_first ? made.with_maps_first : made.in_file_order) = tensor;
  return made;
}

Value& OperatorContext::finish_maps(const std::string& operator_name, std::vector<int> operands, Attributes attributes,
                                    network::TensorShape shape) const {
  return finish(operator_name, std::move(operands), std::move(attributes),
                maps_stand_first() ? Layout::file_order : Layout::maps_first, std::move(shape));
}

int OperatorContext::step(const std::string& suffix, const std::string& operator_name, std::vector<int> operands,
                          Attributes attributes) const {
  const std::string name = source.name + "/" + suffix;
  const int tensor = to.graph().tensor(name);
  to.graph().node_to({operator_name, name, std::move(operands), std::move(attributes), {}, source.line}, {tensor});
  return tensor;
}

void OperatorContext::pass(const Value& value) const {
  const Value same = value;
  Value& made = to.make(index);
  made = same;
  made.linear_node = -1;
}

int OperatorContext::constant(const std::string& suffix, const Integers& values) const {
  return to.graph().integers(source.name + "/" + suffix, values);
}

int OperatorContext::scalar(const std::string& suffix, float value) const {
  return to.graph().floats(source.name + "/" + suffix, {}, {value});
}

void OperatorContext::error(std::string what, std::string expected) const {
  to.report().error(source.line, to.element(index), std::move(what), std::move(expected));
}

bool works_on_maps(std::string_view name) {
  constexpr std::array<std::string_view, 14> names{
      "Conv2D",         "DepthwiseConv2dNative", "Conv2DBackpropInput", "BiasAdd",      "MaxPool",      "AvgPool",
      "FusedBatchNorm", "FusedBatchNormV2",      "FusedBatchNormV3",    "DepthToSpace", "SpaceToDepth", "LRN",
      "ResizeBilinear", "ResizeNearestNeighbor"};
  for (const std::string_view each : names)
    if (each == name) return true;
  return false;
}

Layout layout_of(const Value& value) {
  return value.is_maps() ? Layout::maps_first : Layout::file_order;
}

std::optional<std::size_t> absolute_axis(std::int64_t axis, std::size_t rank) {
  const auto count = static_cast<std::int64_t>(rank);
  if (axis < -count || axis >= count) return std::nullopt;
  return static_cast<std::size_t>(axis < 0 ? axis + count : axis);
}

std::int64_t axis_in(Layout layout, std::size_t axis) {
  return layout == Layout::maps_first ? maps_last[axis] : static_cast<std::int64_t>(axis);
}

void translate(int index, Translation& to) {
  const NodeDef& source = to.node(index);
  const OperatorContext context{index, source, to};
  if (gives_nothing(source.operator_name) && to.outputs_used(index) == 0) return;
  for (const Source& input : to.sources(index))
    if (!to.has_value(input)) return;
  const auto known = translations().find(source.operator_name);
  if (gives_what_is_used(context)) {
    if (fold(context)) return;
    if (known != translations().end() && known->second(context)) return;
  }
  to.keep_foreign(index);
}

}  // namespace convscope::readers::graphdef
