#include "core/network/inference/convolution.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/network/inference/rules.h"
#include "core/network/inference/window.h"

namespace convscope::network {
namespace {

struct Form {
  std::string_view name;
  WeightedForm inputs;
};

std::optional<WeightedForm> find_form(const Node& node, const Form* first, const Form* end) {
  if (!is_known_domain(node)) return std::nullopt;
  const Form* form = std::find_if(first, end, [&node](const Form& f) { return f.name == node.operator_name; });
  return form == end ? std::nullopt : std::optional(form->inputs);
}

Dimensions spatial_of(const TensorShape& shape) {
  if (shape.dimensions.size() < 2) return {};
  return {shape.dimensions.begin() + 2, shape.dimensions.end()};
}

/// Says what doesn't fit between input channels, groups and weights; true if nothing.
bool channels_fit(NodeView& node, std::int64_t channels, const Dimensions& weights, std::int64_t groups) {
  const std::int64_t taken = weights[1] < 0 ? weights[1] : saturating_multiply(weights[1], groups);
  if (channels >= 0 && taken >= 0 && channels != taken) {
    node.contradiction(fmt::format("its input has {} channels, its weights take {}", channels, taken),
                       fmt::format("{} channels in {} groups", taken, groups));
    return false;
  }
  if (weights[0] >= 0 && weights[0] % groups != 0) {
    node.contradiction(fmt::format("{} output channels don't divide into {} groups", weights[0], groups));
    return false;
  }
  return true;
}

/// Groups that are at least 1; says a contradiction and returns nothing otherwise.
std::optional<std::int64_t> groups_of(NodeView& node) {
  const std::int64_t groups = node.attributes().integer("group", 1);
  if (groups >= 1 && groups <= element_cap) return groups;
  node.contradiction(fmt::format("'group' is {}", groups), "at least 1");
  return std::nullopt;
}

/// Rank of data and weights, agreed; 0 if unknown or too small, which is said.
std::size_t common_rank(NodeView& node, const TensorShape& data, const TensorShape& weights) {
  if (data.known && weights.known && data.dimensions.size() != weights.dimensions.size()) {
    node.contradiction(fmt::format("input {} and weights {} differ in rank", shape_text(data), shape_text(weights)));
    return 0;
  }
  const std::size_t rank = data.known ? data.dimensions.size() : weights.dimensions.size();
  if ((data.known || weights.known) && rank < 3) {
    node.contradiction(fmt::format("its input has {} dimensions", rank), "batch, channels and space");
    return 0;
  }
  return rank;
}

void note_unmapped(NodeView& node, std::size_t rank) {
  if (rank > 4) node.note(fmt::format("a convolution over {} dimensions: counted, but no target maps it", rank - 2));
}

void infer_convolution(NodeView& node, WeightedForm form, ElementType type) {
  TensorShape data = node.shape(form.data), weights = node.shape(form.weights);
  node.set(0, TensorShape{}, type);
  const auto groups = groups_of(node);
  const std::size_t rank = common_rank(node, data, weights);
  if (!groups || rank == 0) return;
  note_unmapped(node, rank);
  if (!data.known) data = shape_of_rank(rank);
  if (!weights.known) weights = shape_of_rank(rank);
  Dimensions out(rank, unknown_dimension);
  out[0] = data.dimensions[0];
  if (!channels_fit(node, data.dimensions[1], weights.dimensions, *groups)) return;
  out[1] = weights.dimensions[0];
  std::string problem;
  const Dimensions space = spatial_of(data);
  const auto window = window_of(node.attributes(), spatial_of(weights), space, problem);
  if (!window) node.contradiction(problem);
  for (std::size_t axis = 0; window && axis < space.size(); ++axis) {
    out[axis + 2] = window->count(axis, space[axis]);
    if (out[axis + 2] == 0 && space[axis] > 0) {
      node.contradiction(fmt::format("its kernel reaches over {} pixels, the padded input {} has fewer",
                                     window->extent(axis), shape_text(data)));
      out[axis + 2] = unknown_dimension;
    }
  }
  node.set(0, std::move(out), type);
}

void infer_conv(NodeView& node) {
  infer_convolution(node, {0, 1}, node.type(0));
}

void infer_conv_integer(NodeView& node) {
  infer_convolution(node, {0, 1}, ElementType::int32);
}

void infer_qlinear_conv(NodeView& node) {
  const ElementType type = node.type(7) == ElementType::unknown ? node.type(0) : node.type(7);
  infer_convolution(node, {0, 3}, type);
}

/// One spatial size of a transposed convolution: what a convolution's input would be, given its output.
std::int64_t transposed_size(const Window& window, std::size_t axis, std::int64_t input, std::int64_t extra) {
  if (input < 0) return unknown_dimension;
  if (window.same) return saturating_multiply(input, window.strides[axis]);
  if (window.kernel[axis] < 0) return unknown_dimension;
  const std::int64_t pads = window.pads_begin[axis] + window.pads_end[axis];
  return saturating_add(saturating_multiply(input - 1, window.strides[axis]), window.extent(axis) + extra - pads);
}

Dimensions transposed_space(NodeView& node, const Window& window, const Dimensions& space) {
  const Dimensions stated = node.attributes().integers("output_shape");
  const Dimensions extra = node.attributes().integers("output_padding");
  if (stated.size() == space.size()) return stated;
  if (stated.size() == space.size() + 2) return {stated.begin() + 2, stated.end()};  // some exporters state all
  Dimensions out;
  for (std::size_t axis = 0; axis < space.size(); ++axis) {
    const std::int64_t more = axis < extra.size() && extra[axis] >= 0 && extra[axis] < element_cap ? extra[axis] : 0;
    out.push_back(transposed_size(window, axis, space[axis], more));
  }
  return out;
}

void infer_conv_transpose(NodeView& node) {
  const TensorShape data = node.shape(0), weights = node.shape(1);
  node.set(0, TensorShape{}, node.type(0));
  node.note("a transposed convolution: counted, but no target maps it");
  const auto groups = groups_of(node);
  if (!groups || !data.known || common_rank(node, data, weights) == 0) return;
  Dimensions out(data.dimensions.size(), unknown_dimension);
  out[0] = data.dimensions[0];
  if (weights.known && weights.dimensions[1] >= 0) out[1] = saturating_multiply(weights.dimensions[1], *groups);
  if (weights.known && weights.dimensions[0] >= 0 && data.dimensions[1] >= 0 &&
      weights.dimensions[0] != data.dimensions[1])
    node.contradiction(
        fmt::format("its input has {} channels, its weights take {}", data.dimensions[1], weights.dimensions[0]));
  std::string problem;
  const Dimensions space = spatial_of(data);
  const auto window = window_of(node.attributes(), spatial_of(weights), space, problem);
  if (!window) node.contradiction(problem);
  const Dimensions sizes = window ? transposed_space(node, *window, space) : Dimensions{};
  std::copy(sizes.begin(), sizes.end(), out.begin() + 2);
  node.set(0, std::move(out), node.type(0));
}

}  // namespace

bool is_known_domain(const Node& node) {
  return node.domain.empty() || node.domain == "ai.onnx" || node.domain == "com.microsoft";
}

std::optional<WeightedForm> convolution_form(const Node& node) {
  static constexpr Form forms[] = {
      {"Conv", {0, 1}}, {"ConvInteger", {0, 1}}, {"FusedConv", {0, 1}}, {"QLinearConv", {0, 3}}};
  return find_form(node, std::begin(forms), std::end(forms));
}

std::optional<WeightedForm> any_convolution_form(const Node& node) {
  static constexpr Form others[] = {{"ConvTranspose", {0, 1}}, {"DeformConv", {0, 1}}};
  const auto form = convolution_form(node);
  return form ? form : find_form(node, std::begin(others), std::end(others));
}

std::optional<WeightedForm> product_form(const Node& node) {
  static constexpr Form forms[] = {
      {"Gemm", {0, 1}},        {"MatMul", {0, 1}}, {"MatMulInteger", {0, 1}}, {"FusedGemm", {0, 1}},
      {"FusedMatMul", {0, 1}}, {"QGemm", {0, 3}},  {"QLinearMatMul", {0, 3}}, {"DynamicQuantizeMatMul", {0, 1}}};
  return find_form(node, std::begin(forms), std::end(forms));
}

void add_convolution_rules(RuleTable& table) {
  table["Conv"] = table["FusedConv"] = table["DeformConv"] = infer_conv;
  table["ConvInteger"] = infer_conv_integer;
  table["QLinearConv"] = infer_qlinear_conv;
  table["ConvTranspose"] = infer_conv_transpose;
}

}  // namespace convscope::network
