// Layers that join, cut and rearrange.

#include <algorithm>

#include <fmt/format.h>

#include "core/readers/caffe/layers.h"

namespace convscope::readers::caffe {
namespace {

using network::Attributes;
using network::unknown_dimension;
using Integers = std::vector<std::int64_t>;

/// Dimensions that Reshape asks for, with what 0 and -1 stand for worked out as far as the input is known.
BlobShape reshaped(const LayerContext& context, const Integers& wanted) {
  Integers shape = wanted;
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (shape[i] == 0) shape[i] = context.bottom().dimension(i);
  const auto open = std::find(wanted.begin(), wanted.end(), -1);
  if (open == wanted.end() || !context.bottom().shape) return shape;
  auto& inferred = shape[static_cast<std::size_t>(open - wanted.begin())];
  inferred = 1;
  const auto others = element_count(shape);
  const auto whole = element_count(*context.bottom().shape);
  inferred = unknown_dimension;
  if (!others || !whole || *others == 0) return shape;
  if (*whole % *others != 0)
    context.error(fmt::format("{} values cannot be reshaped into parts of {}", *whole, *others));
  inferred = *whole / *others;
  return shape;
}

Blob reshape_to(const LayerContext& context, const Integers& wanted, BlobShape shape) {
  return context.node("Reshape", {context.bottom().tensor, context.list("shape", wanted)}, std::move(shape));
}

Attributes nearest_pixels() {
  Attributes attributes;
  attributes.set("mode", std::string("nearest"));
  attributes.set("coordinate_transformation_mode", std::string("asymmetric"));
  attributes.set("nearest_mode", std::string("floor"));
  return attributes;
}

/// Sizes of the parts that slice points cut; without points, equal ones.
Integers part_sizes(const LayerContext& context, std::int64_t whole, const Integers& points) {
  const auto count = static_cast<std::int64_t>(context.tops.size());
  if (count == 0) context.error("it has no tops", "one for each part");
  if (count == 0) return {};
  if (points.empty()) {
    if (whole >= 0 && whole % count != 0) context.error(fmt::format("{} tops do not divide {}", count, whole));
    return Integers(context.tops.size(), whole < 0 ? unknown_dimension : whole / count);
  }
  Integers sizes;
  std::int64_t last = 0;
  for (const std::int64_t point : points) {
    if (point <= last) context.error(fmt::format("slice point {} follows {}", point, last), "rising slice points");
    sizes.push_back(point - last);
    last = point;
  }
  sizes.push_back(whole < 0 ? unknown_dimension : whole - last);
  if (sizes.size() != context.tops.size() || (whole >= 0 && sizes.back() <= 0))
    context.error(fmt::format("{} slice points cut {} values for {} tops", points.size(), whole, context.tops.size()));
  return sizes;
}

}  // namespace

std::vector<Blob> concat(const LayerContext& context) {
  const Fields parameters = context.fields.sub("concat_param");
  const std::size_t axis = context.axis(parameters.integer("axis", parameters.integer("concat_dim", 1, 0, 8), -8, 8));
  BlobShape shape = context.bottom().shape;
  std::vector<int> inputs{context.bottom().tensor};
  for (std::size_t i = 1; i < context.bottoms.size(); ++i) {
    const Blob& bottom = context.bottoms[i];
    inputs.push_back(bottom.tensor);
    if (!bottom.shape) shape.reset();
    if (!shape) continue;
    if (bottom.shape->size() != shape->size()) {
      context.error("its bottoms have different numbers of dimensions");
      return {{}};
    }
    for (std::size_t d = 0; d < shape->size(); ++d) {
      const std::int64_t other = (*bottom.shape)[d];
      std::int64_t& own = (*shape)[d];
      if (d == axis) {
        own = own < 0 || other < 0 ? unknown_dimension : own + other;
      } else if (own >= 0 && other >= 0 && own != other) {
        context.error(fmt::format("dimension {} of its bottoms is {} and {}", d, own, other), "equal ones");
        return {{}};
      }
    }
  }
  Attributes attributes;
  attributes.set("axis", static_cast<std::int64_t>(axis));
  return {context.node("Concat", std::move(inputs), shape, attributes)};
}

std::vector<Blob> slice(const LayerContext& context) {
  const Fields parameters = context.fields.sub("slice_param");
  const std::size_t axis = context.axis(parameters.integer("axis", parameters.integer("slice_dim", 1, 0, 8), -8, 8));
  const std::int64_t whole = context.bottom().dimension(axis);
  const Integers sizes = part_sizes(context, whole, parameters.integers("slice_point", 1, std::int64_t{1} << 32));
  if (context.report.any_error()) return std::vector<Blob>(context.tops.size());
  const bool known = std::all_of(sizes.begin(), sizes.end(), [](std::int64_t size) { return size > 0; });
  std::vector<int> inputs{context.bottom().tensor};
  if (known) inputs.push_back(context.list("sizes", sizes));
  std::vector<Blob> blobs;
  std::vector<int> outputs;
  for (std::size_t i = 0; i < context.tops.size(); ++i) {
    BlobShape shape = context.bottom().shape;
    if (shape) (*shape)[axis] = sizes[i];
    blobs.push_back({context.graph.tensor(context.tops[i]), shape});
    outputs.push_back(blobs.back().tensor);
  }
  Attributes attributes;
  attributes.set("axis", static_cast<std::int64_t>(axis));
  context.graph.node_to({"Split", context.name, inputs, attributes, {}, context.line}, outputs);
  return blobs;
}

/// Copies for several readers.
std::vector<Blob> split(const LayerContext& context) {
  std::vector<Blob> blobs;
  for (const std::string& top : context.tops) {
    const int tensor =
        context.graph.node({"Identity", context.name, {context.bottom().tensor}, {}, {}, context.line}, {}, top);
    blobs.push_back({tensor, context.bottom().shape});
  }
  return blobs;
}

std::vector<Blob> reshape(const LayerContext& context) {
  const Fields parameters = context.fields.sub("reshape_param");
  const Integers wanted = parameters.sub("shape").integers("dim", -1, std::int64_t{1} << 34);
  const bool partial = parameters.integer("axis", 0, -8, 8) != 0 || parameters.integer("num_axes", -1, -1, 8) != -1;
  if (partial || wanted.empty() || wanted.size() > 8 || std::count(wanted.begin(), wanted.end(), -1) > 1) {
    if (!partial) context.error("reshape_param.shape has no dimensions, more than 8, or more than one -1");
    return context.opaque();
  }
  return {reshape_to(context, wanted, reshaped(context, wanted))};
}

std::vector<Blob> flatten(const LayerContext& context) {
  const Fields parameters = context.fields.sub("flatten_param");
  const std::size_t axis = context.axis(parameters.integer("axis", 1, -8, 8));
  if (parameters.integer("end_axis", -1, -8, 8) != -1) return context.opaque();
  Integers wanted(axis, 0);
  wanted.push_back(-1);
  if (axis != 1) return {reshape_to(context, wanted, reshaped(context, wanted))};
  Attributes attributes;
  attributes.set("axis", std::int64_t{1});
  return {context.node("Flatten", {context.bottom().tensor}, reshaped(context, wanted), attributes)};
}

std::vector<Blob> permute(const LayerContext& context) {
  Integers order = context.fields.sub("permute_param").integers("order", 0, 7);
  const std::size_t rank =
      context.bottom().shape ? context.bottom().shape->size() : std::max<std::size_t>(4, order.size());
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const auto value = static_cast<std::int64_t>(axis);
    if (std::find(order.begin(), order.end(), value) == order.end()) order.push_back(value);
  }
  Integers sorted = order;
  std::sort(sorted.begin(), sorted.end());
  const bool repeats = std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
  if (repeats || order.size() != rank) {
    context.error("its order repeats an axis, or names one that its input doesn't have");
    return {{}};
  }
  BlobShape shape;
  if (context.bottom().shape) {
    shape = Integers{};
    for (const std::int64_t axis : order) shape->push_back(context.bottom().dimension(static_cast<std::size_t>(axis)));
  }
  Attributes attributes;
  attributes.set("perm", order);
  return {context.node("Transpose", {context.bottom().tensor}, shape, attributes)};
}

