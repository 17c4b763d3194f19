// Operators that rearrange and reduce.

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/readers/graphdef/operators.h"
#include "core/readers/graphdef/shape_numbers.h"

namespace convscope::readers::graphdef {
namespace {

using network::Attributes;

/// Axes as ONNX's attribute has them, sorted; nothing if one is beyond the rank or there twice.
std::optional<Integers> axes_in(Layout layout, const Integers& axes, std::size_t rank) {
  Integers result;
  for (const std::int64_t axis : axes) {
    const auto absolute = absolute_axis(axis, rank);
    if (!absolute) return std::nullopt;
    result.push_back(axis_in(layout, *absolute));
  }
  std::sort(result.begin(), result.end());
  if (std::adjacent_find(result.begin(), result.end()) != result.end()) return std::nullopt;
  return result;
}

/// Whether what is left of maps that stand first, without some axes, is in the file's order.
bool stays_in_order(const Integers& removed) {
  const auto left = [&](std::int64_t axis) { return std::count(removed.begin(), removed.end(), axis) == 0; };
  return !left(1) || !(left(2) || left(3));
}

/// A shape without, or with ones in place of, some axes of the file's order.
network::TensorShape without(const network::TensorShape& shape, const Integers& axes, bool keeps) {
  network::TensorShape result{true, {}, {}};
  for (std::size_t i = 0; i < shape.dimensions.size(); ++i) {
    const bool gone = std::count(axes.begin(), axes.end(), static_cast<std::int64_t>(i)) > 0;
    if (!gone || keeps) result.dimensions.push_back(gone ? 1 : shape.dimensions[i]);
  }
  return result;
}

/// Where an operator that drops axes finds them: in maps that stand first, if what is left is in order.
Layout layout_to_drop(const Value& in, const Integers& axes) {
  if (!in.is_maps()) return Layout::file_order;
  const auto moved = axes_in(Layout::maps_first, axes, 4);
  return moved && stays_in_order(*moved) ? Layout::maps_first : Layout::file_order;
}

/// ONNX's numbers for a Reshape: 0 copies a dimension. Nothing if more than one isn't known.
std::optional<Integers> onnx_shape(const Integers& dimensions, const network::TensorShape& from) {
  Integers wanted = dimensions;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const bool same = i == 0 && from.known && !from.dimensions.empty() && from.dimensions[0] == wanted[0];
    if (same && (wanted[i] > 0 || wanted[i] == open_batch))
      wanted[i] = 0;
    else if (wanted[i] == 0)
      return std::nullopt;
    else
      wanted[i] = std::max<std::int64_t>(wanted[i], -1);
  }
  if (std::count(wanted.begin(), wanted.end(), -1) > 1) return std::nullopt;
  return wanted;
}

}  // namespace

bool reshape(const OperatorContext& context) {
  const auto wanted = context.inputs() == 2 ? numbers_of(context.input(1)) : std::nullopt;
  if (!wanted || wanted->size() > largest_rank) return false;
  Value& in = context.input(0);
  auto dimensions = reshaped_dimensions(in.shape, *wanted);
  if (!dimensions) {
    Integers stated_numbers;
    for (const ShapeNumber& number : *wanted) stated_numbers.push_back(number.value);
    context.error(fmt::format("{} can't become {}", fmt::join(stated(in.shape, false).dimensions, " x "),
                              fmt::join(stated_numbers, " x ")),
                  "as many elements");
    return true;
  }
  const auto shape = onnx_shape(*dimensions, in.shape);
  if (!shape) return false;
  const int source = context.to.in_any_shape(in);
  const int target = context.constant("shape", *shape);
  context.finish("Reshape", {source, target}, {}, Layout::file_order, {true, *std::move(dimensions), {}});
  return true;
}

bool squeeze(const OperatorContext& context) {
  if (context.inputs() != 1 || !context.input(0).shape.known) return false;
  Value& in = context.input(0);
  const std::size_t rank = in.shape.dimensions.size();
  Integers named = context.source.integers("squeeze_dims");
  if (named.empty()) named = context.source.integers("axis");
  if (named.empty())
    for (std::size_t i = 0; i < rank; ++i)
      if (in.shape.dimensions[i] == 1) named.push_back(static_cast<std::int64_t>(i));
  const auto axes = axes_in(Layout::file_order, named, rank);
  if (!axes) {
    context.error(fmt::format("axes {} of {} dimensions", fmt::join(named, ", "), rank));
    return true;
  }
  const Layout layout = layout_to_drop(in, *axes);
  const int source = context.operand(in, layout);
  const int where = context.constant("axes", *axes_in(layout, *axes, rank));
  context.finish("Squeeze", {source, where}, {}, Layout::file_order, without(in.shape, *axes, false));
  return true;
}

