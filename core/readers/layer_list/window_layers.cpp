// Layers whose window slides over the maps, and fully connected ones.

#include <algorithm>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/readers/layer_list/layers.h"

namespace convscope::readers::layer_list {
namespace {

using network::Attributes;
using Integers = std::vector<std::int64_t>;

constexpr std::int64_t largest_maps = 1 << 24;

struct Geometry {
  Extent kernel, stride, dilation;
  Window rows, columns;
};

/// Attribute `pad`: "1", "1x2", four numbers "top left bottom right", or "same": as many outputs as strides, an odd
/// zero below and on the right.
void read_padding(const LayerContext& context, Geometry& geometry) {
  Element& element = context.element;
  const std::vector<std::string> words = element.words("pad");
  if (words.size() == 1 && words.front() == "same") {
    const auto fit = [](Window& window, std::int64_t size) {
      const std::int64_t outputs = (size + window.stride - 1) / window.stride;
      const std::int64_t needed = std::max<std::int64_t>(0, (outputs - 1) * window.stride + window.extent() - size);
      window.before = needed / 2;
      window.after = needed - needed / 2;
    };
    fit(geometry.rows, context.in().maps.height);
    fit(geometry.columns, context.in().maps.width);
  } else if (words.size() == 4) {
    Integers zeros;
    for (const std::string& word : words) {
      const auto number = parse_integer<std::int64_t>(word);
      const bool fine = number && *number >= 0 && *number <= 99999;
      if (!fine) element.error(fmt::format("attribute 'pad' has '{}'", word), "an integer from 0 to 99999");
      zeros.push_back(fine ? *number : 0);
    }
    geometry.rows.before = zeros[0];
    geometry.columns.before = zeros[1];
    geometry.rows.after = zeros[2];
    geometry.columns.after = zeros[3];
  } else {
    const Extent pad = element.extent("pad", 0, 0);
    geometry.rows.before = geometry.rows.after = pad.height;
    geometry.columns.before = geometry.columns.after = pad.width;
  }
}

Geometry read_geometry(const LayerContext& context, bool dilated) {
  Element& element = context.element;
  if (!element.has("kernel")) element.error("attribute 'kernel' is missing", "3 or 3x5 (height x width)");
  Geometry geometry;
  geometry.kernel = element.extent("kernel", 1, 1);
  geometry.stride = element.extent("stride", 1, 1);
  if (dilated) geometry.dilation = element.extent("dilation", 1, 1);
  geometry.rows = {geometry.kernel.height, geometry.stride.height, geometry.dilation.height, 0, 0};
  geometry.columns = {geometry.kernel.width, geometry.stride.width, geometry.dilation.width, 0, 0};
  read_padding(context, geometry);
  return geometry;
}

Attributes attributes_of(const Geometry& geometry) {
  Attributes attributes;
  attributes.set("kernel_shape", Integers{geometry.kernel.height, geometry.kernel.width});
  attributes.set("strides", Integers{geometry.stride.height, geometry.stride.width});
  attributes.set("dilations", Integers{geometry.dilation.height, geometry.dilation.width});
  attributes.set("pads",
                 Integers{geometry.rows.before, geometry.columns.before, geometry.rows.after, geometry.columns.after});
  return attributes;
}

bool is_stack(const LayerContext& context) {
  if (!context.in().flat) return true;
  context.element.error("its input is a vector", "feature maps with rows and columns");
  return false;
}

bool check_fit(const LayerContext& context, const Maps& out) {
  if (out.height > 0 && out.width > 0) return true;
  context.element.error(
      fmt::format("its kernel does not fit into {} x {} pixels", context.in().maps.height, context.in().maps.width));
  return false;
}

Maps slid(const LayerContext& context, const Geometry& geometry, std::int64_t maps) {
  return {maps, window_positions(context.in().maps.height, geometry.rows),
          window_positions(context.in().maps.width, geometry.columns)};
}

Output convolve(const LayerContext& context, std::int64_t maps, std::int64_t groups) {
  if (!is_stack(context)) return {};
  const Geometry geometry = read_geometry(context, true);
  const std::int64_t in = context.in().maps.maps;
  if (in % groups != 0 || maps % groups != 0) {
    context.element.error(fmt::format("{} groups divide {} input maps into {} output maps", groups, in, maps),
                          "groups that divide both numbers");
    return {};
  }
  Output out{-1, slid(context, geometry, maps)};
  if (!check_fit(context, out.maps)) return {};
  std::vector<int> operands{context.in().tensor, context.weight("weights", {maps, in / groups, geometry.kernel.height,
                                                                            geometry.kernel.width})};
  if (context.element.flag("bias", true)) operands.push_back(context.weight("biases", {maps}));
  Attributes attributes = attributes_of(geometry);
  attributes.set("group", groups);
  out.tensor = context.node("Conv", std::move(operands), out, std::move(attributes));
  return activate(context, out);
}

/// Positions of a pooling window, rounded up where asked; none may start behind the input and the zeros before it.
std::int64_t pool_positions(std::int64_t size, const Window& window, bool ceil) {
  const std::int64_t room = size + window.before + window.after - window.extent();
  const std::int64_t floored = window_positions(size, window);
  if (!ceil || room < 0 || room % window.stride == 0) return floored;
  return floored * window.stride >= size + window.before ? floored : floored + 1;
}

Output pool(const LayerContext& context, const std::string& operator_name) {
  if (!is_stack(context)) return {};
  const Geometry geometry = read_geometry(context, false);
  const bool ceil = context.element.flag("ceil", false);
  Output out{-1,
             {context.in().maps.maps, pool_positions(context.in().maps.height, geometry.rows, ceil),
              pool_positions(context.in().maps.width, geometry.columns, ceil)}};
  if (!check_fit(context, out.maps)) return {};
  Attributes attributes = attributes_of(geometry);
  attributes.set("ceil_mode", std::int64_t{ceil ? 1 : 0});
  if (operator_name == "AveragePool")
    attributes.set("count_include_pad", std::int64_t{context.element.flag("count_padding", false) ? 1 : 0});
  out.tensor = context.node(operator_name, {context.in().tensor}, out, std::move(attributes));
  return out;
}

Output global_pool(const LayerContext& context, const std::string& operator_name) {
  if (!is_stack(context)) return {};
  Output out{-1, {context.in().maps.maps, 1, 1}};
  out.tensor = context.node(operator_name, {context.in().tensor}, out);
  return out;
}

}  // namespace

Output convolution(const LayerContext& context) {
  const std::int64_t maps = context.element.required("maps", largest_maps);
  return convolve(context, maps, context.element.integer("groups", 1, 1, largest_maps));
}

Output depthwise_convolution(const LayerContext& context) {
  const std::int64_t in = context.in().maps.maps;
  return convolve(context, in * context.element.integer("multiplier", 1, 1, 1024), in);
}

Output transposed_convolution(const LayerContext& context) {
  if (!is_stack(context)) return {};
  const std::int64_t maps = context.element.required("maps", largest_maps);
  const Geometry geometry = read_geometry(context, true);
  const auto enlarged = [](std::int64_t size, const Window& window) {
    return (size - 1) * window.stride + window.extent() - window.before - window.after;
  };
  Output out{
      -1,
      {maps, enlarged(context.in().maps.height, geometry.rows), enlarged(context.in().maps.width, geometry.columns)}};
  if (out.maps.height < 1 || out.maps.width < 1) {
    context.element.error("its padding leaves no pixels");
    return {};
  }
  std::vector<int> operands{
      context.in().tensor,
      context.weight("weights", {context.in().maps.maps, maps, geometry.kernel.height, geometry.kernel.width})};
  if (context.element.flag("bias", true)) operands.push_back(context.weight("biases", {maps}));
  out.tensor = context.node("ConvTranspose", std::move(operands), out, attributes_of(geometry));
  return activate(context, out);
}

Output fully_connected(const LayerContext& context) {
  const std::int64_t maps = context.element.required("maps", 1 << 30);
  Output flat = context.in().flat ? context.in() : flattening(context);
  Output out{-1, {maps, 1, 1}, true};
  std::vector<int> operands{flat.tensor, context.weight("weights", {maps, flat.maps.maps})};
  if (context.element.flag("bias", true)) operands.push_back(context.weight("biases", {maps}));
  Attributes attributes;
  attributes.set("transB", std::int64_t{1});
  out.tensor = context.node("Gemm", std::move(operands), out, std::move(attributes));
  return activate(context, out);
}

Output max_pool(const LayerContext& context) {
  return pool(context, "MaxPool");
}

Output average_pool(const LayerContext& context) {
  return pool(context, "AveragePool");
}

Output global_max_pool(const LayerContext& context) {
  return global_pool(context, "GlobalMaxPool");
}

Output global_average_pool(const LayerContext& context) {
  return global_pool(context, "GlobalAveragePool");
}

}  // namespace convscope::readers::layer_list
