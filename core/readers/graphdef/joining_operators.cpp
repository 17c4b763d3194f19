// Operators that join, pad and cut.

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/readers/graphdef/operators.h"

namespace convscope::readers::graphdef {
namespace {

using network::Attributes;

constexpr std::int64_t far = std::int64_t{1} << 31;

/// Numbers that stand one an axis, in the order of a layout.
Integers by_axis(Layout layout, const Integers& values) {
  if (layout == Layout::file_order) return values;
  Integers result;
  for (const std::int64_t axis : maps_first) result.push_back(values[static_cast<std::size_t>(axis)]);
  return result;
}

void finish_slice(const OperatorContext& context, Value& in, const Integers& begins, const Integers& ends,
                  const Integers& steps, network::TensorShape shape) {
  const Layout layout = layout_of(in);
  Integers axes(begins.size());
  for (std::size_t i = 0; i < axes.size(); ++i) axes[i] = static_cast<std::int64_t>(i);
  const int maps = context.operand(in, layout);
  const int starts = context.constant("starts", by_axis(layout, begins));
  const int stops = context.constant("ends", by_axis(layout, ends));
  const int along = context.constant("axes", axes);
  const int skips = context.constant("steps", by_axis(layout, steps));
  context.finish("Slice", {maps, starts, stops, along, skips}, {}, layout, std::move(shape));
}

/// How many a slice takes of `size`.
std::int64_t taken(std::int64_t size, std::int64_t begin, std::int64_t end, std::int64_t step) {
  if (size < 0 || step != 1) return network::unknown_dimension;
  const auto place = [&](std::int64_t at) { return std::clamp<std::int64_t>(at < 0 ? at + size : at, 0, size); };
  return std::max<std::int64_t>(place(end) - place(begin), 0);
}

bool is_near(std::int64_t value) {
  return value > -far && value < far;
}

}  // namespace

bool concatenation(const OperatorContext& context) {
  const bool first = context.source.operator_name == "Concat";
  if (context.inputs() < 2) return false;
  const std::size_t from = first ? 1 : 0, to = context.inputs() - (first ? 0 : 1);
  const auto stated_axis = context.integers(first ? 0 : to, 1);
  network::TensorShape shape = context.input(from).shape;
  if (!stated_axis || stated_axis->size() != 1 || !shape.known) return false;
  const auto axis = absolute_axis(stated_axis->front(), shape.dimensions.size());
  if (!axis) {
    context.error(fmt::format("axis {} of {} dimensions", stated_axis->front(), shape.dimensions.size()));
    return true;
  }
  bool maps = false;
  std::int64_t along = 0;
  for (std::size_t i = from; i < to; ++i) {
    const Value& value = context.input(i);
    if (!value.has_rank(shape.dimensions.size())) return false;
    maps = maps || value.is_maps();
    const std::int64_t size = value.shape.dimensions[*axis];
    along = along < 0 || size < 0 ? network::unknown_dimension : std::min(along + size, network::element_cap);
  }
  shape.dimensions[*axis] = along;
  const Layout layout = maps ? Layout::maps_first : Layout::file_order;
  std::vector<int> operands;
  for (std::size_t i = from; i < to; ++i) operands.push_back(context.operand(context.input(i), layout));
  Attributes attributes;
  attributes.set("axis", axis_in(layout, *axis));
  context.finish("Concat", std::move(operands), std::move(attributes), layout, std::move(shape));
  return true;
}

/// Paddings are pairs (before, after), one an axis.
bool pad(const OperatorContext& context) {
  const auto pairs = context.inputs() >= 2 ? context.integers(1) : std::nullopt;
  if (!pairs || !context.input(0).shape.known) return false;
  Value& in = context.input(0);
  network::TensorShape shape = in.shape;
  const std::size_t rank = shape.dimensions.size();
  bool fits = pairs->size() == 2 * rank;
  for (const std::int64_t pixels : *pairs) fits = fits && pixels >= 0 && pixels <= (1 << 20);
  if (!fits) {
    context.error(fmt::format("paddings are {}", fmt::join(*pairs, ", ")),
                  fmt::format("two numbers from 0 to 1048576 for each of {} dimensions", rank));
    return true;
  }
  Integers before, after;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    before.push_back((*pairs)[2 * axis]);
    after.push_back((*pairs)[2 * axis + 1]);
    if (shape.dimensions[axis] >= 0)
      shape.dimensions[axis] += before.back() + after.back();
    else if (before.back() + after.back() > 0)
      shape.dimensions[axis] = network::unknown_dimension;
  }
  Attributes attributes;
  if (context.source.operator_name == "MirrorPad") {
    if (context.source.text("mode", "") != "REFLECT") return false;  // SYMMETRIC repeats the border
    attributes.set("mode", std::string("reflect"));
  }
  const Layout layout = layout_of(in);
  Integers pads = by_axis(layout, before);
  const Integers ends = by_axis(layout, after);
  pads.insert(pads.end(), ends.begin(), ends.end());
  std::vector<int> operands{context.operand(in, layout)};
  operands.push_back(context.constant("pads", pads));
  if (context.source.operator_name == "PadV2" && context.inputs() == 3)
    operands.push_back(context.to.in_file_order(context.input(2)));
  context.finish("Pad", std::move(operands), std::move(attributes), layout, std::move(shape));
  return true;
}

