// Layers that compute value by value or over windows, without weights.

#include <algorithm>

#include <fmt/format.h>

#include "core/readers/caffe/layers.h"

namespace convscope::readers::caffe {
namespace {

using network::Attributes;
using Integers = std::vector<std::int64_t>;

struct Pool {
  Integers kernel, stride, pad;
  bool ceil = true;
};

Pool pool_of(const Fields& parameters) {
  const auto pair = [&](const char* name, const std::string& short_name, std::int64_t fallback, std::int64_t smallest) {
    const std::int64_t both = parameters.integer(name, fallback, smallest, 1 << 16);
    return Integers{parameters.integer(short_name + "_h", both, smallest, 1 << 16),
                    parameters.integer(short_name + "_w", both, smallest, 1 << 16)};
  };
  Pool pool{pair("kernel_size", "kernel", 0, 1), pair("stride", "stride", 1, 1), pair("pad", "pad", 0, 0)};
  const std::string rounding = parameters.text("round_mode", "CEIL");
  pool.ceil = rounding != "FLOOR" && rounding != "1" && parameters.boolean("ceil_mode", true);
  return pool;
}

/// Positions along an axis: rounded up, but with padding none that starts behind the padded input
/// (pooling_layer.cpp, Reshape).
std::int64_t positions(const LayerContext& context, std::int64_t size, const Pool& pool, std::size_t axis) {
  const std::int64_t stride = pool.stride[axis], pad = pool.pad[axis];
  const std::int64_t room = size + 2 * pad - pool.kernel[axis];
  if (size < 0 || room < 0) return size < 0 ? size : 0;
  std::int64_t count = (pool.ceil ? (room + stride - 1) / stride : room / stride) + 1;
  const bool behind = (count - 1) * stride >= size + pad;
  if (behind && (pool.pad[0] > 0 || pool.pad[1] > 0)) return count - 1;
  if (behind) context.warning("its last window lies outside the input: Caffe gives -FLT_MAX there, ONNX no value");
  return count;
}

BlobShape pooled(const LayerContext& context, const Pool& pool) {
  if (!context.bottom().shape) return std::nullopt;
  Integers shape{context.bottom().dimension(0), context.bottom().dimension(1)};
  for (std::size_t axis = 0; axis < 2; ++axis) {
    shape.push_back(positions(context, context.bottom().dimension(axis + 2), pool, axis));
    if (shape.back() == 0) context.error("its window does not fit into the input");
  }
  return shape;
}

/// One of Caffe's enumeration values, by name or number.
bool is_choice(const std::string& text, const char* name, const char* number) {
  return text == name || text == number;
}

Blob weighted(const LayerContext& context, std::size_t index, double coefficient) {
  const Blob& bottom = context.bottoms[index];
  if (coefficient == 1) return bottom;
  const std::string suffix = fmt::format("coefficient {}", index);
  return context.step(fmt::format("product {}", index), "Mul", {bottom.tensor, context.scalar(suffix, coefficient)},
                      bottom.shape);
}

std::vector<Blob> sum(const LayerContext& context, const std::vector<double>& coefficients) {
  if (!coefficients.empty() && coefficients.size() != context.bottoms.size()) {
    context.error(fmt::format("{} coefficients for {} bottoms", coefficients.size(), context.bottoms.size()));
    return {{}};
  }
  if (coefficients == std::vector<double>{1, -1})
    return {context.node("Sub", {context.bottoms[0].tensor, context.bottoms[1].tensor}, context.bottom().shape)};
  std::vector<int> inputs;
  for (std::size_t i = 0; i < context.bottoms.size(); ++i)
    inputs.push_back(weighted(context, i, coefficients.empty() ? 1 : coefficients[i]).tensor);
  const std::string operator_name = inputs.size() == 2 ? "Add" : "Sum";
  return {context.node(operator_name, std::move(inputs), context.bottom().shape)};
}

std::vector<Blob> product(const LayerContext& context) {
  Blob result = context.bottom();
  for (std::size_t i = 1; i + 1 < context.bottoms.size(); ++i)
    result =
        context.step(fmt::format("product {}", i), "Mul", {result.tensor, context.bottoms[i].tensor}, result.shape);
  return {context.node("Mul", {result.tensor, context.bottoms.back().tensor}, result.shape)};
}

bool check_equal_shapes(const LayerContext& context) {
  for (const Blob& bottom : context.bottoms) {
    if (!bottom.shape || !context.bottom().shape) continue;
    const auto fits = [](std::int64_t a, std::int64_t b) { return a < 0 || b < 0 || a == b; };
    if (std::equal(bottom.shape->begin(), bottom.shape->end(), context.bottom().shape->begin(),
                   context.bottom().shape->end(), fits))
      continue;
    context.error("its bottoms have different shapes", "bottoms of one shape");
    return false;
  }
  return true;
}

}  // namespace

std::vector<Blob> pooling(const LayerContext& context) {
  const Fields parameters = context.fields.sub("pooling_param");
  const std::string method = parameters.text("pool", "MAX");
  const bool maximum = is_choice(method, "MAX", "0");
  if ((!maximum && !is_choice(method, "AVE", "1")) || context.tops.size() != 1) return context.opaque();
  if (parameters.boolean("global_pooling", false)) {
    BlobShape shape = context.bottom().shape;
    for (std::size_t i = 2; shape && i < shape->size(); ++i) (*shape)[i] = 1;
    return {context.node(maximum ? "GlobalMaxPool" : "GlobalAveragePool", {context.bottom().tensor}, shape)};
  }
  const Pool pool = pool_of(parameters);
  const bool flat = context.bottom().shape && context.bottom().shape->size() != 4;
  if (pool.kernel[0] < 1 || pool.kernel[1] < 1 || flat) {
    context.error(flat ? "its input has not four dimensions" : "kernel_size is missing");
    return {{}};
  }
  Attributes attributes;
  attributes.set("kernel_shape", pool.kernel);
  attributes.set("strides", pool.stride);
  attributes.set("pads", Integers{pool.pad[0], pool.pad[1], pool.pad[0], pool.pad[1]});
  attributes.set("ceil_mode", std::int64_t{pool.ceil ? 1 : 0});
  if (!maximum) attributes.set("count_include_pad", std::int64_t{1});
  return {
      context.node(maximum ? "MaxPool" : "AveragePool", {context.bottom().tensor}, pooled(context, pool), attributes)};
}

std::vector<Blob> relu(const LayerContext& context) {
  const double slope = context.fields.sub("relu_param").real("negative_slope", 0);
  Attributes attributes;
  if (slope != 0) attributes.set("alpha", slope);
  return {
      context.node(slope == 0 ? "Relu" : "LeakyRelu", {context.bottom().tensor}, context.bottom().shape, attributes)};
}

std::vector<Blob> relu6(const LayerContext& context) {
  const int least = context.scalar("least", 0), most = context.scalar("most", 6);
  return {context.node("Clip", {context.bottom().tensor, least, most}, context.bottom().shape)};
}

std::vector<Blob> elu(const LayerContext& context) {
  Attributes attributes;
  attributes.set("alpha", context.fields.sub("elu_param").real("alpha", 1));
  return {context.node("Elu", {context.bottom().tensor}, context.bottom().shape, attributes)};
}

/// (shift + scale * x) ^ power.
std::vector<Blob> power(const LayerContext& context) {
  const Fields parameters = context.fields.sub("power_param");
  Blob result = context.bottom();
  const auto apply = [&](const char* operator_name, const char* suffix, double value, double neutral) {
    if (value != neutral)
      result = context.step(suffix, operator_name,
                            {result.tensor, context.scalar(std::string(suffix) + "/value", value)}, result.shape);
  };
  apply("Mul", "scale", parameters.real("scale", 1), 1);
  apply("Add", "shift", parameters.real("shift", 0), 0);
  apply("Pow", "power", parameters.real("power", 1), 1);
  return {context.node("Identity", {result.tensor}, result.shape)};
}

std::vector<Blob> eltwise(const LayerContext& context) {
  const Fields parameters = context.fields.sub("eltwise_param");
  const std::string operation = parameters.text("operation", "SUM");
  if (context.bottoms.size() < 2) context.error("it has a single bottom", "at least two");
  if (context.bottoms.size() < 2 || !check_equal_shapes(context)) return {{}};
  if (is_choice(operation, "SUM", "1")) return sum(context, parameters.reals("coeff"));
  if (is_choice(operation, "PROD", "0")) return product(context);
  if (!is_choice(operation, "MAX", "2")) return context.opaque();
  std::vector<int> inputs;
  for (const Blob& bottom : context.bottoms) inputs.push_back(bottom.tensor);
  return {context.node("Max", std::move(inputs), context.bottom().shape)};
}

std::vector<Blob> lrn(const LayerContext& context) {
  const Fields parameters = context.fields.sub("lrn_param");
  if (!is_choice(parameters.text("norm_region", "ACROSS_CHANNELS"), "ACROSS_CHANNELS", "0")) return context.opaque();
  Attributes attributes;
  attributes.set("size", parameters.integer("local_size", 5, 1, 1 << 16));
  attributes.set("alpha", parameters.real("alpha", 1));
  attributes.set("beta", parameters.real("beta", 0.75));
  attributes.set("bias", parameters.real("k", 1));
  return {context.node("LRN", {context.bottom().tensor}, context.bottom().shape, attributes)};
}

std::vector<Blob> dropout(const LayerContext& context) {
  Attributes attributes;
  attributes.set("ratio", context.fields.sub("dropout_param").real("dropout_ratio", 0.5));
  return {context.node("Dropout", {context.bottom().tensor}, context.bottom().shape, attributes)};
}

std::vector<Blob> softmax(const LayerContext& context) {
  Attributes attributes;
  const std::size_t axis = context.axis(context.fields.sub("softmax_param").integer("axis", 1, -8, 8));
  attributes.set("axis", static_cast<std::int64_t>(axis));
  return {context.node("Softmax", {context.bottom().tensor}, context.bottom().shape, attributes)};
}

}  // namespace convscope::readers::caffe
