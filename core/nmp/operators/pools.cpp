#include "core/nmp/operators/pools.h"

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
