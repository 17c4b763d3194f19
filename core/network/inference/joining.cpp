// Operators that join, repeat and divide tensors: Concat, Split, Expand, Tile, Pad.

#include <algorithm>

#include <fmt/format.h>

#include "core/network/inference/rules.h"

namespace convscope::network {
namespace {

/// The axis of a joined or divided tensor; says a contradiction and returns nothing if it is beyond the rank.
bool join(NodeView& node, Dimensions& out, const TensorShape& next, std::size_t axis) {
  for (std::size_t i = 0; next.known && i < out.size(); ++i) {
    const std::int64_t other = next.dimensions.size() == out.size() ? next.dimensions[i] : -2;
    const bool differs = i != axis && out[i] >= 0 && other >= 0 && out[i] != other;
    if (other == -2 || differs) {
      node.contradiction(fmt::format("joins {} with {}", shape_text(shape_of(out)), shape_text(next)),
                         fmt::format("tensors that differ in dimension {} alone", axis));
      return false;
    }
    if (i != axis && out[i] < 0) out[i] = other;
    if (i == axis) out[i] = out[i] < 0 || other < 0 ? unknown_dimension : saturating_add(out[i], other);
  }
  if (!next.known) out[axis] = unknown_dimension;
  return true;
}

void fold_concat(NodeView& node, std::size_t first, std::size_t step) {
  Values all;
  for (std::size_t input = first; input < node.inputs(); input += step) {
    const auto values = node.values(input);
    if (!values || all.size() + values->size() > 64) return;
    all.insert(all.end(), values->begin(), values->end());
  }
  node.fold(0, std::move(all));
}

/// Tensors stand at inputs first, first + step, …
void infer_concat_of(NodeView& node, std::size_t first, std::size_t step) {
  node.set(0, TensorShape{}, node.type(first));
  std::size_t rank = 0;
  for (std::size_t input = first; input < node.inputs(); input += step)
    rank = std::max(rank, node.shape(input).dimensions.size());
  if (rank == 0) return;
  const auto axis = axis_of(node, 1, rank);  // required from opset 4; 1 before
  if (!axis) return;
  Dimensions out(rank, unknown_dimension);
  out[*axis] = 0;
  for (std::size_t input = first; input < node.inputs(); input += step) {
    if (!join(node, out, node.shape(input), *axis)) return;
  }
  node.set(0, out, node.type(first));
  if (rank == 1) fold_concat(node, first, step);
}

void infer_concat(NodeView& node) {
  infer_concat_of(node, 0, 1);
}

void infer_qlinear_concat(NodeView& node) {
  infer_concat_of(node, 2, 3);
}

/// Sizes of the parts; empty if not known.
Dimensions split_sizes(NodeView& node, std::int64_t whole) {
  if (node.says("split", 1)) {
    const auto stated = node.integers("split", 1);
    return stated && stated->size() == node.outputs() ? *stated : Dimensions{};
  }
  const auto parts = static_cast<std::int64_t>(node.outputs());
  if (whole < 0 || parts == 0) return {};
  const std::int64_t each = (whole + parts - 1) / parts;
  Dimensions sizes(node.outputs(), each);
  for (std::int64_t i = 0; i < parts; ++i)
    sizes[static_cast<std::size_t>(i)] = std::max<std::int64_t>(0, std::min(each, whole - i * each));
  return sizes;
}

void infer_split(NodeView& node) {
  const TensorShape data = node.shape(0);
  for (std::size_t i = 0; i < node.outputs(); ++i) node.set(i, TensorShape{}, node.type(0));
  if (!data.known) return;
  const auto axis = axis_of(node, 0, data.dimensions.size());
  if (!axis) return;
  const std::int64_t whole = data.dimensions[*axis];
  const Dimensions sizes = split_sizes(node, whole);
  std::int64_t sum = 0;
  for (const std::int64_t size : sizes) sum = saturating_add(sum, size);
  if (!sizes.empty() && whole >= 0 && sum != whole)
    return node.contradiction(fmt::format("divides {} into parts of {} together", whole, sum));
  for (std::size_t i = 0; i < node.outputs(); ++i) {
    Dimensions out = data.dimensions;
    out[*axis] = sizes.empty() ? unknown_dimension : sizes[i];
    node.set(i, std::move(out), node.type(0));
  }
}

TensorShape listed_rank(const TensorShape& list) {
  const bool known = list.dimensions.size() == 1 && list.dimensions[0] >= 0 && list.dimensions[0] <= 64;
  return known ? shape_of_rank(static_cast<std::size_t>(list.dimensions[0])) : TensorShape{};
}

void infer_expand(NodeView& node) {
  const TensorShape data = node.shape(0);
  const auto values = node.values(1);
  TensorShape wanted = listed_rank(node.shape(1));
  if (values) {
    wanted = shape_of({});
    for (const auto& value : *values)
      wanted.dimensions.push_back(value ? std::max<std::int64_t>(-1, saturating_integer(*value)) : unknown_dimension);
  }
  node.set(0, broadcast(node, data, wanted), node.type(0));
  const auto kept = node.values(0);
  const auto count = node.output_shape(0).elements();
  if (kept && kept->size() == 1 && count && *count <= 64 && node.output_shape(0).dimensions.size() <= 1)
    node.fold(0, Values(static_cast<std::size_t>(*count), kept->front()));
}

void infer_tile(NodeView& node) {
  TensorShape data = node.shape(0);
  const auto repeats = node.values(1);
  node.set(0, data.known ? shape_of_rank(data.dimensions.size()) : TensorShape{}, node.type(0));
  if (!data.known || !repeats) return;
  if (repeats->size() != data.dimensions.size())
    return node.contradiction(fmt::format("repeats {} by {} numbers", shape_text(data), repeats->size()));
  for (std::size_t i = 0; i < repeats->size(); ++i) {
    std::int64_t& dimension = data.dimensions[i];
    const auto& times = (*repeats)[i];
    dimension =
        dimension < 0 || !times ? unknown_dimension : saturating_multiply(dimension, saturating_integer(*times));
    if (times && *times < 0) return node.contradiction("repeats a negative number of times");
  }
  node.set(0, data.dimensions, node.type(0));
}

std::optional<Dimensions> pads_of(const NodeView& node) {
  if (node.attributes().has("paddings")) return node.attributes().integers("paddings");  // opset 1
  return node.integers("pads", 1);
}

/// Axes that pads speak of: all, or those at input 3 (from opset 18).
std::optional<std::vector<std::size_t>> padded_axes(NodeView& node, std::size_t rank) {
  std::vector<std::size_t> result;
  if (!node.has_input(3)) {
    for (std::size_t i = 0; i < rank; ++i) result.push_back(i);
    return result;
  }
  const auto stated = node.integers(3);
  if (!stated) return std::nullopt;
  for (const std::int64_t axis : *stated) {
    const auto position = normal_axis(axis, rank);
    if (!position) return std::nullopt;
    result.push_back(*position);
  }
  return result;
}

void infer_pad(NodeView& node) {
  TensorShape data = node.shape(0);
  node.set(0, data.known ? shape_of_rank(data.dimensions.size()) : TensorShape{}, node.type(0));
  const auto pads = pads_of(node);
  if (!data.known || !pads) return;
  const auto axes = padded_axes(node, data.dimensions.size());
  if (!axes) return;
  if (pads->size() != 2 * axes->size())
    return node.contradiction(fmt::format("{} pads for {}", pads->size(), shape_text(data)),
                              fmt::format("{}", 2 * axes->size()));
  for (std::size_t i = 0; i < axes->size(); ++i) {
    std::int64_t& dimension = data.dimensions[(*axes)[i]];
    if (dimension < 0) continue;
    dimension = saturating_add(dimension, saturating_add((*pads)[i], (*pads)[i + axes->size()]));
    if (dimension < 0)
      return node.contradiction(fmt::format("cuts more off {} than there is", shape_text(node.shape(0))));
  }
  node.set(0, data.dimensions, node.type(0));
}

}  // namespace

void add_joining_rules(RuleTable& table) {
  table["Concat"] = infer_concat;
  table["QLinearConcat"] = infer_qlinear_concat;
  table["Split"] = infer_split;
  table["Expand"] = infer_expand;
  table["Tile"] = infer_tile;
  table["Pad"] = infer_pad;
}

}  // namespace convscope::network