/// Bilinear, corners aligned (the Interp layer of DeepLab and PSPNet).
std::vector<Blob> interpolation(const LayerContext& context) {
  const Fields parameters = context.fields.sub("interp_param");
  const BlobShape& in = context.bottom().shape;
  const bool padded =
      parameters.integer("pad_beg", 0, -4096, 0) != 0 || parameters.integer("pad_end", 0, -4096, 0) != 0;
  if (!in || in->size() != 4 || (*in)[2] < 1 || (*in)[3] < 1 || padded || context.bottoms.size() != 1)
    return context.opaque();
  const std::int64_t shrink = parameters.integer("shrink_factor", 1, 1, 4096);
  const std::int64_t zoom = parameters.integer("zoom_factor", 1, 1, 4096);
  const auto scaled = [&](std::int64_t size) {
    const std::int64_t shrunk = (size - 1) / shrink + 1;
    return shrunk + (shrunk - 1) * (zoom - 1);
  };
  const std::int64_t height = parameters.integer("height", scaled((*in)[2]), 1, 1 << 20);
  const std::int64_t width = parameters.integer("width", scaled((*in)[3]), 1, 1 << 20);
  const auto share = [](std::int64_t out, std::int64_t whole) {
    return static_cast<float>(static_cast<double>(out) / static_cast<double>(whole));
  };
  Attributes attributes;
  attributes.set("mode", std::string("linear"));
  attributes.set("coordinate_transformation_mode", std::string("align_corners"));
  // Scales leave batch and maps alone; the rounding in inference must not lose a pixel.
  const auto scale = [&](std::int64_t out, std::int64_t whole) { return share(out, whole) * (1 + 1e-6f); };
  const int scales =
      context.graph.floats(context.name + "/scales", {4}, {1, 1, scale(height, (*in)[2]), scale(width, (*in)[3])});
  return {context.node("Resize", {context.bottom().tensor, -1, scales}, Integers{(*in)[0], (*in)[1], height, width},
                       attributes)};
}

