// Sections without values: pooling, and what joins, cuts and enlarges feature maps.

#include <algorithm>

#include <fmt/format.h>

#include "core/readers/darknet/layers.h"

namespace convscope::readers::darknet {
namespace {

using network::Attributes;
using network::unknown_dimension;

/// Zeros before and after an axis that give Darknet's number of positions, (size + padding - kernel) / stride + 1, with
/// half the padding before; zeros that no window reads are left out.
Window pool_window(std::int64_t size, std::int64_t kernel, std::int64_t stride, std::int64_t padding) {
  Window window{kernel, stride, 1, padding / 2, padding - padding / 2};
  const std::int64_t positions = window_positions(size, window);
  if (positions > 0) window.after = std::max<std::int64_t>(0, (positions - 1) * stride + kernel - size - window.before);
  return window;
}

Output pool(const LayerContext& context, const std::string& operator_name) {
  const Output in = context.as_maps(context.in);
  const Options& options = context.options;
  const std::int64_t stride = options.integer("stride", 1, {1, 1 << 16});
  const std::int64_t stride_y = options.integer("stride_y", stride, {1, 1 << 16});
  const std::int64_t stride_x = options.integer("stride_x", stride, {1, 1 << 16});
  const std::int64_t size = options.integer("size", stride, {1, 1 << 16});
  const std::int64_t padding = options.integer("padding", size - 1, {0, 1 << 16});
  const Window y = pool_window(in.maps.height, size, stride_y, padding);
  const Window x = pool_window(in.maps.width, size, stride_x, padding);
  Output out{-1, {in.maps.maps, window_positions(in.maps.height, y), window_positions(in.maps.width, x)}};
  if (out.maps.height == 0 || out.maps.width == 0) {
    context.error(
        fmt::format("its window of {0} x {0} does not fit into {1} x {2} pixels", size, in.maps.height, in.maps.width));
    return {};
  }
  Attributes attributes;
  attributes.set("kernel_shape", std::vector<std::int64_t>{size, size});
  attributes.set("strides", std::vector<std::int64_t>{stride_y, stride_x});
  attributes.set("pads", std::vector<std::int64_t>{y.before, x.before, y.after, x.after});
  out.tensor = context.node(operator_name, {in.tensor}, out, std::move(attributes));
  return out;
}

/// Maps [first, first + count) of an output.
Output slice_maps(const LayerContext& context, const Output& whole, std::int64_t first, std::int64_t count,
                  const std::string& suffix) {
  const std::string name = context.name + "/" + suffix;
  Output part{-1, {count, whole.maps.height, whole.maps.width}};
  part.tensor = context.node(
      "Slice",
      {whole.tensor, context.graph.integers(name + "/starts", {first}),
       context.graph.integers(name + "/ends", {first + count}), context.graph.integers(name + "/axes", {1})},
      part, {}, suffix);
  return part;
}

/// The part of a source that a route takes: one of several equal groups of maps.
Output route_part(const LayerContext& context, const Output& source, std::int64_t groups, std::int64_t group,
                  std::size_t position) {
  if (groups == 1 || source.maps.maps < 0) return source;
  if (source.maps.maps % groups != 0) {
    context.error(fmt::format("{} groups do not divide {} maps", groups, source.maps.maps));
    return {};
  }
  const std::int64_t count = source.maps.maps / groups;
  return slice_maps(context, source, group * count, count, fmt::format("group {}", position));
}

bool same_pixels(const Maps& a, const Maps& b) {
  const auto equal = [](std::int64_t p, std::int64_t q) { return p < 0 || q < 0 || p == q; };
  return equal(a.height, b.height) && equal(a.width, b.width);
}

Output join(const LayerContext& context, const std::vector<Output>& parts) {
  Output out{-1, parts.front().maps};
  std::vector<int> inputs;
  out.maps.maps = 0;
  for (const Output& part : parts) {
    inputs.push_back(part.tensor);
    if (!same_pixels(part.maps, out.maps)) {
      context.error(fmt::format("it joins maps of {} x {} and {} x {} pixels", out.maps.height, out.maps.width,
                                part.maps.height, part.maps.width),
                    "maps of one size");
      return {};
    }
    out.maps.maps = part.maps.maps < 0 || out.maps.maps < 0 ? unknown_dimension : out.maps.maps + part.maps.maps;
  }
  Attributes attributes;
  attributes.set("axis", std::int64_t{1});
  out.tensor = context.node("Concat", std::move(inputs), out, std::move(attributes));
  return out;
}

/// Every `stride`-th pixel of as many maps as both have, filled up with zeros: what Darknet adds when sizes differ
/// (shortcut_cpu in blas.c). An unknown output if the source is the smaller one.
Output fitted(const LayerContext& context, Output source, const Maps& wanted) {
  const std::int64_t stride = source.maps.width / std::max<std::int64_t>(1, wanted.width);
  const bool shrinks = stride >= 1 && source.maps.height / std::max<std::int64_t>(1, wanted.height) == stride &&
                       (source.maps.height + stride - 1) / stride >= wanted.height &&
                       (source.maps.width + stride - 1) / stride >= wanted.width;
  if (!shrinks) return {};
  const std::string name = context.name + "/subsample";
  const std::int64_t maps = std::min(source.maps.maps, wanted.maps);
  Output part{-1, {maps, wanted.height, wanted.width}};
  part.tensor = context.node(
      "Slice",
      {source.tensor, context.graph.integers(name + "/starts", {0, 0, 0}),
       context.graph.integers(name + "/ends",
                              {maps, (wanted.height - 1) * stride + 1, (wanted.width - 1) * stride + 1}),
       context.graph.integers(name + "/axes", {1, 2, 3}), context.graph.integers(name + "/steps", {1, stride, stride})},
      part, {}, "subsample");
  if (maps == wanted.maps) return part;
  Output filled{-1, wanted};
  const int pads = context.graph.integers(context.name + "/pads", {0, 0, 0, 0, 0, wanted.maps - maps, 0, 0});
  filled.tensor = context.node("Pad", {part.tensor, pads}, filled, {}, "pad");
  return filled;
}

bool plain_shortcut(const LayerContext& context) {
  const std::string weighting = context.options.text("weights_type", "none");
  return weighting == "none" && context.options.real("alpha", 1) == 1 && context.options.real("beta", 1) == 1;
}

}  // namespace

Output max_pool(const LayerContext& context) {
  return pool(context, "MaxPool");
}

Output local_average_pool(const LayerContext& context) {
  return pool(context, "AveragePool");
}

Output global_average_pool(const LayerContext& context) {
  const Output in = context.as_maps(context.in);
  Output out{-1, {in.maps.maps, 1, 1}};
  out.tensor = context.node("GlobalAveragePool", {in.tensor}, out);
  return out;
}

Output route(const LayerContext& context) {
  const std::vector<std::int64_t> sources = context.options.integers("layers");
  const std::int64_t groups = context.options.integer("groups", 1, {1, 1 << 24});
  const std::int64_t group = context.options.integer("group_id", 0, {0, groups - 1});
  if (sources.empty()) context.error("option 'layers' is missing", "layers=-1,8");
  std::vector<Output> parts;
  for (const std::int64_t source : sources) {
    const Output found = context.as_maps(context.output_of(source, "layers"));
    const Output part = route_part(context, found, groups, group, parts.size());
    if (part.tensor < 0) return {};
    parts.push_back(part);
  }
  if (parts.empty()) return {};
  if (parts.size() > 1) return join(context, parts);
  Output out = parts.front();
  out.tensor = context.node("Identity", {out.tensor}, out);
  return out;
}

Output shortcut(const LayerContext& context) {
  Output out = context.as_maps(context.in);
  std::vector<int> inputs{out.tensor};
  if (!context.options.has("from")) context.error("option 'from' is missing", "from=-3");
  for (const std::int64_t index : context.options.integers("from")) {
    Output source = context.as_maps(context.output_of(index, "from"));
    if (source.tensor < 0) return {};
    const bool sizes_known = source.maps.known() && out.maps.known();
    if (plain_shortcut(context) && sizes_known && source.maps != out.maps) source = fitted(context, source, out.maps);
    inputs.push_back(source.tensor >= 0 ? source.tensor : context.output_of(index, "from").tensor);
    if (source.tensor < 0 || !plain_shortcut(context)) {
      context.report.note(context.section.line, fmt::format("layer '{}'", context.name),
                          "a weighted or enlarging shortcut is shown, but has no counterpart in ONNX");
      if (context.options.has("weights_type")) context.weights.give_up();
      return context.opaque(std::move(inputs), out.maps);
    }
  }
  const bool pair = inputs.size() == 2;
  out.tensor = context.node(pair ? "Add" : "Sum", std::move(inputs), out);
  return activate(context, out, context.options.text("activation", "linear"));
}

Output scale_channels(const LayerContext& context) {
  const Output factors = context.as_maps(context.in);
  const Output source =
      context.as_maps(context.output_of(context.options.integer("from", -1, {-(1 << 20), 1 << 20}), "from"));
  if (source.tensor < 0) return {};
  if (source.maps.known() && factors.maps.known() && source.maps.maps != factors.maps.maps) {
    context.error(fmt::format("{} factors scale {} maps", factors.maps.maps, source.maps.maps), "one factor a map");
    return {};
  }
  Output out = source;
  out.tensor = context.node("Mul", {source.tensor, factors.tensor}, out);
  return activate(context, out, context.options.text("activation", "linear"));
}

Output upsample(const LayerContext& context) {
  const Output in = context.as_maps(context.in);
  const std::int64_t stride = context.options.integer("stride", 2, {-65536, 65536});
  const bool scaled = context.options.real("scale", 1) != 1;
  if (stride < 1 || scaled) return other(context);
  const auto enlarged = [&](std::int64_t size) { return size < 0 ? size : size * stride; };
  Output out{-1, {in.maps.maps, enlarged(in.maps.height), enlarged(in.maps.width)}};
  Attributes attributes;
  attributes.set("mode", std::string("nearest"));
  attributes.set("coordinate_transformation_mode", std::string("asymmetric"));
  attributes.set("nearest_mode", std::string("floor"));
  const auto factor = static_cast<float>(stride);
  const int scales = context.graph.floats(context.name + "/scales", {4}, {1, 1, factor, factor});
  out.tensor = context.node("Resize", {in.tensor, -1, scales}, out, std::move(attributes));
  return out;
}

/// A centred part of the image, as in inference; then 2 x - 1, unless noadjust is set (crop_layer.c).
Output crop(const LayerContext& context) {
  const Output in = context.as_maps(context.in);
  if (!in.maps.known()) return other(context);
  Output out{-1,
             {in.maps.maps, context.options.integer("crop_height", 1, {1, in.maps.height}),
              context.options.integer("crop_width", 1, {1, in.maps.width})}};
  const std::int64_t top = (in.maps.height - out.maps.height) / 2, left = (in.maps.width - out.maps.width) / 2;
  const auto list = [&](const char* name, std::vector<std::int64_t> values) {
    return context.graph.integers(context.name + "/" + name, values);
  };
  out.tensor = context.node("Slice",
                            {in.tensor, list("starts", {top, left}),
                             list("ends", {top + out.maps.height, left + out.maps.width}), list("axes", {2, 3})},
                            out);
  if (context.options.integer("noadjust", 0, {0, 1}) != 0) return out;
  const auto scalar = [&](const char* name, float value) {
    return context.graph.floats(context.name + "/" + name, {}, {value});
  };
  out.tensor = context.node("Mul", {out.tensor, scalar("two", 2)}, out, {}, "scale");
  out.tensor = context.node("Sub", {out.tensor, scalar("one", 1)}, out, {}, "shift");
  return out;
}

/// Pixels become maps, in an order that is Darknet's own (reorg_cpu in blas.c), so ONNX's SpaceToDepth is another.
Output reorganization(const LayerContext& context) {
  const Output in = context.as_maps(context.in);
  const std::int64_t stride = context.options.integer("stride", 1, {1, 4096});
  const bool reversed = context.options.integer("reverse", 0, {0, 1}) != 0;
  if (!in.maps.known() || context.options.integer("flatten", 0, {0, 1}) != 0 || context.options.has("extra"))
    return context.opaque({in.tensor}, {});
  const std::int64_t area = stride * stride;
  const bool divides = reversed ? in.maps.maps % area == 0 : in.maps.height % stride + in.maps.width % stride == 0;
  if (!divides) {
    context.error(fmt::format("a stride of {} does not divide {} maps of {} x {} pixels", stride, in.maps.maps,
                              in.maps.height, in.maps.width));
    return {};
  }
  const Maps out = reversed ? Maps{in.maps.maps / area, in.maps.height * stride, in.maps.width * stride}
                            : Maps{in.maps.maps * area, in.maps.height / stride, in.maps.width / stride};
  return context.opaque({in.tensor}, out);
}

}  // namespace convscope::readers::darknet
