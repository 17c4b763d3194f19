#include "core/readers/darknet/layers.h"

#include <map>

#include <fmt/format.h>

namespace convscope::readers::darknet {

using network::Attributes;
using network::unknown_dimension;

network::TensorShape Output::shape() const {
  if (!flat) return maps.shape();
  return {true, {unknown_dimension, maps.maps}, {"batch"}};
}

void LayerContext::error(std::string what, std::string expected, std::string hint) const {
  report.error(section.line, fmt::format("layer '{}'", name), std::move(what), std::move(expected), std::move(hint));
}

int LayerContext::node(const std::string& operator_name, std::vector<int> inputs, const Output& output,
                       Attributes attributes, const std::string& suffix) const {
  return graph.node({operator_name,
                     suffix.empty() ? name : name + "/" + suffix,
                     std::move(inputs),
                     std::move(attributes),
                     {},
                     section.line},
                    output.shape());
}

int LayerContext::weight(const std::string& suffix, std::vector<std::int64_t> dimensions) const {
  const int tensor = graph.constant(name + "/" + suffix, std::move(dimensions), section.line);
  weights.add(tensor);
  return tensor;
}

Output LayerContext::opaque(std::vector<int> inputs, const Maps& maps) const {
  const int tensor = graph.node({section.type, name, std::move(inputs), {}, "darknet", section.line},
                                maps.known() ? maps.shape() : network::TensorShape());
  return {tensor, maps};
}

Output LayerContext::output_of(std::int64_t index, const std::string& option) const {
  const auto count = static_cast<std::int64_t>(earlier.size());
  const std::int64_t absolute = index < 0 ? count + index : index;
  if (absolute >= 0 && absolute < count) return earlier[static_cast<std::size_t>(absolute)];
  error(fmt::format("option '{}' refers to layer {}", option, index),
        count == 0 ? std::string("an earlier layer")
                   : fmt::format("an earlier layer: 0 to {}, or -{} to -1", count - 1, count));
  return {};
}

Output LayerContext::as_maps(Output output) const {
  if (!output.flat) return output;
  Output shaped{-1, output.maps, false};
  // 0 copies the batch.
  const int shape = graph.integers(name + "/shape", {0, output.maps.maps, output.maps.height, output.maps.width});
  shaped.tensor = node("Reshape", {output.tensor, shape}, shaped, {}, "reshape");
  return shaped;
}

Output activate(const LayerContext& context, Output input, const std::string& activation) {
  static const std::map<std::string, std::string> operators{
      {"logistic", "Sigmoid"}, {"relu", "Relu"}, {"leaky", "LeakyRelu"}, {"tanh", "Tanh"},     {"elu", "Elu"},
      {"selu", "Selu"},        {"mish", "Mish"}, {"relu6", "Clip"},      {"swish", "Sigmoid"}, {"hardtan", "Clip"}};
  if (activation == "linear") return input;
  Output result = input;
  const auto known = operators.find(activation);
  if (known == operators.end()) {
    result.tensor = context.graph.node(
        {activation, context.name + "/" + activation, {input.tensor}, {}, "darknet", context.section.line},
        input.shape());
    return result;
  }
  std::vector<int> inputs{input.tensor};
  Attributes attributes;
  if (activation == "leaky") attributes.set("alpha", 0.1);
  if (known->second == "Clip") {
    inputs.push_back(context.graph.floats(context.name + "/least", {}, {activation == "relu6" ? 0.f : -1.f}));
    inputs.push_back(context.graph.floats(context.name + "/most", {}, {activation == "relu6" ? 6.f : 1.f}));
  }
  result.tensor = context.node(known->second, std::move(inputs), result, std::move(attributes), activation);
  if (activation == "swish")
    result.tensor = context.node("Mul", {input.tensor, result.tensor}, result, {}, activation + "/product");
  return result;
}

Output dropout(const LayerContext& context) {
  Output result = context.in;
  Attributes attributes;
  attributes.set("ratio", context.options.real("probability", 0.5));
  result.tensor = context.node("Dropout", {context.in.tensor}, result, std::move(attributes));
  return result;
}

Output activation(const LayerContext& context) {
  const Output result = activate(context, context.in, context.options.text("activation", "linear"));
  if (result.tensor != context.in.tensor) return result;
  Output same = result;
  same.tensor = context.node("Identity", {context.in.tensor}, same);
  return same;
}

Output softmax(const LayerContext& context) {
  const bool spatial = context.options.integer("spatial", 0, {0, 1}) != 0;
  const bool grouped = context.options.integer("groups", 1, {}) != 1 || context.options.has("tree");
  Output result = context.in;
  if (grouped) return same_shape(context);
  const bool over_maps = spatial || result.flat || (result.maps.height == 1 && result.maps.width == 1);
  if (!over_maps) {
    result = {-1, {result.maps.elements().value_or(unknown_dimension), 1, 1}, true};
    result.tensor = context.node("Flatten", {context.in.tensor}, result, {}, "flatten");
  }
  Attributes attributes;
  attributes.set("axis", std::int64_t{1});
  result.tensor = context.node("Softmax", {result.tensor}, result, std::move(attributes));
  return result;
}

Output normalization(const LayerContext& context) {
  const Output in = context.as_maps(context.in);
  Attributes attributes;
  attributes.set("size", context.options.integer("size", 5, {1, 65536}));
  attributes.set("alpha", context.options.real("alpha", 0.0001));
  attributes.set("beta", context.options.real("beta", 0.75));
  attributes.set("bias", context.options.real("kappa", 1));
  Output result = in;
  result.tensor = context.node("LRN", {in.tensor}, result, std::move(attributes));
  return result;
}

Output same_shape(const LayerContext& context) {
  Output result = context.in;
  result.tensor = context.graph.node(
      {context.section.type, context.name, {context.in.tensor}, {}, "darknet", context.section.line}, result.shape());
  return result;
}

Output other(const LayerContext& context) {
  context.report.note(context.section.line, fmt::format("layer '{}'", context.name),
                      fmt::format("sections [{}] are not known: sizes after it are unknown", context.section.type));
  // Most sections that are missing here have values in the weights file.
  context.weights.give_up();
  return context.opaque({context.in.tensor}, {});
}

Output translate(const LayerContext& context) {
  static const std::map<std::string, Output (*)(const LayerContext&)> translations{
      {"convolutional", convolutional},
      {"conv", convolutional},
      {"deconvolutional", deconvolutional},
      {"deconv", deconvolutional},
      {"connected", connected},
      {"conn", connected},
      {"batchnorm", batch_normalization},
      {"maxpool", max_pool},
      {"max", max_pool},
      {"local_avgpool", local_average_pool},
      {"avgpool", global_average_pool},
      {"avg", global_average_pool},
      {"route", route},
      {"shortcut", shortcut},
      {"scale_channels", scale_channels},
      {"upsample", upsample},
      {"crop", crop},
      {"reorg", reorganization},
      {"softmax", softmax},
      {"soft", softmax},
      {"normalization", normalization},
      {"lrn", normalization},
      {"dropout", dropout},
      {"activation", activation},
      {"yolo", same_shape},
      {"region", same_shape},
      {"detection", same_shape},
      {"cost", same_shape},
      {"Gaussian_yolo", same_shape},
      {"logistic", same_shape}};
  const auto known = translations.find(context.section.type);
  return known == translations.end() ? other(context) : known->second(context);
}

}  // namespace convscope::readers::darknet
