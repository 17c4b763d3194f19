// Sections with values in the weights file. The order in which constants are made is the order of the file.

#include <fmt/format.h>

#include "core/readers/darknet/layers.h"

namespace convscope::readers::darknet {
namespace {

using network::Attributes;
using network::unknown_dimension;

struct Geometry {
  std::int64_t filters = 1, size = 1, padding = 0, dilation = 1, stride_y = 1, stride_x = 1;
};

/// Options of convolutions; `pad` set means half the kernel, else `padding` counts.
Geometry geometry_of(const LayerContext& context) {
  const Options& options = context.options;
  Geometry geometry;
  geometry.filters = options.integer("filters", 1, {1, 1 << 24});
  geometry.size = options.integer("size", 1, {1, 1 << 16});
  const std::int64_t stride = options.integer("stride", 1, {1, 1 << 16});
  geometry.stride_y = options.integer("stride_y", stride, {1, 1 << 16});
  geometry.stride_x = options.integer("stride_x", stride, {1, 1 << 16});
  geometry.dilation = geometry.size == 1 ? 1 : options.integer("dilation", 1, {1, 1 << 16});
  geometry.padding =
      options.integer("pad", 0, {0, 1 << 16}) != 0 ? geometry.size / 2 : options.integer("padding", 0, {0, 1 << 16});
  return geometry;
}

Attributes attributes_of(const Geometry& geometry, std::int64_t groups) {
  // Darknet pads by padding * dilation (im2col_cpu_ext in AlexeyAB/darknet).
  const std::int64_t pad = geometry.padding * geometry.dilation;
  Attributes attributes;
  attributes.set("kernel_shape", std::vector<std::int64_t>{geometry.size, geometry.size});
  attributes.set("strides", std::vector<std::int64_t>{geometry.stride_y, geometry.stride_x});
  attributes.set("dilations", std::vector<std::int64_t>{geometry.dilation, geometry.dilation});
  attributes.set("pads", std::vector<std::int64_t>{pad, pad, pad, pad});
  attributes.set("group", groups);
  return attributes;
}

Window window_of(const Geometry& geometry, std::int64_t stride) {
  const std::int64_t pad = geometry.padding * geometry.dilation;
  return {geometry.size, stride, geometry.dilation, pad, pad};
}

/// Constants of a batch normalization whose bias stands first in the file, as in every layer that has one.
struct BatchConstants {
  int bias = -1, scale = -1, mean = -1, variance = -1;
};

Output normalize(const LayerContext& context, Output input, const BatchConstants& constants) {
  Attributes attributes;
  attributes.set("epsilon", 1e-5);
  Output result = input;
  result.tensor = context.node("BatchNormalization",
                               {input.tensor, constants.scale, constants.bias, constants.mean, constants.variance},
                               result, std::move(attributes), "batch_normalize");
  return result;
}

void add_statistics(const LayerContext& context, std::int64_t maps, BatchConstants& constants) {
  constants.scale = context.weight("scales", {maps});
  constants.mean = context.weight("rolling_mean", {maps});
  constants.variance = context.weight("rolling_variance", {maps});
}

bool check_groups(const LayerContext& context, const Maps& in, std::int64_t filters, std::int64_t groups) {
  const bool fits = filters % groups == 0 && (in.maps < 0 || in.maps % groups == 0);
  if (!fits)
    context.error(fmt::format("{} groups divide {} input maps into {} filters", groups, in.maps, filters),
                  "groups that divide both numbers");
  return fits;
}

bool check_size(const LayerContext& context, const Maps& in, const Maps& out) {
  const bool fits = out.height != 0 && out.width != 0;
  if (!fits)
    context.error(fmt::format("its kernel does not fit into {} x {} pixels", in.height, in.width),
                  "a kernel no larger than the padded input");
  return fits;
}

}  // namespace

Output convolutional(const LayerContext& context) {
  const Output in = context.as_maps(context.in);
  const Geometry geometry = geometry_of(context);
  const std::int64_t groups = context.options.integer("groups", 1, {1, 1 << 24});
  if (!check_groups(context, in.maps, geometry.filters, groups)) return {};
  const std::int64_t per_group = in.maps.maps < 0 ? unknown_dimension : in.maps.maps / groups;
  const bool normalized = context.options.integer("batch_normalize", 0, {0, 1}) != 0;
  Output out{-1,
             {geometry.filters, window_positions(in.maps.height, window_of(geometry, geometry.stride_y)),
              window_positions(in.maps.width, window_of(geometry, geometry.stride_x))}};
  if (!check_size(context, in.maps, out.maps)) return {};
  BatchConstants constants;
  constants.bias = context.weight("biases", {geometry.filters});
  if (normalized) add_statistics(context, geometry.filters, constants);
  const int weights = context.weight("weights", {geometry.filters, per_group, geometry.size, geometry.size});
  std::vector<int> inputs{in.tensor, weights};
  if (!normalized) inputs.push_back(constants.bias);
  out.tensor = context.node("Conv", std::move(inputs), out, attributes_of(geometry, groups));
  if (normalized) out = normalize(context, out, constants);
  return activate(context, out, context.options.text("activation", "logistic"));
}

Output deconvolutional(const LayerContext& context) {
  const Output in = context.as_maps(context.in);
  Geometry geometry = geometry_of(context);
  geometry.dilation = 1;
  const auto enlarged = [&](std::int64_t size, std::int64_t stride) {
    return size < 0 ? unknown_dimension : (size - 1) * stride + geometry.size - 2 * geometry.padding;
  };
  Output out{
      -1, {geometry.filters, enlarged(in.maps.height, geometry.stride_y), enlarged(in.maps.width, geometry.stride_x)}};
  if (in.maps.known() && (out.maps.height < 1 || out.maps.width < 1)) {
    context.error("its padding leaves no pixels");
    return {};
  }
  const bool normalized = context.options.integer("batch_normalize", 0, {0, 1}) != 0;
  BatchConstants constants;
  constants.bias = context.weight("biases", {geometry.filters});
  if (normalized) add_statistics(context, geometry.filters, constants);
  const int weights = context.weight("weights", {in.maps.maps, geometry.filters, geometry.size, geometry.size});
  std::vector<int> inputs{in.tensor, weights};
  if (!normalized) inputs.push_back(constants.bias);
  out.tensor = context.node("ConvTranspose", std::move(inputs), out, attributes_of(geometry, 1));
  if (normalized) out = normalize(context, out, constants);
  return activate(context, out, context.options.text("activation", "logistic"));
}

Output connected(const LayerContext& context) {
  Output in = context.in;
  const std::int64_t inputs = in.maps.elements().value_or(unknown_dimension);
  if (!in.flat) {
    in = {-1, {inputs, 1, 1}, true};
    Attributes axis;
    axis.set("axis", std::int64_t{1});
    in.tensor = context.node("Flatten", {context.in.tensor}, in, std::move(axis), "flatten");
  }
  const std::int64_t outputs = context.options.integer("output", 1, {1, 1 << 30});
  const bool normalized = context.options.integer("batch_normalize", 0, {0, 1}) != 0;
  Output out{-1, {outputs, 1, 1}, true};
  BatchConstants constants;
  constants.bias = context.weight("biases", {outputs});
  const bool transposed = context.transposed;
  const int weights = context.weight(
      "weights", transposed ? std::vector<std::int64_t>{inputs, outputs} : std::vector<std::int64_t>{outputs, inputs});
  if (normalized) add_statistics(context, outputs, constants);
  Attributes attributes;
  attributes.set("transB", std::int64_t{transposed ? 0 : 1});
  std::vector<int> operands{in.tensor, weights};
  if (!normalized) operands.push_back(constants.bias);
  out.tensor = context.node("Gemm", std::move(operands), out, std::move(attributes));
  if (normalized) out = normalize(context, out, constants);
  return activate(context, out, context.options.text("activation", "logistic"));
}

Output batch_normalization(const LayerContext& context) {
  BatchConstants constants;
  constants.bias = context.weight("biases", {context.in.maps.maps});
  add_statistics(context, context.in.maps.maps, constants);
  return normalize(context, context.in, constants);
}

}  // namespace convscope::readers::darknet
