// Modules that rearrange, pad and enlarge.

#include <algorithm>

#include <fmt/format.h>

#include "core/readers/torch7/modules.h"

namespace convscope::readers::torch7 {
namespace {

using network::Attributes;

/// The sizes of a frame that View or Reshape asks for: a -1 at the front stands for the batch if more follow.
std::optional<Integers> frame_sizes(const ModuleContext& context) {
  auto sizes = integers_of(context.shop.tables, context.field("size"));
  if (!sizes || sizes->empty()) return std::nullopt;
  if (sizes->size() > 1 && sizes->front() == -1 && !context.has("numInputDims")) sizes->erase(sizes->begin());
  for (const std::int64_t size : *sizes)
    if (size < -1 || size > network::element_cap) return std::nullopt;
  return std::count(sizes->begin(), sizes->end(), -1) > 1 ? std::nullopt : sizes;
}

/// Pads of rows and columns around the last two dimensions, from fields pad_t, pad_l, pad_b, pad_r.
Flow spatial_padding(const ModuleContext& context, const char* mode, std::int64_t least) {
  const auto pad = [&](const char* key) { return context.integer(key, 0, least, 1 << 16); };
  const Integers pads{0, 0, pad("pad_t"), pad("pad_l"), 0, 0, pad("pad_b"), pad("pad_r")};
  Attributes attributes;
  attributes.set("mode", std::string(mode));
  return context.node("Pad", {context.operand(), context.list("pads", pads)}, 4, std::move(attributes));
}

}  // namespace

Flow unchanged(const ModuleContext& context) {
  return context.in;
}

Flow view(const ModuleContext& context) {
  const auto sizes = frame_sizes(context);
  if (!sizes) {
    context.error("its sizes are missing or don't make sense", "sizes of at least 0, one of them -1 at most");
    return {};
  }
  if (sizes->size() == 1) {
    Attributes axis;
    axis.set("axis", std::int64_t{1});
    return context.node("Flatten", {context.operand()}, 2, std::move(axis));
  }
  Integers shape{0};  // copies the batch
  shape.insert(shape.end(), sizes->begin(), sizes->end());
  const int rank = static_cast<int>(shape.size());
  return context.node("Reshape", {context.operand(), context.list("shape", shape)}, rank);
}

Flow zero_padding(const ModuleContext& context) {
  return spatial_padding(context, "constant", -(1 << 16));  // negative ones crop
}

Flow reflection_padding(const ModuleContext& context) {
  return spatial_padding(context, "reflect", 0);
}

Flow replication_padding(const ModuleContext& context) {
  return spatial_padding(context, "edge", 0);
}

/// At one end of one dimension: before it if the number is negative, else behind.
Flow padding(const ModuleContext& context) {
  const std::int64_t count = context.integer("pad", std::nullopt, -(1 << 20), 1 << 20);
  const std::int64_t axis = batch_axis(context.integer("dim", std::nullopt, 1, 8), context.has("nInputDim"));
  if (context.integer("index", 1, -(1 << 20), 1 << 20) != 1 || context.in.rank < 0) return context.opaque();
  if (axis >= context.in.rank) {
    context.error(fmt::format("dimension {} of an input of {}", axis + 1, context.in.rank));
    return {};
  }
  const auto rank = static_cast<std::size_t>(context.in.rank);
  Integers pads(2 * rank, 0);
  pads[static_cast<std::size_t>(axis) + (count > 0 ? rank : 0)] = count < 0 ? -count : count;
  const int list = context.list("pads", pads), value = context.scalar("value", context.real("value", 0));
  return context.node("Pad", {context.operand(), list, value}, context.in.rank);
}

Flow nearest_upsampling(const ModuleContext& context) {
  const auto factor = static_cast<float>(context.integer("scale_factor", std::nullopt, 1, 4096));
  Attributes attributes;
  attributes.set("mode", std::string("nearest"));
  attributes.set("coordinate_transformation_mode", std::string("asymmetric"));
  attributes.set("nearest_mode", std::string("floor"));
  const int scales = context.shop.graph.floats(context.name + "/scales", {4}, {1, 1, factor, factor});
  return context.node("Resize", {context.operand(), -1, scales}, 4, std::move(attributes));
}

Flow pixel_shuffle(const ModuleContext& context) {
  Attributes attributes;
  attributes.set("blocksize", context.integer("upscaleFactor", std::nullopt, 1, 4096));
  attributes.set("mode", std::string("CRD"));
  return context.node("DepthToSpace", {context.operand()}, 4, std::move(attributes));
}

}  // namespace convscope::readers::torch7
