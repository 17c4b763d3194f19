#include "core/readers/layer_list/layers.h"

#include <map>

#include <fmt/format.h>

namespace convscope::readers::layer_list {
namespace {

using network::Attributes;

struct Activation {
  std::string operator_name;
  std::vector<float> limits;  ///< of Clip
};

const std::map<std::string, Activation>& activations() {
  static const std::map<std::string, Activation> table{
      {"relu", {"Relu", {}}},       {"relu6", {"Clip", {0, 6}}},    {"leaky_relu", {"LeakyRelu", {}}},
      {"sigmoid", {"Sigmoid", {}}}, {"tanh", {"Tanh", {}}},         {"elu", {"Elu", {}}},
      {"mish", {"Mish", {}}},       {"softplus", {"Softplus", {}}}, {"hard_swish", {"HardSwish", {}}}};
  return table;
}

Output apply(const LayerContext& context, Output input, const std::string& name, const std::string& suffix) {
  const Activation& activation = activations().at(name);
  std::vector<int> operands{input.tensor};
  const std::string prefix = context.element.name() + "/";
  for (const float limit : activation.limits)
    operands.push_back(context.graph.floats(prefix + (operands.size() == 1 ? "least" : "most"), {}, {limit}));
  Attributes attributes;
  if (name == "leaky_relu") attributes.set("alpha", context.element.real("slope", 0.01));
  Output result = input;
  result.tensor = context.node(activation.operator_name, std::move(operands), result, std::move(attributes), suffix);
  return result;
}

Output activation_layer(const LayerContext& context) {
  return apply(context, context.in(), context.element.type(), {});
}

Output softmax(const LayerContext& context) {
  Attributes attributes;
  attributes.set("axis", std::int64_t{1});
  Output result = context.in();
  result.tensor = context.node("Softmax", {result.tensor}, result, std::move(attributes));
  return result;
}

Output dropout(const LayerContext& context) {
  Attributes attributes;
  attributes.set("ratio", context.element.real("ratio", 0.5));
  Output result = context.in();
  result.tensor = context.node("Dropout", {result.tensor}, result, std::move(attributes));
  return result;
}

const std::map<std::string, Translation>& translations() {
  static const std::map<std::string, Translation> table = [] {
    std::map<std::string, Translation> all{{"conv", convolution},
                                           {"depthwise_conv", depthwise_convolution},
                                           {"transposed_conv", transposed_convolution},
                                           {"fc", fully_connected},
                                           {"batch_norm", batch_normalization},
                                           {"max_pool", max_pool},
                                           {"average_pool", average_pool},
                                           {"global_max_pool", global_max_pool},
                                           {"global_average_pool", global_average_pool},
                                           {"add", addition},
                                           {"multiply", multiplication},
                                           {"concat", concatenation},
                                           {"flatten", flattening},
                                           {"upsample", upsampling},
                                           {"slice", slice},
                                           {"lrn", local_response_normalization},
                                           {"softmax", softmax},
                                           {"dropout", dropout}};
    for (const auto& [name, activation] : activations()) all[name] = activation_layer;
    return all;
  }();
  return table;
}

}  // namespace

network::TensorShape Output::shape() const {
  if (!flat) return maps.shape();
  return {true, {network::unknown_dimension, maps.maps}, {"batch"}};
}

int LayerContext::node(const std::string& operator_name, std::vector<int> operands, const Output& output,
                       Attributes attributes, const std::string& suffix) const {
  return graph.node({operator_name,
                     suffix.empty() ? element.name() : element.name() + "/" + suffix,
                     std::move(operands),
                     std::move(attributes),
                     {},
                     element.line()},
                    output.shape());
}

int LayerContext::weight(const std::string& suffix, std::vector<std::int64_t> dimensions) const {
  return graph.constant(element.name() + "/" + suffix, std::move(dimensions), element.line());
}

Output activate(const LayerContext& context, Output input) {
  const std::string name = context.element.text("activation");
  if (name.empty()) return input;
  if (activations().count(name) != 0) return apply(context, input, name, name);
  std::string known;
  for (const auto& [other, activation] : activations()) known += (known.empty() ? "" : ", ") + other;
  context.element.error(fmt::format("activation '{}' is not known", name), known);
  return input;
}

Translation translation_of(const std::string& type) {
  const auto found = translations().find(type);
  return found == translations().end() ? nullptr : found->second;
}

std::string element_names() {
  std::string names = "input";
  for (const auto& [name, translation] : translations()) names += ", " + name;
  return names;
}

}  // namespace convscope::readers::layer_list
