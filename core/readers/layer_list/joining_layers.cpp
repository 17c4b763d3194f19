// Layers that join, cut, and compute value by value.

#include <fmt/format.h>

#include "core/readers/layer_list/layers.h"

namespace convscope::readers::layer_list {
namespace {

using network::Attributes;

std::string text_of(const Output& output) {
  return fmt::format("{} x {} x {}", output.maps.maps, output.maps.height, output.maps.width);
}

bool at_least_two(const LayerContext& context) {
  if (context.inputs.size() >= 2) return true;
  context.element.error("it has one input", "at least two: from=\"conv2 conv3\"");
  return false;
}

Output combine(const LayerContext& context, const std::string& of_two, const std::string& of_many) {
  if (!at_least_two(context)) return {};
  std::vector<int> operands;
  for (const Output& input : context.inputs) {
    if (input.maps != context.in().maps || input.flat != context.in().flat)
      context.element.error(fmt::format("its inputs are {} and {}", text_of(context.in()), text_of(input)),
                            "equal ones");
    operands.push_back(input.tensor);
  }
  Output out = context.in();
  if (operands.size() == 2 || !of_many.empty()) {
    const std::string& operator_name = operands.size() == 2 ? of_two : of_many;
    out.tensor = context.node(operator_name, std::move(operands), out);
  } else {
    context.element.error(fmt::format("it has {} inputs", operands.size()), "two");
  }
  return activate(context, out);
}

}  // namespace

Output addition(const LayerContext& context) {
  return combine(context, "Add", "Sum");
}

Output multiplication(const LayerContext& context) {
  return combine(context, "Mul", {});
}

Output concatenation(const LayerContext& context) {
  if (!at_least_two(context)) return {};
  Output out = context.in();
  out.maps.maps = 0;
  std::vector<int> operands;
  for (const Output& input : context.inputs) {
    const bool fits =
        input.maps.height == out.maps.height && input.maps.width == out.maps.width && input.flat == out.flat;
    if (!fits)
      context.element.error(fmt::format("it joins {} and {}", text_of(context.in()), text_of(input)),
                            "maps of equal height and width");
    out.maps.maps += input.maps.maps;
    operands.push_back(input.tensor);
  }
  Attributes attributes;
  attributes.set("axis", std::int64_t{1});
  out.tensor = context.node("Concat", std::move(operands), out, std::move(attributes));
  return out;
}

Output flattening(const LayerContext& context) {
  Output out{-1, {context.in().maps.elements().value_or(network::unknown_dimension), 1, 1}, true};
  Attributes attributes;
  attributes.set("axis", std::int64_t{1});
  const std::string suffix = context.element.type() == "flatten" ? "" : "flatten";
  out.tensor = context.node("Flatten", {context.in().tensor}, out, std::move(attributes), suffix);
  return out;
}

Output upsampling(const LayerContext& context) {
  const std::int64_t factor = context.element.required("factor", 1024);
  if (context.in().flat) context.element.error("its input is a vector", "feature maps");
  Output out{-1, {context.in().maps.maps, context.in().maps.height * factor, context.in().maps.width * factor}};
  Attributes attributes;
  attributes.set("mode", std::string("nearest"));
  attributes.set("coordinate_transformation_mode", std::string("asymmetric"));
  attributes.set("nearest_mode", std::string("floor"));
  const auto value = static_cast<float>(factor);
  const int scales = context.graph.floats(context.element.name() + "/scales", {4}, {1, 1, value, value});
  out.tensor = context.node("Resize", {context.in().tensor, -1, scales}, out, std::move(attributes));
  return out;
}

/// Maps [first, first + maps).
Output slice(const LayerContext& context) {
  const std::int64_t whole = context.in().maps.maps;
  const std::int64_t first = context.element.integer("first", 0, 0, whole - 1);
  const std::int64_t count = context.element.required("maps", whole - first);
  Output out = context.in();
  out.maps.maps = count;
  const std::string name = context.element.name();
  out.tensor = context.node(
      "Slice",
      {context.in().tensor, context.graph.integers(name + "/starts", {first}),
       context.graph.integers(name + "/ends", {first + count}), context.graph.integers(name + "/axes", {1})},
      out);
  return out;
}

Output batch_normalization(const LayerContext& context) {
  const std::int64_t maps = context.in().maps.maps;
  std::vector<int> operands{context.in().tensor};
  for (const char* constant : {"scale", "bias", "mean", "variance"})
    operands.push_back(context.weight(constant, {maps}));
  Output out = context.in();
  out.tensor = context.node("BatchNormalization", std::move(operands), out);
  return activate(context, out);
}

Output local_response_normalization(const LayerContext& context) {
  Attributes attributes;
  attributes.set("size", context.element.integer("size", 5, 1, 1 << 16));
  attributes.set("alpha", context.element.real("alpha", 0.0001));
  attributes.set("beta", context.element.real("beta", 0.75));
  attributes.set("bias", context.element.real("constant", 1));
  Output out = context.in();
  out.tensor = context.node("LRN", {context.in().tensor}, out, std::move(attributes));
  return out;
}

}  // namespace convscope::readers::layer_list
