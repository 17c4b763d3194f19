// Convolutions, pooling and fully connected operators.

#include "core/readers/tflite/operators.h"

namespace convscope::readers::tflite {
namespace {

using network::Attributes;

constexpr std::int64_t largest = 1 << 20;

bool in_range(const Integers& values) {
  for (const std::int64_t value : values)
    if (value < 1 || value > largest) return false;
  return true;
}

template <typename Options>
Attributes window_attributes(const Options& options, const Integers& kernel) {
  Attributes attributes;
  attributes.set("kernel_shape", kernel);
  attributes.set("strides", Integers{options.stride_h(), options.stride_w()});
  attributes.set("auto_pad", std::string(options.padding() == schema::Padding::Same ? "SAME_UPPER" : "VALID"));
  return attributes;
}

template <typename Options>
Attributes dilated_attributes(const Options& options, const Integers& weights) {
  Attributes attributes = window_attributes(options, {weights[1], weights[2]});
  attributes.set("dilations", Integers{options.dilation_h(), options.dilation_w()});
  return attributes;
}

bool is_window(const OperatorContext& context, const Attributes& attributes) {
  return context.in().shape.size() == 4 && context.out().shape.size() == 4 &&
         in_range(attributes.integers("strides")) && in_range(attributes.integers("kernel_shape")) &&
         (!attributes.has("dilations") || in_range(attributes.integers("dilations")));
}

bool has_weights(const OperatorContext& context, std::size_t rank) {
  return context.input(1) >= 0 && context.to.rank(context.input(1)) == rank &&
         (context.input(2) < 0 || context.to.rank(context.input(2)) <= 1) &&
         element_count(context.to.tensor(context.input(1)).shape).value_or(0) > 0;
}

void add_bias(const OperatorContext& context, std::vector<int>& operands) {
  if (context.input(2) >= 0) operands.push_back(context.to.operand(context.input(2)));
}

bool pool(const OperatorContext& context, const std::string& operator_name) {
  const auto* options = context.source.options<schema::Pool2DOptions>();
  if (options == nullptr) return false;
  const Attributes attributes = window_attributes(*options, {options->filter_height(), options->filter_width()});
  if (!is_window(context, attributes)) return false;
  context.finish(operator_name, {context.to.operand(context.input(0))}, attributes, options->fused_activation());
  return true;
}

}  // namespace

/// Weights (out, height, width, in).
bool convolution(const OperatorContext& context) {
  const auto* options = context.source.options<schema::Conv2DOptions>();
  if (options == nullptr || !has_weights(context, 4)) return false;
  const Integers& weights = context.to.tensor(context.input(1)).shape;
  Attributes attributes = dilated_attributes(*options, weights);
  const std::int64_t maps = context.in().shape.size() == 4 ? context.in().shape[3] : -1;
  if (!is_window(context, attributes) || (maps >= 0 && maps % weights[3] != 0)) return false;
  // Grouped convolutions have fewer input maps in their weights than in their input.
  attributes.set("group", maps > 0 ? maps / weights[3] : std::int64_t{1});
  std::vector<int> operands{context.to.operand(context.input(0)),
                            context.to.reordered(context.input(1), maps_first, permuted(weights, maps_first))};
  add_bias(context, operands);
  context.finish("Conv", std::move(operands), std::move(attributes), options->fused_activation());
  return true;
}

/// Weights (1, height, width, out): output map m reads input map m / multiplier.
bool depthwise_convolution(const OperatorContext& context) {
  const auto* options = context.source.options<schema::DepthwiseConv2DOptions>();
  if (options == nullptr || !has_weights(context, 4)) return false;
  const Integers& weights = context.to.tensor(context.input(1)).shape;
  Attributes attributes = dilated_attributes(*options, weights);
  const std::int64_t maps = context.in().shape.size() == 4 ? context.in().shape[3] : -1;
  if (!is_window(context, attributes) || weights[0] != 1 || maps < 1 || weights[3] % maps != 0) return false;
  attributes.set("group", maps);
  const Integers order{3, 0, 1, 2};
  std::vector<int> operands{context.to.operand(context.input(0)),
                            context.to.reordered(context.input(1), order, permuted(weights, order))};
  add_bias(context, operands);
  context.finish("Conv", std::move(operands), std::move(attributes), options->fused_activation());
  return true;
}

/// Inputs: shape of the output, weights (out, height, width, in), maps, perhaps a bias.
bool transposed_convolution(const OperatorContext& context) {
  const std::int64_t maps = context.input(2);
  const auto* options = context.source.options<schema::TransposeConvOptions>();
  if (options == nullptr || context.input(1) < 0 || context.to.rank(context.input(1)) != 4 || maps < 0 ||
      context.to.rank(maps) != 4)
    return false;
  const Integers& weights = context.to.tensor(context.input(1)).shape;
  Attributes attributes = window_attributes(*options, {weights[1], weights[2]});
  const Integers& out = context.out().shape;
  if (!in_range(attributes.integers("strides")) || !in_range(weights) || out.size() != 4 || out[1] < 1 || out[2] < 1)
    return false;
  attributes.set("output_shape", Integers{out[1], out[2]});
  const Integers order{3, 0, 1, 2};
  std::vector<int> operands{context.to.operand(maps),
                            context.to.reordered(context.input(1), order, permuted(weights, order))};
  if (context.input(3) >= 0) operands.push_back(context.to.operand(context.input(3)));
  context.finish("ConvTranspose", std::move(operands), std::move(attributes), options->fused_activation());
  return true;
}

/// Weights (out, in); the input is read as rows of `in` values.
bool fully_connected(const OperatorContext& context) {
  const auto* options = context.source.options<schema::FullyConnectedOptions>();
  if (!has_weights(context, 2) || (options != nullptr && options->weights_format() != 0)) return false;
  const Integers& weights = context.to.tensor(context.input(1)).shape;
  int rows = context.to.operand_in_file_order(context.input(0));
  if (context.in().shape.size() != 2 || (context.in().shape[1] != weights[1] && context.in().shape[1] >= 0))
    rows = context.step("rows", "Reshape", {rows, context.integers("rows shape", {-1, weights[1]})}, {-1, weights[1]});
  std::vector<int> operands{rows, context.to.operand(context.input(1))};
  add_bias(context, operands);
  Attributes attributes;
  attributes.set("transB", std::int64_t{1});
  const schema::Activation activation = fused_activation<schema::FullyConnectedOptions>(context.source);
  if (context.out().shape.size() == 2) {
    context.finish("Gemm", std::move(operands), std::move(attributes), activation);
    return true;
  }
  const int product = context.step("product", "Gemm", std::move(operands), {-1, weights[0]}, std::move(attributes));
  const Integers& shape = context.out().shape;
  const int shaped = context.step("shaped", "Reshape", {product, context.integers("shape", shape)}, shape);
  context.finish_from_file_order(shaped, activation);
  return true;
}

bool average_pool(const OperatorContext& context) {
  return pool(context, "AveragePool");
}

bool max_pool(const OperatorContext& context) {
  return pool(context, "MaxPool");
}

}  // namespace convscope::readers::tflite
