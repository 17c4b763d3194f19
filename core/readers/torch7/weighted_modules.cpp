// Modules with weights.

#include <fmt/format.h>

#include "core/readers/torch7/modules.h"

namespace convscope::readers::torch7 {
namespace {

using network::Attributes;
using network::unknown_dimension;

constexpr std::int64_t most_maps = 1 << 30;

struct Planes {
  std::int64_t in = 0, out = 0;
};

Planes planes_of(const ModuleContext& context) {
  return {context.integer("nInputPlane", std::nullopt, 1, most_maps),
          context.integer("nOutputPlane", std::nullopt, 1, most_maps)};
}

/// Values of one map each: as many as the field's tensor has.
std::int64_t length_of(const ModuleContext& context, std::string_view key) {
  const auto tensor = context.stored(key);
  return tensor ? tensor->elements() : unknown_dimension;
}

Flow convolve(const ModuleContext& context, const char* operator_name, int weights, std::int64_t outputs,
              Attributes attributes) {
  std::vector<int> operands{context.operand(), weights};
  if (context.has("bias")) operands.push_back(context.parameter("bias", {outputs}));
  return context.node(operator_name, std::move(operands), 4, std::move(attributes));
}

int weights_of(const ModuleContext& context, const Integers& dimensions) {
  const int weights = context.parameter("weight", dimensions);
  return weights >= 0 ? weights : context.shop.graph.constant(context.name + "/weight", dimensions, 0);
}

/// Old versions keep 1 / sqrt(variance + eps).
int variance_of(const ModuleContext& context, std::int64_t maps, double epsilon) {
  const int variance = context.parameter("running_var", {maps});
  if (variance >= 0) return variance;
  const int deviation = context.parameter("running_std", {maps});
  network::Constant* constant = deviation < 0 ? nullptr : context.shop.graph.constant_of(deviation);
  auto values = constant == nullptr ? std::nullopt : constant->floats(1 << 20);
  if (!values) return deviation;
  for (float& value : *values)
    value = static_cast<float>(1 / (static_cast<double>(value) * static_cast<double>(value)) - epsilon);
  constant->type = network::ElementType::float32;
  context.shop.graph.graph().tensors[static_cast<std::size_t>(deviation)].type = constant->type;
  give_values(*constant, *std::move(values));
  return deviation;
}

/// Values that stand for maps, shaped so that they broadcast over what follows.
Integers along_maps(const ModuleContext& context, std::int64_t maps) {
  Integers dimensions{maps};
  for (int rank = context.in.rank < 0 ? 4 : context.in.rank; rank > 2; --rank) dimensions.push_back(1);
  return dimensions;
}

Flow with_values(const ModuleContext& context, const char* operator_name, std::string_view key) {
  const auto values = context.stored(key);
  if (!values) return context.opaque();
  // (1, maps, 1, 1) as it is written; a plain vector belongs to the maps.
  const Integers& written = values->layout.dimensions;
  const Integers dimensions = written.size() > 1 ? written : along_maps(context, written[0]);
  const bool single = written.size() == 1 && written[0] == 1;
  const int operand = context.parameter(*values, key, single ? Integers{1} : dimensions);
  return context.node(operator_name, {context.operand(), operand}, context.in.rank);
}

}  // namespace

std::optional<Integers> input_of_module(const ModuleContext& context) {
  const std::string_view type = context.type;
  const auto frame = [](std::int64_t maps) {
    return Integers{unknown_dimension, maps, unknown_dimension, unknown_dimension};
  };
  if (type.starts_with("Spatial") && context.has("nInputPlane"))
    return frame(context.integer("nInputPlane", std::nullopt, 1, most_maps));
  if (type == "SpatialBatchNormalization") return frame(length_of(context, "running_mean"));
  if (type == "BatchNormalization") return Integers{unknown_dimension, length_of(context, "running_mean")};
  const auto weight = context.stored("weight");
  if (type.starts_with("Linear") && weight && weight->layout.dimensions.size() == 2)
    return Integers{unknown_dimension, weight->layout.dimensions[1]};
  return std::nullopt;
}

Flow convolution(const ModuleContext& context) {
  const auto [in, out] = planes_of(context);
  const Slide rows = slide_of(context, 'H'), columns = slide_of(context, 'W');
  const std::int64_t groups = context.integer("groups", 1, 1, most_maps);
  if (in % groups != 0 || out % groups != 0) {
    context.error(fmt::format("{} groups divide {} input maps into {} output maps", groups, in, out),
                  "groups that divide both numbers");
    return {};
  }
  Attributes attributes = window_attributes(rows, columns);
  attributes.set("group", groups);
  const int weights = weights_of(context, {out, in / groups, rows.kernel, columns.kernel});
  return convolve(context, "Conv", weights, out, std::move(attributes));
}

/// Weights are (multiplier, maps, rows, columns), output maps stand map by map.
Flow depthwise_convolution(const ModuleContext& context) {
  const auto [in, multiplier] = planes_of(context);
  const Slide rows = slide_of(context, 'H'), columns = slide_of(context, 'W');
  if (multiplier > most_maps / in) {
    context.error(fmt::format("{} times {} output maps", in, multiplier), fmt::format("at most {}", most_maps));
    return {};
  }
  Attributes attributes = window_attributes(rows, columns);
  attributes.set("group", in);
  const Integers dimensions{in * multiplier, 1, rows.kernel, columns.kernel};
  const auto stored = context.stored("weight");
  if (!stored || stored->layout.dimensions.size() != 4)
    return convolve(context, "Conv", weights_of(context, dimensions), in * multiplier, std::move(attributes));
  TensorLayout turned = stored->layout;
  std::swap(turned.dimensions[0], turned.dimensions[1]);
  std::swap(turned.strides[0], turned.strides[1]);
  const int weights = context.parameter(StoredTensor{turned, stored->array}, "weight", dimensions);
  return convolve(context, "Conv", weights, in * multiplier, std::move(attributes));
}

Flow full_convolution(const ModuleContext& context) {
  const auto [in, out] = planes_of(context);
  const Slide rows = slide_of(context, 'H'), columns = slide_of(context, 'W');
  Attributes attributes = window_attributes(rows, columns);
  attributes.set("output_padding",
                 Integers{context.integer("adjH", 0, 0, 1 << 16), context.integer("adjW", 0, 0, 1 << 16)});
  if (context.in.is_table()) return context.opaque();  // the second part is as large as the output shall be
  const int weights = weights_of(context, {in, out, rows.kernel, columns.kernel});
  return convolve(context, "ConvTranspose", weights, out, std::move(attributes));
}

Flow linear(const ModuleContext& context) {
  const auto weight = context.stored("weight");
  if (!weight || weight->layout.dimensions.size() != 2) {
    context.error("its weight is missing or not of two dimensions", "outputs x inputs");
    return {};
  }
  const Integers dimensions = weight->layout.dimensions;
  Attributes attributes;
  attributes.set("transB", std::int64_t{1});
  std::vector<int> operands{context.operand(), context.parameter(*weight, "weight", dimensions)};
  if (context.has("bias")) operands.push_back(context.parameter("bias", {dimensions[0]}));
  return context.node("Gemm", std::move(operands), 2, std::move(attributes));
}

Flow batch_normalization(const ModuleContext& context) {
  const std::int64_t maps = length_of(context, "running_mean");
  if (maps < 0) {
    context.error("its running_mean is missing", "a value for each map");
    return {};
  }
  const double epsilon = context.real("eps", 1e-5);
  const int mean = context.parameter("running_mean", {maps});
  const int variance = variance_of(context, maps, epsilon);
  if (variance < 0) context.error("its running_var is missing", "a value for each map");
  GraphBuilder& graph = context.shop.graph;
  int scale = context.parameter("weight", {maps}), bias = context.parameter("bias", {maps});
  if (scale < 0) scale = graph.filled(context.name + "/weight", {maps}, 1);
  if (bias < 0) bias = graph.filled(context.name + "/bias", {maps}, 0);
  Attributes attributes;
  attributes.set("epsilon", epsilon);
  return context.node("BatchNormalization", {context.operand(), scale, bias, mean, variance}, context.in.rank,
                      std::move(attributes));
}

Flow prelu(const ModuleContext& context) {
  const auto slopes = context.stored("weight");
  if (!slopes) return context.opaque();
  const std::int64_t count = slopes->elements();
  const int operand = context.parameter(*slopes, "weight", count == 1 ? Integers{1} : along_maps(context, count));
  return context.node("PRelu", {context.operand(), operand}, context.in.rank);
}

Flow multiplied(const ModuleContext& context) {
  return with_values(context, "Mul", "weight");
}

Flow added(const ModuleContext& context) {
  return with_values(context, "Add", "bias");
}

}  // namespace convscope::readers::torch7
