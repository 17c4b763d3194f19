// What becomes of each kind of operator.

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/network/inference/window.h"
#include "core/snowflake/parse/graph_parser.h"

namespace convscope::snowflake {
namespace {

using network::Layer;
using network::Shape;

constexpr const char* lie_otherwise = "what it reads was flattened, and lies otherwise than it takes it for";
constexpr const char* part_vectors = "pixels that aren't whole vectors can be read by convolutions alone";

bool known(const Shape& shape) {
  return shape.maps > 0 && shape.size.height > 0 && shape.size.width > 0;
}

/// One column as one row.
Shape turned(const Shape& shape) {
  return {shape.maps, {shape.size.width, shape.size.height}};
}

std::int64_t elements(const Shape& shape) {
  return std::int64_t{shape.maps} * shape.size.height * shape.size.width;
}

/// Whether a constant that is added to maps of `rank` dimensions has one value for each map.
bool one_for_each_map(const network::Tensor& constant, std::size_t rank) {
  const auto& dimensions = constant.shape.dimensions;
  for (std::size_t i = 0; i < dimensions.size(); ++i)
    if (dimensions[i] != 1 && i + rank != dimensions.size() + 1) return false;
  return true;
}

ProgramLayer convolution_layer(const Layer& layer) {
  ProgramLayer result;
  result.kernel_height = layer.kernel.height;
  result.kernel_width = layer.kernel.width;
  result.stride_height = layer.stride.height;
  result.stride_width = layer.stride.width;
  result.dilation_height = layer.dilation.height;
  result.dilation_width = layer.dilation.width;
  result.padding_top = layer.padding.top;
  result.padding_left = layer.padding.left;
  result.groups = layer.groups;
  return result;
}

/// Sizes of a pool; a reason if they aren't those of two dimensions.
std::string set_window(ProgramLayer& pool, const network::Node& node, const Shape& in) {
  std::string problem;
  const auto window = network::window_of(node.attributes, {}, {in.size.height, in.size.width}, problem);
  if (!window || window->kernel.size() != 2) return "its window isn't known";
  if (window->dilations[0] != 1 || window->dilations[1] != 1) return "its window has gaps (dilation)";
  constexpr std::int64_t most = std::numeric_limits<std::int16_t>::max();
  for (const std::int64_t size : {window->kernel[0], window->kernel[1], window->strides[0], window->strides[1],
                                  window->pads_begin[0] + 1, window->pads_begin[1] + 1})
    if (size < 1 || size > most) return "its window is out of range";
  pool.kernel_height = static_cast<int>(window->kernel[0]);
  pool.kernel_width = static_cast<int>(window->kernel[1]);
  pool.stride_height = static_cast<int>(window->strides[0]);
  pool.stride_width = static_cast<int>(window->strides[1]);
  pool.padding_top = static_cast<int>(window->pads_begin[0]);
  pool.padding_left = static_cast<int>(window->pads_begin[1]);
  pool.count_padding = node.attributes.integer("count_include_pad", 0) != 0;
  return {};
}

}  // namespace

GraphParser::Reason GraphParser::convolution(const Layer& layer) {
  if (const std::string why = layer.why_no_kernel(); !why.empty())
    return why + "; Snowflake convolves over rows and columns";
  if (layer.kernel.height < 1) return "its sizes aren't known, or it has more than two dimensions";
  if (!known(layer.in) || !known(layer.out)) return "the sizes of its maps aren't known";
  const int maps = maps_of(input(0), layer.in);
  if (!lie_as(maps, layer.in)) return lie_otherwise;
  emit(convolution_layer(layer), maps, layer.out);
  return {};
}

// A product with flattened maps is a convolution whose kernel is the whole input.
GraphParser::Reason GraphParser::fully_connected(const Layer& layer) {
  if (const std::string why = layer.why_no_kernel(); !why.empty()) return why + "; Snowflake multiplies by constants";
  if (layer.kernel.height < 1) return "its weights aren't constant, or sizes aren't known";
  if (layer.out.size != network::Size{1, 1}) return "Snowflake maps products of one row of features";
  const int maps = maps_of(input(0), layer.in);
  const Shape& in = table_.maps[static_cast<std::size_t>(maps)].shape;
  if (elements(in) != layer.in.maps)
    return fmt::format("it has {} inputs, what it reads has {} values", layer.in.maps, elements(in));
  ProgramLayer product;
  product.kind = LayerKind::fully_connected;
  product.kernel_height = in.size.height;
  product.kernel_width = in.size.width;
  emit(std::move(product), maps, layer.out);
  return {};
}

GraphParser::Reason GraphParser::pool(const Layer& layer, LayerKind kind, bool global) {
  if (!known(layer.in) || !known(layer.out)) return "the sizes of its maps aren't known";
  ProgramLayer pool;
  pool.kind = kind;
  if (global) {
    pool.kernel_height = layer.in.size.height;
    pool.kernel_width = layer.in.size.width;
  } else if (Reason reason = set_window(pool, node(), layer.in); !reason.empty()) {
    return reason;
  }
  const int maps = maps_of(input(0), layer.in);
  if (!lie_as(maps, layer.in)) return lie_otherwise;
  if (!whole_vectors(maps)) return part_vectors;
  emit(std::move(pool), maps, layer.out);
  return {};
}

GraphParser::Reason GraphParser::mean(const Layer& layer) {
  std::vector<std::int64_t> axes = node().attributes.integers("axes");
  if (axes.empty() && constant(input(1)))
    axes = graph_.tensors[static_cast<std::size_t>(input(1))].constant->integers().value_or(axes);
  const auto rank = static_cast<std::int64_t>(
      input(0) < 0 ? 0 : graph_.tensors[static_cast<std::size_t>(input(0))].shape.dimensions.size());
  bool rows = false, columns = false;
  for (const std::int64_t axis : axes) {
    const std::int64_t from_end = axis < 0 ? -axis : rank - axis;
    if (from_end < 1 || from_end > 2 || rank - from_end < 2) return "Snowflake maps means over rows and columns only";
    (from_end == 2 ? rows : columns) = true;
  }
  if (!rows && !columns) return "Snowflake maps means over rows and columns only";
  if (!known(layer.in) || !known(layer.out) || rank > 4) return "the sizes of its maps aren't known";
  const int maps = maps_of(input(0), layer.in);
  const Shape in = table_.maps[static_cast<std::size_t>(maps)].shape;
  // Without `keepdims` a column of means counts as a row, but lies as it was.
  const bool one_column = in.size.width == 1 && in != layer.in && in == turned(layer.in);
  if (!one_column && in != layer.in) return lie_otherwise;
  if (one_column) std::swap(rows, columns);
  if (!whole_vectors(maps)) return part_vectors;
  ProgramLayer pool;
  pool.kind = LayerKind::average_pool;
  pool.kernel_height = rows ? in.size.height : 1;
  pool.kernel_width = columns ? in.size.width : 1;
  emit(std::move(pool), maps, {in.maps, {rows ? 1 : in.size.height, columns ? 1 : in.size.width}});
  return {};
}

GraphParser::Reason GraphParser::rectify(const Layer& layer) {
  const bool clip = layer.operator_name == "Clip";
  const auto least = clip ? clip_limit("min", 1) : 0.0;
  const auto most = clip ? clip_limit("max", 2) : std::numeric_limits<double>::infinity();
  if (!least || !most) return "its limits aren't known";
  if (*least != 0 || *most <= 0) return "Snowflake's activation is ReLU: Clip from 0 only";
  const int tensor = input(0);
  ParsedLayer* before = only_reader_of(tensor);
  if (before) {
    before->layer.relu = true;
    fold_into(*before, tensor);
  } else {
    const int maps = maps_of(tensor, layer.in);
    if (!lie_as(maps, layer.in)) return lie_otherwise;
    if (!known(layer.in) || !whole_vectors(maps)) return part_vectors;
    ProgramLayer rectifier;
    rectifier.kind = LayerKind::max_pool;
    rectifier.relu = true;
    emit(std::move(rectifier), maps, layer.out);
    before = &parsed_.layers.back();
  }
  if (std::isfinite(*most)) before->limit = before->limit ? std::min(*before->limit, *most) : *most;
  return {};
}

// "The output values of a CONV are element-wise added with a previous layer's input" (section 2): the later of two
// convolutions takes the other maps as its bypass.
GraphParser::Reason GraphParser::add(const Layer& layer) {
  if (node().inputs.size() != 2) return "Snowflake adds two maps";
  for (const std::size_t side : {std::size_t{0}, std::size_t{1}})
    if (constant(input(side)))
      if (ParsedLayer* before = only_reader_of(input(1 - side)); before && !before->layer.relu &&
                                                                 before->layer.kind != LayerKind::max_pool &&
                                                                 before->layer.kind != LayerKind::average_pool)
        return one_for_each_map(graph_.tensors[static_cast<std::size_t>(input(side))],
                                graph_.tensors[static_cast<std::size_t>(output())].shape.dimensions.size())
                   ? (fold_into(*before, input(1 - side)), Reason())
                   : Reason("Snowflake adds one constant to each map");
  ParsedLayer* later = nullptr;
  int bypass = -1, own = -1;
  for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
    ParsedLayer* candidate = only_reader_of(input(side));
    const bool convolves = candidate && (candidate->layer.kind == LayerKind::convolution ||
                                         candidate->layer.kind == LayerKind::fully_connected);
    if (!convolves || candidate->layer.relu || (later && candidate < later)) continue;
    const auto position = static_cast<std::size_t>(candidate - parsed_.layers.data());
    if (table_.uses[position].bypass >= 0) continue;
    later = candidate;
    own = input(side);
    bypass = input(1 - side);
  }
  if (!later || constant(bypass)) return "additions are folded into a convolution before them that nothing else reads";
  const int other = maps_of(bypass, layer.out);
  const Maps& added = table_.maps[static_cast<std::size_t>(other)];
  if (added.shape != layer.out) return "Snowflake adds maps of equal sizes";
  if (!whole_vectors(other)) return part_vectors;
  const auto position = static_cast<int>(later - parsed_.layers.data());
  if (added.producer >= position) return "the maps to be added come after the convolution";
  table_.uses[static_cast<std::size_t>(position)].bypass = other;
  later->tensors.bypass = bypass;
  fold_into(*later, own);
  return {};
}