std::vector<Blob> upsample(const LayerContext& context) {
  const std::int64_t factor = context.fields.sub("upsample_param").integer("scale", 2, 1, 4096);
  if (context.bottoms.size() != 1 || (context.bottom().shape && context.bottom().shape->size() != 4))
    return context.opaque();  // with a second bottom: places of maxima
  const auto value = static_cast<float>(factor);
  BlobShape shape = context.bottom().shape;
  for (std::size_t i = 2; shape && i < 4; ++i)
    if ((*shape)[i] >= 0) (*shape)[i] *= factor;
  const int scales = context.graph.floats(context.name + "/scales", {4}, {1, 1, value, value});
  return {context.node("Resize", {context.bottom().tensor, -1, scales}, shape, nearest_pixels())};
}

/// The part of the first bottom that is as large as the second, from `axis` on.
std::vector<Blob> crop(const LayerContext& context) {
  const Fields parameters = context.fields.sub("crop_param");
  if (context.bottoms.size() != 2) {
    context.error(fmt::format("it has {} bottoms", context.bottoms.size()), "two");
    return {{}};
  }
  const BlobShape &in = context.bottom().shape, &like = context.bottoms[1].shape;
  const Integers offsets = parameters.integers("offset", 0, 1 << 20);
  const std::size_t first = context.axis(parameters.integer("axis", 2, -8, 8));
  if (!in || !like || in->size() != like->size()) return context.opaque();
  Integers shape = *in, starts, ends, axes;
  for (std::size_t axis = first; axis < in->size(); ++axis) {
    const std::size_t position = offsets.size() == 1 ? 0 : axis - first;
    const std::int64_t offset = position < offsets.size() ? offsets[position] : 0;
    shape[axis] = (*like)[axis];
    if (shape[axis] < 0 || (*in)[axis] < 0) return context.opaque();
    if (offset + shape[axis] > (*in)[axis])
      context.error(
          fmt::format("{} values from {} on exceed the {} of axis {}", shape[axis], offset, (*in)[axis], axis));
    starts.push_back(offset);
    ends.push_back(offset + shape[axis]);
    axes.push_back(static_cast<std::int64_t>(axis));
  }
  return {context.node(
      "Slice",
      {context.bottom().tensor, context.list("starts", starts), context.list("ends", ends), context.list("axes", axes)},
      shape)};
}

/// Maps as (group, rest), transposed, and back (ShuffleNet).
std::vector<Blob> shuffle_channels(const LayerContext& context) {
  const std::int64_t group = context.fields.sub("shuffle_channel_param").integer("group", 1, 1, 1 << 20);
  const BlobShape& in = context.bottom().shape;
  if (!in || in->size() != 4 || (*in)[1] < 1 || (*in)[2] < 1 || (*in)[3] < 1) return context.opaque();
  if ((*in)[1] % group != 0) {
    context.error(fmt::format("{} groups do not divide {} maps", group, (*in)[1]));
    return {{}};
  }
  const std::int64_t rest = (*in)[1] / group;
  const Blob parted = context.step(
      "part", "Reshape", {context.bottom().tensor, context.list("parts", {0, group, rest, (*in)[2], (*in)[3]})},
      std::nullopt);
  Attributes order;
  order.set("perm", Integers{0, 2, 1, 3, 4});
  const Blob turned = context.step("transpose", "Transpose", {parted.tensor}, std::nullopt, order);
  return {context.node("Reshape", {turned.tensor, context.list("shape", {0, (*in)[1], (*in)[2], (*in)[3]})}, in)};
}

}  // namespace convscope::readers::caffe
