#include "core/nmp/operators/pools.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/network/inference/window.h"

namespace convscope::nmp {
namespace {

using network::Layer;
using network::Node;
using Kind = OperatorUse::Kind;

constexpr double most_steps = 1LL << 48;  // leaves room for rounding up

// As a depthwise convolution it is checked like one.
OperatorUse pool_of(Layer shape, Computation computation) {
  if (!shape.space.in.empty() || !shape.space.out.empty()) return unmapped("NMP pools over rows and columns");
  if (shape.in.maps < 1 || shape.in.maps != shape.out.maps || shape.kernel.height < 1) return unmapped(unknown_shape);
  shape.groups = shape.in.maps;
  shape.dense = true;
  std::string reason;
  auto convolution = convolution_of(shape, reason);
  if (!convolution) return unmapped(reason);
  const double steps = static_cast<double>(shape.out.maps) * shape.out.size.height * shape.out.size.width *
                       shape.kernel.height * shape.kernel.width;
  if (steps > most_steps) return unmapped("it is too large to search");
  convolution->depthwise = true;
  convolution->channels = convolution->maps_per_unit = convolution->repeats = 1;
  convolution->units = shape.in.maps;
  convolution->operation = Operator::pool;
  return {Kind::pool,  fmt::format("{} of {} x {}", shape.operator_name, shape.kernel.height, shape.kernel.width),
          convolution, 0,
          1,           {.computation = computation}};
}

}  // namespace

OperatorUse unmapped(std::string why) {
  return {Kind::unmapped, std::move(why), {}, 0, 1, {}};
}

namespace {

/// A map of the output for each of the input, both of `maps`.
Convolution by_map(int maps, network::Size in, network::Size out) {
  Convolution c;
  c.rows = {in.height, out.height, 1, 1, 1, 0};
  c.columns = {in.width, out.width, 1, 1, 1, 0};
  c.depthwise = true;
  c.channels = 1;
  c.units = maps;
  c.operation = Operator::pool;
  return c;
}

bool searchable(network::Shape shape) {
  constexpr int largest_map = 1 << 14, largest_depth = 1 << 20;  // as of convolutions
  return shape.maps >= 1 && shape.size.height >= 1 && shape.size.width >= 1 && shape.maps <= largest_depth &&
         std::max(shape.size.height, shape.size.width) <= largest_map;
}

constexpr const char* no_search = "its shape is not known, or too large to search";

}  // namespace

OperatorUse spread_over_maps(const Layer& layer, const Computing& computing) {
  if (!layer.space.out.empty() || !searchable(layer.out)) return unmapped(no_search);
  Convolution c = by_map(layer.out.maps, layer.out.size, layer.out.size);
  c.operation = Operator::spread;
  return {Kind::pool, fmt::format("{} of an operand that has an element for each map", layer.operator_name), c, 0, 2,
          computing};
}

OperatorUse repeated(const Layer& layer, network::Shape in, network::Size factor) {
  if (!searchable(in) || !searchable(layer.out)) return unmapped(no_search);
  Convolution c = by_map(in.maps, in.size, layer.out.size);
  c.rows.repeat = factor.height;
  c.columns.repeat = factor.width;
  return {Kind::pool, fmt::format("each input for {} x {} outputs", factor.height, factor.width),
          c,          0,
          1,          {.computation = Computation::nearest}};
}

OperatorUse cropped_or_padded(const Layer& layer, network::Shape in, network::Shape out, network::Size before,
                              network::Size stride) {
  if (!searchable(in) || !searchable(out) || in.maps != out.maps) return unmapped(no_search);
  Convolution c = by_map(in.maps, in.size, out.size);
  c.rows.padding = before.height;
  c.columns.padding = before.width;
  c.rows.stride = stride.height;
  c.columns.stride = stride.width;
  return {Kind::pool, fmt::format("{}, as pools of single inputs", layer.operator_name),
          c,          0,
          1,          {.computation = Computation::max_pool}};
}

OperatorUse pieces_moved(std::int64_t length, std::vector<Move> moves, std::string text) {
  constexpr std::int64_t longest = 1 << 14;
  if (length > longest) return unmapped(fmt::format("its pieces of {} elements are too long to search", length));
  Convolution c = by_map(static_cast<int>(moves.size()), {1, static_cast<int>(length)}, {1, static_cast<int>(length)});
  c.scattered = true;
  Computing computing{.computation = Computation::copy};
  computing.moves = std::move(moves);
  return {Kind::pool, std::move(text), c, 0, 1, std::move(computing)};
}

OperatorUse pool_over(const Layer& layer, network::Size window) {
  const bool greatest = layer.operator_name == "GlobalMaxPool" || layer.operator_name == "ReduceMax";
  Layer shape = layer;
  shape.kernel = window;
  shape.out = {layer.in.maps, {layer.in.size.height - window.height + 1, layer.in.size.width - window.width + 1}};
  shape.stride = shape.dilation = {1, 1};
  shape.padding = {};
  return pool_of(shape, greatest ? Computation::max_pool : Computation::average_pool);
}

OperatorUse pool_of_window(const Layer& layer, const Node& node) {
  if (node.outputs.size() > 1 && node.outputs[1] >= 0)
    return unmapped("NMP's pools don't tell where the greatest value was");
  if (layer.in.size.height < 1 || layer.in.size.width < 1) return unmapped(unknown_shape);
  std::string problem;
  const bool flat = node.attributes.integers("kernel_shape").size() == 1;
  const auto window = network::window_of(
      node.attributes, {},
      flat ? network::Dimensions{layer.in.size.width} : network::Dimensions{layer.in.size.height, layer.in.size.width},
      problem);
  constexpr std::int64_t most = std::numeric_limits<std::int16_t>::max();
  if (!window || window->kernel.size() > 2) return unmapped("its window is none over rows and columns");
  for (const network::Dimensions* sizes :
       {&window->kernel, &window->strides, &window->dilations, &window->pads_begin, &window->pads_end})
    for (const std::int64_t size : *sizes)
      if (size < 0 || size > most) return unmapped("its window is out of range");
  const auto size = [&](const network::Dimensions& of, int other) {
    return network::Size{flat ? other : static_cast<int>(of.front()), static_cast<int>(of.back())};
  };
  Layer shape = layer;
  shape.kernel = size(window->kernel, 1);
  shape.stride = size(window->strides, 1);
  shape.dilation = size(window->dilations, 1);
  const network::Size before = size(window->pads_begin, 0), after = size(window->pads_end, 0);
  shape.padding = {before.height, before.width, after.height, after.width};
  if (layer.operator_name == "MaxPool") return pool_of(shape, Computation::max_pool);
  const bool with_padding = node.attributes.integer("count_include_pad", 0) != 0;
  return pool_of(shape, with_padding ? Computation::average_pool : Computation::average_pool_inside);
}

}  // namespace convscope::nmp