GraphParser::Reason GraphParser::normalize(const Layer&) {
  ParsedLayer* before = only_reader_of(input(0));
  const bool weighted =
      before && !before->layer.relu && before->layer.bypass.region < 0 &&
      (before->layer.kind == LayerKind::convolution || before->layer.kind == LayerKind::fully_connected);
  if (!weighted || table_.uses[static_cast<std::size_t>(before - parsed_.layers.data())].bypass >= 0)
    return "normalizations are folded into the weights of a convolution before them that nothing else reads";
  fold_into(*before, input(0));
  return {};
}

GraphParser::Reason GraphParser::concatenate(const Layer& layer) {
  if (node().attributes.integer("axis", 1) != 1) return "Snowflake joins maps, not rows or columns";
  if (!known(layer.out)) return "the sizes of its maps aren't known";
  std::vector<int> parts;
  int channels = 0;
  for (const int tensor : node().inputs) {
    if (tensor < 0 || constant(tensor)) return "Snowflake joins what layers computed";
    const int known_maps = maps_[static_cast<std::size_t>(tensor)];
    if (known_maps < 0) return "a part is computed by the host";
    if (channels % macs_ != 0) return fmt::format("a part ends within a vector of {} words", macs_);
    parts.push_back(known_maps);
    const Shape& part = table_.maps[static_cast<std::size_t>(known_maps)].shape;
    if (part.size != layer.out.size) return lie_otherwise;
    channels += part.maps;
  }
  if (channels != layer.out.maps) return "its parts don't make up its maps";
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Maps& part = table_.maps[static_cast<std::size_t>(parts[i])];
    // Loads take whole pixels: a part that begins within one must have no other reader.
    const bool begins_within = i > 0 && readers_[static_cast<std::size_t>(node().inputs[i])] > 1;
    const bool own = !begins_within && part.joined < 0 && (part.producer >= 0 || !part.parts.empty()) &&
                     std::find(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(i), parts[i]) ==
                         parts.begin() + static_cast<std::ptrdiff_t>(i);
    if (own) continue;
    if (!whole_vectors(parts[i])) return part_vectors;
    parts[i] = copy(fmt::format("{}/part {}", layer.name, i), parts[i], node().inputs[i]);
  }
  const int joined = static_cast<int>(table_.maps.size());
  table_.maps.push_back({layer.out, -1, -1, 0, parts});
  int offset = 0;
  for (const int part : parts) {
    Maps& maps = table_.maps[static_cast<std::size_t>(part)];
    maps.joined = joined;
    maps.channel_offset = offset;
    offset += maps.shape.maps;
  }
  maps_[static_cast<std::size_t>(output())] = joined;
  parsed_.computed_by[static_cast<std::size_t>(current_)] = producer_of(joined);
  return {};
}

GraphParser::Reason GraphParser::pass(const Layer& layer) {
  const int tensor = input(0);
  if (tensor < 0 || output() < 0 || constant(tensor)) return "it reads nothing that a layer computed";
  if (elements(layer.in) != elements(layer.out) || !known(layer.in)) return "Snowflake keeps maps as they are";
  const bool flattens = layer.out.size == network::Size{1, 1};
  if (layer.in != layer.out && !flattens) return "Snowflake keeps maps as they are, or flattens them";
  const int maps = maps_of(tensor, layer.in);
  maps_[static_cast<std::size_t>(output())] = maps;
  // Whoever else reads the maps reads these, too.
  readers_[static_cast<std::size_t>(output())] += readers_[static_cast<std::size_t>(tensor)] - 1;
  parsed_.computed_by[static_cast<std::size_t>(current_)] = producer_of(maps);
  return {};
}

}  // namespace convscope::snowflake
