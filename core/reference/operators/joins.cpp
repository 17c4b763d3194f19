// Operators that join, divide, repeat and pad tensors.

#include <algorithm>

#include "core/reference/operators/call.h"

namespace convscope::reference {
namespace {

/// Copies `count` elements along the axis of one tensor to another; both are seen along that axis.
void copy_part(const FloatTensor& from, const AxisView& source, std::int64_t from_first, FloatTensor& to,
               const AxisView& target, std::int64_t to_first, std::int64_t count) {
  for (std::int64_t o = 0; o < source.outer; ++o) {
    const auto first = from.values.begin() + (o * source.size + from_first) * source.inner;
    std::copy(first, first + count * source.inner, to.values.begin() + (o * target.size + to_first) * target.inner);
  }
}

bool run_concat(Call& call) {
  FloatTensor& out = call.out();
  const auto axis = network::normal_axis(call.attributes().integer("axis", 1), out.dimensions.size());
  std::int64_t at = 0;
  for (const FloatTensor* input : call.inputs) {
    if (!axis || !input || input->dimensions.size() != out.dimensions.size()) return call.fail("its inputs don't fit");
    const AxisView source = along(input->dimensions, *axis);
    copy_part(*input, source, 0, out, along(out.dimensions, *axis), at, source.size);
    at += source.size;
  }
  return true;
}

bool run_split(Call& call) {
  const FloatTensor& data = call.in();
  const auto axis = network::normal_axis(call.attributes().integer("axis", 0), data.dimensions.size());
  std::int64_t at = 0;
  for (FloatTensor& out : call.outputs) {
    if (!axis || out.dimensions.size() != data.dimensions.size())
      return call.fail("has an output that it doesn't divide");
    const AxisView target = along(out.dimensions, *axis);
    copy_part(data, along(data.dimensions, *axis), at, out, target, 0, target.size);
    at += target.size;
  }
  return true;
}

/// Where an index beyond an axis takes its value from; -1 for the constant.
std::int64_t source_index(std::int64_t index, std::int64_t size, const std::string& mode) {
  if (index >= 0 && index < size) return index;
  if (mode == "constant" || size == 0) return -1;
  if (mode == "edge") return index < 0 ? 0 : size - 1;
  if (mode == "wrap") return (index % size + size) % size;
  const std::int64_t period = 2 * (size - 1);  // reflect: the edge itself isn't repeated
  if (period == 0) return 0;
  const std::int64_t at = (index % period + period) % period;
  return at < size ? at : period - at;
}

/// f(index along each axis of the output) chooses an index of the input, or -1; axis by axis, so that only lists of
/// indices are made.
template <typename F>
void copy_by_axis(const FloatTensor& in, FloatTensor& out, double otherwise, F f) {
  const std::size_t rank = out.dimensions.size();
  const Dimensions strides = strides_of(in.dimensions);
  Dimensions index(rank, 0);
  for (double& value : out.values) {
    std::int64_t from = 0;
    for (std::size_t axis = 0; axis < rank && from >= 0; ++axis) {
      const std::int64_t source = f(axis, index[axis]);
      from = source < 0 ? -1 : from + source * strides[axis];
    }
    value = from < 0 ? otherwise : in.values[as_size(from)];
    for (std::size_t axis = rank; axis > 0 && ++index[axis - 1] == out.dimensions[axis - 1]; --axis)
      index[axis - 1] = 0;
  }
}

Dimensions list_of(const Call& call, std::size_t input) {
  Dimensions result;
  if (const FloatTensor* tensor = call.input(input)) {
    for (const double value : tensor->values) result.push_back(network::saturating_integer(value));
  }
  return result;
}

/// Pads before each axis; those after follow from the output's size.
Dimensions pads_before(const Call& call, std::size_t rank) {
  const network::Attributes& attributes = call.attributes();
  Dimensions stated = attributes.has("paddings") ? attributes.integers("paddings")
                      : attributes.has("pads")   ? attributes.integers("pads")
                                                 : list_of(call, 1);
  const Dimensions axes = list_of(call, 3);
  if (axes.empty()) return stated;
  Dimensions before(rank, 0);
  for (std::size_t i = 0; i < axes.size() && i < stated.size(); ++i) {
    if (const auto axis = network::normal_axis(axes[i], rank)) before[*axis] = stated[i];
  }
  return before;
}

bool run_pad(Call& call) {
  const FloatTensor& data = call.in();
  const Dimensions before = pads_before(call, data.dimensions.size());
  if (before.size() < data.dimensions.size()) return call.fail("it has too few pads");
  const std::string mode = call.attributes().text("mode", "constant");
  if (mode != "constant" && mode != "edge" && mode != "reflect" && mode != "wrap")
    return call.fail("the reference doesn't know its mode '" + mode + "'");
  const double value = call.attributes().has("value") ? call.attributes().real("value", 0) : call.scalar(2, 0);
  copy_by_axis(data, call.out(), value, [&](std::size_t axis, std::int64_t index) {
    return source_index(index - before[axis], data.dimensions[axis], mode);
  });
  return true;
}

bool run_tile(Call& call) {
  const Dimensions& size = call.in().dimensions;
  copy_by_axis(call.in(), call.out(), 0, [&](std::size_t axis, std::int64_t index) { return index % size[axis]; });
  return true;
}

}  // namespace

void add_joins(OperatorTable& table) {
  table["Concat"] = {run_concat};
  table["Split"] = {run_split};
  table["Pad"] = {run_pad};
  table["Tile"] = {run_tile, 2};
}

}  // namespace convscope::reference
