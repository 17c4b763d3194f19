// Layers with weights. The order of a layer's blobs is that of its *_layer.cpp in BVLC/caffe.

#include <algorithm>

#include <fmt/format.h>

#include "core/readers/caffe/layers.h"

namespace convscope::readers::caffe {
namespace {

using network::Attributes;
using network::unknown_dimension;
using Integers = std::vector<std::int64_t>;

constexpr std::int64_t largest_extent = 1 << 16;

/// Extents of both axes: `name` once for all, or once an axis; `name_h` and `name_w` in its place.
Integers extents(const LayerContext& context, const Fields& parameters, const std::string& name,
                 const std::string& short_name, std::int64_t fallback, std::int64_t smallest) {
  const std::size_t axes = context.bottom().shape && context.bottom().shape->size() == 5 ? 3 : 2;
  Integers given = parameters.integers(name, smallest, largest_extent);
  if (given.empty() && (parameters.has(short_name + "_h") || parameters.has(short_name + "_w")))
    return {parameters.integer(short_name + "_h", fallback, smallest, largest_extent),
            parameters.integer(short_name + "_w", fallback, smallest, largest_extent)};
  if (given.empty()) given = {fallback};
  if (given.size() == 1) given.resize(axes, given.front());
  if (given.size() != axes) {
    context.error(fmt::format("{} is given {} times", name, given.size()), fmt::format("once, or {} times", axes));
    given.resize(axes, given.front());
  }
  return given;
}

struct Geometry {
  Integers kernel, stride, pad, dilation;
  std::int64_t outputs = 1, groups = 1;
  bool biased = true;
};

Geometry geometry_of(const LayerContext& context) {
  const Fields parameters = context.fields.sub("convolution_param");
  Geometry geometry;
  geometry.kernel = extents(context, parameters, "kernel_size", "kernel", 0, 1);
  geometry.stride = extents(context, parameters, "stride", "stride", 1, 1);
  geometry.pad = extents(context, parameters, "pad", "pad", 0, 0);
  geometry.dilation = extents(context, parameters, "dilation", "dilation", 1, 1);
  geometry.outputs = parameters.integer("num_output", 0, 1, 1 << 24);
  geometry.groups = parameters.integer("group", 1, 1, 1 << 24);
  geometry.biased = parameters.boolean("bias_term", true);
  return geometry;
}

bool check(const LayerContext& context, const Geometry& geometry) {
  const std::size_t axes = geometry.kernel.size();
  const BlobShape& in = context.bottom().shape;
  if (in && in->size() != axes + 2) {
    context.error(fmt::format("its input has {} dimensions", in->size()), fmt::format("{}", axes + 2));
    return false;
  }
  if (geometry.outputs < 1 || geometry.kernel.front() < 1) {
    context.error("num_output or kernel_size is missing", "both");
    return false;
  }
  const std::int64_t channels = context.bottom().dimension(1);
  if (geometry.outputs % geometry.groups == 0 && (channels < 0 || channels % geometry.groups == 0)) return true;
  context.error(
      fmt::format("{} groups divide {} input maps into {} outputs", geometry.groups, channels, geometry.outputs),
      "groups that divide both numbers");
  return false;
}

Attributes attributes_of(const Geometry& geometry) {
  Attributes attributes;
  attributes.set("kernel_shape", geometry.kernel);
  attributes.set("strides", geometry.stride);
  attributes.set("dilations", geometry.dilation);
  Integers pads = geometry.pad;
  pads.insert(pads.end(), geometry.pad.begin(), geometry.pad.end());
  attributes.set("pads", pads);
  attributes.set("group", geometry.groups);
  return attributes;
}

BlobShape convolved(const LayerContext& context, const Geometry& geometry) {
  if (!context.bottom().shape) return std::nullopt;
  Integers shape{context.bottom().dimension(0), geometry.outputs};
  for (std::size_t i = 0; i < geometry.kernel.size(); ++i) {
    const std::int64_t size = context.bottom().dimension(i + 2);
    shape.push_back(window_positions(
        size, {geometry.kernel[i], geometry.stride[i], geometry.dilation[i], geometry.pad[i], geometry.pad[i]}));
    if (shape.back() == 0) context.error(fmt::format("its kernel does not fit into {} pixels", size));
  }
  return shape;
}

std::vector<Blob> convolve(const LayerContext& context, const Geometry& geometry) {
  if (!check(context, geometry)) return {{}};
  const std::int64_t channels = context.bottom().dimension(1);
  Integers dimensions{geometry.outputs, channels < 0 ? unknown_dimension : channels / geometry.groups};
  dimensions.insert(dimensions.end(), geometry.kernel.begin(), geometry.kernel.end());
  std::vector<int> inputs{context.bottom().tensor, context.weight(0, "weights", dimensions)};
  if (geometry.biased) inputs.push_back(context.weight(1, "biases", {geometry.outputs}));
  return {context.node("Conv", std::move(inputs), convolved(context, geometry), attributes_of(geometry))};
}

/// Dimensions for values that stand for one axis: (maps, 1, 1) for axis 1 of four.
Integers along_axis(const LayerContext& context, std::size_t axis) {
  const std::size_t rank = context.bottom().shape ? context.bottom().shape->size() : 4;
  if (axis >= rank) return {unknown_dimension};  // a hostile axis: nothing of the bottom says how many values there are
  Integers dimensions(rank - axis, 1);
  dimensions.front() = context.bottom().dimension(axis);
  return dimensions;
}

/// Values of a blob that Caffe stores with a common divisor, which is 0 in a model that was never trained.
void divide(const LayerContext& context, int tensor, const std::vector<float>& divisor) {
  network::Constant* constant = context.graph.constant_of(tensor);
  if (constant == nullptr || divisor.empty() || divisor.front() == 1) return;
  auto values = constant->floats();
  if (!values) return;
  for (float& value : *values) value = divisor.front() == 0 ? 0 : value / divisor.front();
  constant->type = network::ElementType::float32;
  context.graph.graph().tensors[static_cast<std::size_t>(tensor)].type = constant->type;
  give_values(*constant, *std::move(values));
}

std::vector<float> divisor_of(const LayerContext& context) {
  if (context.model == nullptr || context.model->size() < 3) return {};
  const ModelBlob& blob = (*context.model)[2];
  const network::Constant constant{blob.type, blob.dimensions, blob.owner, blob.bytes, std::nullopt};
  return constant.floats(1).value_or(std::vector<float>{});
}

/// Scale and bias become those of the batch normalization in front of them.
std::vector<Blob> fold_into(const LayerContext& context, std::size_t node, bool biased) {
  const std::int64_t maps = context.bottom().dimension(1);
  const int factors = context.weight(0, "scale", {maps});
  const int offsets = biased ? context.weight(1, "bias", {maps}) : -1;
  network::Node& normalization = context.graph.graph().nodes[node];
  normalization.inputs[1] = factors;
  if (biased) normalization.inputs[2] = offsets;
  return {context.bottom()};
}

std::vector<Blob> product_of_bottoms(const LayerContext& context, std::size_t axis) {
  const Blob& factor = context.bottoms[1];
  if (!factor.shape || !context.bottom().shape || factor.shape->size() + axis > context.bottom().shape->size())
    return context.opaque();
  Blob fitted = factor;
  const std::size_t missing = context.bottom().shape->size() - axis - factor.shape->size();
  if (missing > 0) {
    Integers dimensions = *factor.shape;
    dimensions.resize(dimensions.size() + missing, 1);
    Integers wanted = dimensions;
    if (axis == 0) wanted.front() = 0;
    if (std::count(wanted.begin(), wanted.end(), unknown_dimension) > 1) return context.opaque();
    fitted = context.step("reshape", "Reshape", {factor.tensor, context.list("shape", wanted)}, dimensions);
  }
  return {context.node("Mul", {context.bottom().tensor, fitted.tensor}, context.bottom().shape)};
}

}  // namespace

std::vector<Blob> convolution(const LayerContext& context) {
  return convolve(context, geometry_of(context));
}

std::vector<Blob> depthwise_convolution(const LayerContext& context) {
  Geometry geometry = geometry_of(context);
  const std::int64_t channels = context.bottom().dimension(1);
  geometry.groups = channels > 0 ? channels : geometry.outputs;
  return convolve(context, geometry);
}

std::vector<Blob> deconvolution(const LayerContext& context) {
  const Geometry geometry = geometry_of(context);
  if (!check(context, geometry)) return {{}};
  Integers dimensions{context.bottom().dimension(1), geometry.outputs / geometry.groups};
  dimensions.insert(dimensions.end(), geometry.kernel.begin(), geometry.kernel.end());
  std::vector<int> inputs{context.bottom().tensor, context.weight(0, "weights", dimensions)};
  if (geometry.biased) inputs.push_back(context.weight(1, "biases", {geometry.outputs}));
  BlobShape shape;
  if (context.bottom().shape) {
    shape = Integers{context.bottom().dimension(0), geometry.outputs};
    for (std::size_t i = 0; i < geometry.kernel.size(); ++i) {
      const std::int64_t size = context.bottom().dimension(i + 2);
      const std::int64_t extent = geometry.dilation[i] * (geometry.kernel[i] - 1) + 1;
      shape->push_back(size < 0 ? size : geometry.stride[i] * (size - 1) + extent - 2 * geometry.pad[i]);
      if (size >= 0 && shape->back() < 1) context.error("its padding leaves no pixels");
    }
  }
  return {context.node("ConvTranspose", std::move(inputs), shape, attributes_of(geometry))};
}

std::vector<Blob> inner_product(const LayerContext& context) {
  const Fields parameters = context.fields.sub("inner_product_param");
  const std::int64_t outputs = parameters.integer("num_output", 0, 1, 1 << 30);
  if (context.axis(parameters.integer("axis", 1, -8, 8)) != 1) return context.opaque();
  if (outputs < 1) context.error("num_output is missing");
  const BlobShape& in = context.bottom().shape;
  std::int64_t inputs = unknown_dimension;
  if (in) inputs = element_count(Integers(in->begin() + 1, in->end())).value_or(unknown_dimension);
  Blob flat = context.bottom();
  if (!in || in->size() != 2) {
    Attributes axis;
    axis.set("axis", std::int64_t{1});
    flat = context.step("flatten", "Flatten", {flat.tensor}, Integers{context.bottom().dimension(0), inputs}, axis);
  }
  const bool transposed = parameters.boolean("transpose", false);
  std::vector<int> operands{
      flat.tensor, context.weight(0, "weights", transposed ? Integers{inputs, outputs} : Integers{outputs, inputs})};
  if (parameters.boolean("bias_term", true)) operands.push_back(context.weight(1, "biases", {outputs}));
  Attributes attributes;
  attributes.set("transB", std::int64_t{transposed ? 0 : 1});
  return {context.node("Gemm", std::move(operands), Integers{context.bottom().dimension(0), outputs}, attributes)};
}

std::vector<Blob> batch_norm(const LayerContext& context) {
  const std::int64_t maps = context.bottom().dimension(1);
  const int ones = context.graph.filled(context.name + "/scale", {maps}, 1);
  const int zeros = context.graph.filled(context.name + "/bias", {maps}, 0);
  const int mean = context.weight(0, "mean", {maps});
  const int variance = context.weight(1, "variance", {maps});
  const std::vector<float> divisor = divisor_of(context);
  divide(context, mean, divisor);
  divide(context, variance, divisor);
  Attributes attributes;
  attributes.set("epsilon", context.fields.sub("batch_norm_param").real("eps", 1e-5));
  const Blob result = context.node("BatchNormalization", {context.bottom().tensor, ones, zeros, mean, variance},
                                   context.bottom().shape, std::move(attributes));
  context.normalizations[result.tensor] = context.graph.graph().nodes.size() - 1;
  return {result};
}

std::vector<Blob> scale(const LayerContext& context) {
  const Fields parameters = context.fields.sub("scale_param");
  const std::size_t axis = context.axis(parameters.integer("axis", 1, -8, 8));
  if (context.bottoms.size() == 2 && !parameters.boolean("bias_term", false)) return product_of_bottoms(context, axis);
  if (context.bottoms.size() != 1 || parameters.integer("num_axes", 1, -1, 8) != 1) return context.opaque();
  const bool biased = parameters.boolean("bias_term", false);
  const auto normalization = context.normalizations.find(context.bottom().tensor);
  if (axis == 1 && context.only_consumer && normalization != context.normalizations.end()) {
    const std::size_t node = normalization->second;
    context.normalizations.erase(normalization);
    return fold_into(context, node, biased);
  }
  const Integers dimensions = along_axis(context, axis);
  const int factors = context.weight(0, "scale", dimensions);
  if (!biased) return {context.node("Mul", {context.bottom().tensor, factors}, context.bottom().shape)};
  const Blob product = context.step("product", "Mul", {context.bottom().tensor, factors}, context.bottom().shape);
  return {context.node("Add", {product.tensor, context.weight(1, "bias", dimensions)}, context.bottom().shape)};
}

std::vector<Blob> bias(const LayerContext& context) {
  const Fields parameters = context.fields.sub("bias_param");
  if (context.bottoms.size() != 1 || parameters.integer("num_axes", 1, -1, 8) != 1) return context.opaque();
  const std::size_t axis = context.axis(parameters.integer("axis", 1, -8, 8));
  const int offsets = context.weight(0, "bias", along_axis(context, axis));
  return {context.node("Add", {context.bottom().tensor, offsets}, context.bottom().shape)};
}

std::vector<Blob> prelu(const LayerContext& context) {
  const bool shared = context.fields.sub("prelu_param").boolean("channel_shared", false);
  const int slopes = context.weight(0, "slopes", shared ? Integers{1} : along_axis(context, context.axis(1)));
  return {context.node("PRelu", {context.bottom().tensor, slopes}, context.bottom().shape)};
}

}  // namespace convscope::readers::caffe