bool expand_dimensions(const OperatorContext& context) {
  const auto named = context.inputs() == 2 ? context.integers(1, 1) : std::nullopt;
  if (!named || named->size() != 1) return false;
  Value& in = context.input(0);
  if (!in.shape.known) {
    const int source = context.to.in_file_order(in);
    context.finish("Unsqueeze", {source, context.constant("axes", *named)}, {}, Layout::file_order, {});
    return true;
  }
  const std::size_t rank = in.shape.dimensions.size();
  const auto axis = absolute_axis(named->front(), rank + 1);
  if (!axis || rank >= largest_rank) {
    context.error(fmt::format("a new axis {} in {} dimensions", named->front(), rank));
    return true;
  }
  network::TensorShape shape = in.shape;
  shape.dimensions.insert(shape.dimensions.begin() + static_cast<std::ptrdiff_t>(*axis), 1);
  const int source = context.to.in_file_order(in);
  const int where = context.constant("axes", {static_cast<std::int64_t>(*axis)});
  context.finish("Unsqueeze", {source, where}, {}, Layout::file_order, std::move(shape));
  return true;
}

/// Between the two layouts of maps nothing is moved: a value can stand in both.
bool transpose(const OperatorContext& context) {
  const auto order = context.integers(1, largest_rank);
  if (context.inputs() != 2 || !order || !context.input(0).shape.known) return false;
  Value& in = context.input(0);
  const std::size_t rank = in.shape.dimensions.size();
  Integers sorted = *order;
  std::sort(sorted.begin(), sorted.end());
  bool fits = order->size() == rank;
  for (std::size_t i = 0; fits && i < rank; ++i) fits = sorted[i] == static_cast<std::int64_t>(i);
  if (!fits) {
    context.error(fmt::format("it orders {} dimensions as {}", rank, fmt::join(*order, ", ")));
    return true;
  }
  network::TensorShape shape{true, {}, {}};
  for (const std::int64_t axis : *order)
    shape.dimensions.push_back(in.shape.dimensions[static_cast<std::size_t>(axis)]);
  const bool to_maps_first = *order == maps_first && in.with_maps_first >= 0;
  const bool to_maps_last = *order == maps_last && in.in_file_order >= 0;
  if (to_maps_first || to_maps_last) {
    const Value source = in;
    Value& made = context.to.make(context.index);
    made.shape = std::move(shape);
    made.type = source.type;
    if (to_maps_first) made.in_file_order = source.with_maps_first;
    if (to_maps_last) made.with_maps_first = source.in_file_order;
    return true;
  }
  const Layout layout = layout_of(in);
  Integers moved;
  for (const std::int64_t axis : *order) moved.push_back(axis_in(layout, static_cast<std::size_t>(axis)));
  Attributes attributes;
  attributes.set("perm", std::move(moved));
  const int source = context.operand(in, layout);
  context.finish("Transpose", {source}, std::move(attributes), Layout::file_order, std::move(shape));
  return true;
}

bool reduction(const OperatorContext& context) {
  const auto named = context.inputs() == 2 ? context.integers(1, largest_rank) : std::nullopt;
  if (!named || !context.input(0).shape.known) return false;
  Value& in = context.input(0);
  const std::size_t rank = in.shape.dimensions.size();
  const bool keeps = context.source.boolean("keep_dims", context.source.boolean("keepdims", false));
  const auto axes = axes_in(Layout::file_order, *named, rank);
  if (!axes) {
    context.error(fmt::format("axes {} of {} dimensions", fmt::join(*named, ", "), rank));
    return true;
  }
  const Layout layout = keeps ? layout_of(in) : layout_to_drop(in, *axes);
  std::vector<int> operands{context.operand(in, layout)};
  Attributes attributes;
  attributes.set("keepdims", std::int64_t{keeps ? 1 : 0});
  // Opset 13 moved the axes of sums into an input.
  if (context.source.operator_name == "Sum")
    operands.push_back(context.constant("axes", *axes_in(layout, *axes, rank)));
  else
    attributes.set("axes", *axes_in(layout, *axes, rank));
  context.finish("Reduce" + context.source.operator_name, std::move(operands), std::move(attributes),
                 keeps ? layout : Layout::file_order, without(in.shape, *axes, keeps));
  return true;
}

bool resize(const OperatorContext& context) {
  const auto size = context.inputs() == 2 ? context.integers(1, 2) : std::nullopt;
  if (!size || size->size() != 2) return false;
  Value& in = context.input(0);
  if (in.shape.known && !in.has_rank(4)) return false;
  for (const std::int64_t pixels : *size) {
    if (pixels >= 1 && pixels <= (1 << 20)) continue;
    context.error(fmt::format("its size is {}", fmt::join(*size, " x ")), "1 to 1048576");
    return true;
  }
  const bool linear = context.source.operator_name == "ResizeBilinear";
  const bool aligned = context.source.boolean("align_corners", false);
  const bool centred = context.source.boolean("half_pixel_centers", false);
  const int maps = context.to.with_maps_first(in);
  Attributes attributes;
  attributes.set("mode", std::string(linear ? "linear" : "nearest"));
  attributes.set("coordinate_transformation_mode", std::string(aligned   ? "align_corners"
                                                               : centred ? "half_pixel"
                                                                         : "asymmetric"));
  if (!linear) attributes.set("nearest_mode", std::string(aligned || centred ? "round_prefer_ceil" : "floor"));
  attributes.set("axes", Integers{2, 3});
  network::TensorShape shape = in.shape;
  shape.dimensions[1] = (*size)[0];
  shape.dimensions[2] = (*size)[1];
  const int sizes = context.constant("sizes", *size);
  context.finish("Resize", {maps, -1, -1, sizes}, std::move(attributes), Layout::maps_first, std::move(shape));
  return true;
}

}  // namespace convscope::readers::graphdef