/// Inputs: begins and sizes; a size of -1 reaches to the end.
bool slice(const OperatorContext& context) {
  const auto begins = context.integers(1), sizes = context.integers(2);
  if (context.inputs() != 3 || !begins || !sizes || !context.input(0).shape.known) return false;
  Value& in = context.input(0);
  network::TensorShape shape = in.shape;
  const std::size_t rank = shape.dimensions.size();
  if (begins->size() != rank || sizes->size() != rank || rank == 0) return false;
  Integers ends;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const std::int64_t begin = (*begins)[axis], size = (*sizes)[axis];
    if (begin < 0 || begin >= far || size < -1 || size >= far) return false;
    ends.push_back(size < 0 ? far : begin + size);
    if (begin != 0 || size >= 0) shape.dimensions[axis] = taken(shape.dimensions[axis], begin, ends.back(), 1);
  }
  finish_slice(context, in, *begins, ends, Integers(rank, 1), std::move(shape));
  return true;
}

/// Without ellipsis and new axes; what is shrunk is cut to one and then squeezed away.
bool strided_slice(const OperatorContext& context) {
  auto begins = context.integers(1), ends = context.integers(2);
  const auto steps = context.integers(3);
  if (context.inputs() != 4 || !begins || !ends || !steps || !context.input(0).shape.known) return false;
  Value& in = context.input(0);
  network::TensorShape shape = in.shape;
  const std::size_t rank = shape.dimensions.size(), named = begins->size();
  if (ends->size() != named || steps->size() != named || named > rank || rank == 0) return false;
  const NodeDef& node = context.source;
  if (node.integer("ellipsis_mask", 0) != 0 || node.integer("new_axis_mask", 0) != 0 ||
      node.integer("shrink_axis_mask", 0) != 0)
    return false;
  const auto begin_mask = static_cast<std::uint64_t>(node.integer("begin_mask", 0));
  const auto end_mask = static_cast<std::uint64_t>(node.integer("end_mask", 0));
  Integers all_steps(rank, 1);
  begins->resize(rank, 0);
  ends->resize(rank, far);
  for (std::size_t axis = 0; axis < rank; ++axis) {
    std::int64_t &begin = (*begins)[axis], &end = (*ends)[axis];
    if (axis < named) all_steps[axis] = (*steps)[axis];
    const std::int64_t step = all_steps[axis];
    if (step == 0 || !is_near(step) || !is_near(begin) || !(is_near(end) || end == far)) return false;
    if (axis < named && (begin_mask >> axis & 1) != 0) begin = step > 0 ? 0 : far;
    if (axis < named && (end_mask >> axis & 1) != 0) end = step > 0 ? far : -far;
    if (begin != 0 || end != far || step != 1) shape.dimensions[axis] = taken(shape.dimensions[axis], begin, end, step);
  }
  finish_slice(context, in, *begins, *ends, all_steps, std::move(shape));
  return true;
}

/// Inputs: the axis and what is split, into equal parts.
bool split(const OperatorContext& context) {
  const auto named = context.inputs() == 2 ? context.integers(0, 1) : std::nullopt;
  const std::int64_t parts = context.source.integer("num_split", 0);
  if (!named || named->size() != 1 || !context.input(1).shape.known || parts < 1 || parts > 1024 ||
      context.to.outputs_used(context.index) > parts)
    return false;
  Value& in = context.input(1);
  network::TensorShape shape = in.shape;
  const auto axis = absolute_axis(named->front(), shape.dimensions.size());
  if (!axis) return false;
  std::int64_t& size = shape.dimensions[*axis];
  if (size >= 0 && size % parts != 0) {
    context.error(fmt::format("{} don't split into {} equal parts", size, parts));
    return true;
  }
  size = size < 0 ? network::unknown_dimension : size / parts;
  const Layout layout = layout_of(in);
  const network::ElementType type = in.type;
  const int whole = context.operand(in, layout);
  std::vector<int> outputs;
  for (int part = 0; part < parts; ++part) {
    Value& made = context.to.make(context.index, part);
    made.shape = shape;
    made.type = type;
    outputs.push_back(context.to.graph().tensor(made.name, {}, type));
    (layout == Layout::maps_first ? made.with_maps_first : made.in_file_order) = outputs.back();
  }
  Attributes attributes;
  attributes.set("axis", axis_in(layout, *axis));
  attributes.set("num_outputs", parts);
  context.to.graph().node_to({"Split", context.source.name, {whole}, std::move(attributes), {}, context.source.line},
                             std::move(outputs));
  return true;
}

bool depth_and_space(const OperatorContext& context) {
  const bool to_space = context.source.operator_name == "DepthToSpace";
  const std::int64_t block = context.source.integer("block_size", 0);
  if (context.inputs() != 1 || !context.has_plain_format() || !context.input(0).has_rank(4)) return false;
  if (block < 1 || block > 4096) {
    context.error(fmt::format("block_size is {}", block), "1 to 4096");
    return true;
  }
  Value& in = context.input(0);
  network::TensorShape shape = in.shape;
  const std::size_t channel = context.maps_stand_first() ? 1 : 3, rows = context.maps_stand_first() ? 2 : 1;
  for (const std::size_t axis : {rows, rows + 1, channel}) {
    std::int64_t& size = shape.dimensions[axis];
    const bool grows = (axis == channel) != to_space;
    const std::int64_t factor = axis == channel ? block * block : block;
    if (size >= 0) size = !grows ? size / factor : size > network::element_cap / factor ? -1 : size * factor;
  }
  const auto maps = context.maps(in);
  if (!maps) return false;
  Attributes attributes;
  attributes.set("blocksize", block);
  if (to_space) attributes.set("mode", std::string("DCR"));
  context.finish_maps(context.source.operator_name, {*maps}, std::move(attributes), std::move(shape));
  return true;
}

}  // namespace convscope::readers::graphdef
