#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/network/inference/rules.h"

namespace convscope::network {
namespace {

std::int64_t scaled(std::int64_t dimension, double scale) {
  return dimension < 0 ? unknown_dimension : saturating_integer(std::floor(static_cast<double>(dimension) * scale));
}

/// Axes that scales and sizes speak of; all if none are named. Nothing if one is beyond the rank, which is said.
std::optional<std::vector<std::size_t>> resized_axes(NodeView& node, std::size_t rank, std::size_t count) {
  Dimensions axes = node.attributes().integers("axes");
  for (std::size_t i = axes.size(); i < rank && !node.attributes().has("axes"); ++i)
    axes.push_back(static_cast<std::int64_t>(i));
  std::vector<std::size_t> result;
  for (const std::int64_t axis : axes) {
    const auto position = normal_axis(axis, rank);
    if (position) result.push_back(*position);
  }
  if (result.size() == axes.size() && result.size() == count) return result;
  node.contradiction(fmt::format("{} sizes or scales for {} dimensions", count, axes.size()));
  return std::nullopt;
}

void set_scaled(NodeView& node, Dimensions out, const std::vector<double>& scales) {
  const auto axes = resized_axes(node, out.size(), scales.size());
  if (!axes) return;
  for (std::size_t i = 0; i < scales.size(); ++i) {
    if (!(scales[i] > 0)) return node.contradiction(fmt::format("a scale of {}", scales[i]), "a positive one");
    out[(*axes)[i]] = scaled(out[(*axes)[i]], scales[i]);
  }
  node.set(0, std::move(out), node.type(0));
}

/// Sizes that bound an image whose proportions stay (opset 18).
void keep_proportions(const std::string& policy, const Dimensions& in, const std::vector<std::size_t>& axes,
                      Dimensions& sizes) {
  double scale = policy == "not_larger" ? std::numeric_limits<double>::infinity() : 0;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const double ratio = static_cast<double>(sizes[i]) / static_cast<double>(in[axes[i]]);
    scale = policy == "not_larger" ? std::min(scale, ratio) : std::max(scale, ratio);
  }
  for (std::size_t i = 0; i < axes.size(); ++i)
    sizes[i] = saturating_integer(std::floor(scale * static_cast<double>(in[axes[i]]) + 0.5));
}

void set_sized(NodeView& node, Dimensions out, const Values& values) {
  const auto axes = resized_axes(node, out.size(), values.size());
  if (!axes) return;
  Dimensions sizes;
  bool all_known = true;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sizes.push_back(values[i] ? saturating_integer(*values[i]) : unknown_dimension);
    if (values[i] && sizes[i] < 0) return node.contradiction(fmt::format("a size of {}", sizes[i]));
    all_known = all_known && values[i] && out[(*axes)[i]] > 0;
  }
  const std::string policy = node.attributes().text("keep_aspect_ratio_policy", "stretch");
  if (policy != "stretch") {
    if (all_known)
      keep_proportions(policy, out, *axes, sizes);
    else
      sizes.assign(sizes.size(), unknown_dimension);
  }
  for (std::size_t i = 0; i < sizes.size(); ++i) out[(*axes)[i]] = sizes[i];
  if (node.batch().stated != node.batch().wanted && !out.empty() && node.shape(0).dimensions[0] == node.batch().wanted)
    out[0] = node.batch().wanted;
  node.set(0, std::move(out), node.type(0));
}

/// Where scales and sizes stand: Upsample's attribute or input 1; Resize's input 1 in opset 10, later inputs 2 and 3.
void infer_resize(NodeView& node) {
  const TensorShape data = node.shape(0);
  node.set(0, data.known ? shape_of_rank(data.dimensions.size()) : TensorShape{}, node.type(0));
  if (!data.known) return;
  if (node.attributes().has("height_scale") && data.dimensions.size() == 4) {  // Upsample, opset 1
    const Attributes& a = node.attributes();
    return set_scaled(node, data.dimensions, {1, 1, a.real("height_scale", 1), a.real("width_scale", 1)});
  }
  if (node.attributes().has("scales")) return set_scaled(node, data.dimensions, node.attributes().reals("scales"));
  if (const auto sizes = node.values(3); sizes && !sizes->empty()) return set_sized(node, data.dimensions, *sizes);
  const auto scales = node.reals(node.inputs() <= 2 ? 1 : 2);
  if (scales && !scales->empty()) set_scaled(node, data.dimensions, *scales);
}

}  // namespace

void add_resize_rules(RuleTable& table) {
  table["Resize"] = table["Upsample"] = infer_resize;
}

}  // namespace convscope::network
