// Operators that put elements elsewhere, or tell about shapes.

#include <algorithm>

#include "core/network/inference/slicing.h"
#include "core/reference/operators/call.h"

namespace convscope::reference {
namespace {

/// Same elements, other shape.
bool run_reshape(Call& call) {
  if (call.in().values.size() != call.out().values.size()) return call.fail("has other elements than its input");
  call.out().values = call.in().values;
  return true;
}

bool run_shape(Call& call) {
  const auto rank = static_cast<std::int64_t>(call.in().dimensions.size());
  std::int64_t start = call.attributes().integer("start", 0);
  if (start < 0) start = std::max<std::int64_t>(0, network::saturating_add(start, rank));
  for (std::size_t i = 0; i < call.out().values.size(); ++i)
    call.out().values[i] = static_cast<double>(call.in().dimensions[as_size(start) + i]);
  return true;
}

bool run_size(Call& call) {
  call.out().values.at(0) = static_cast<double>(call.in().values.size());
  return true;
}

/// The values of ConstantOfShape came with its shape.
bool keep_values(Call&) {
  return true;
}

bool run_range(Call& call) {
  for (std::size_t i = 0; i < call.out().values.size(); ++i)
    call.out().values[i] = call.scalar(0, 0) + static_cast<double>(i) * call.scalar(2, 1);
  return true;
}

/// Copies elements of `in`, from `first` on, in steps per output dimension.
void gather_steps(const FloatTensor& in, std::int64_t first, const Dimensions& steps, FloatTensor& out) {
  std::size_t next = 0;
  walk<1>(out.dimensions, {steps}, [&](const auto& at) { out.values[next++] = in.values[as_size(first + at[0])]; });
}

bool run_transpose(Call& call) {
  const Dimensions& dimensions = call.in().dimensions;
  Dimensions order = call.attributes().integers("perm");
  for (std::size_t i = dimensions.size(); order.size() < dimensions.size() && i > 0; --i)
    order.push_back(static_cast<std::int64_t>(i) - 1);
  const Dimensions strides = strides_of(dimensions);
  Dimensions steps;
  for (const std::int64_t axis : order) steps.push_back(strides[*network::normal_axis(axis, dimensions.size())]);
  gather_steps(call.in(), 0, steps, call.out());
  return true;
}

bool run_expand(Call& call) {
  gather_steps(call.in(), 0, stretched_strides(call.in().dimensions, call.out().dimensions), call.out());
  return true;
}

Dimensions integers_of(const Call& call, const char* attribute, std::size_t input) {
  if (call.attributes().has(attribute)) return call.attributes().integers(attribute);
  Dimensions result;
  if (const FloatTensor* tensor = call.input(input)) {
    for (const double value : tensor->values) result.push_back(network::saturating_integer(value));
  }
  return result;
}

bool run_slice(Call& call) {
  const Dimensions& dimensions = call.in().dimensions;
  const Dimensions starts = integers_of(call, "starts", 1), ends = integers_of(call, "ends", 2);
  const Dimensions axes = integers_of(call, "axes", 3), skips = integers_of(call, "steps", 4);
  const auto as_many = [&](const Dimensions& list) { return list.empty() || list.size() == starts.size(); };
  if (ends.size() != starts.size() || !as_many(axes) || !as_many(skips))
    return call.fail("its starts, ends, axes and steps differ in number");
  Dimensions steps = strides_of(dimensions);
  const Dimensions strides = steps;
  std::int64_t first = 0;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::int64_t stated = axes.empty() ? static_cast<std::int64_t>(i) : axes[i];
    const auto axis = network::normal_axis(stated, dimensions.size());
    const std::int64_t skip = skips.empty() ? 1 : skips[i];
    if (!axis || skip == 0) return call.fail("slices along an axis that it hasn't, or in steps of 0");
    const auto range = network::slice_range(dimensions[*axis], starts[i], ends[i], skip);
    if (range.count == 0) return true;
    first += range.start * strides[*axis];
    steps[*axis] = range.count == 1 ? 0 : range.step * strides[*axis];
  }
  gather_steps(call.in(), first, steps, call.out());
  return true;
}

/// DepthToSpace and back: pixels of blocks are dimensions of their own, in another order.
bool permute_blocks(Call& call, const Dimensions& split, const Dimensions& order) {
  const Dimensions strides = strides_of(split);
  Dimensions sizes, steps;
  for (const std::int64_t axis : order) {
    sizes.push_back(split[as_size(axis)]);
    steps.push_back(strides[as_size(axis)]);
  }
  std::size_t next = 0;
  walk<1>(sizes, {steps}, [&](const auto& at) { call.out().values[next++] = call.in().values[as_size(at[0])]; });
  return true;
}

bool run_depth_to_space(Call& call) {
  const Dimensions& d = call.in().dimensions;
  const std::int64_t block = call.attributes().integer("blocksize", 1);
  const std::int64_t maps = d[1] / (block * block);
  if (call.attributes().text("mode", "DCR") == "CRD")
    return permute_blocks(call, {d[0], maps, block, block, d[2], d[3]}, {0, 1, 4, 2, 5, 3});
  return permute_blocks(call, {d[0], block, block, maps, d[2], d[3]}, {0, 3, 4, 1, 5, 2});
}

bool run_space_to_depth(Call& call) {
  const Dimensions& d = call.in().dimensions;
  const std::int64_t block = call.attributes().integer("blocksize", 1);
  return permute_blocks(call, {d[0], d[1], d[2] / block, block, d[3] / block, block}, {0, 3, 5, 1, 2, 4});
}

}  // namespace

void add_movements(OperatorTable& table) {
  for (const char* name : {"Reshape", "Flatten", "Squeeze", "Unsqueeze"}) table[name] = {run_reshape};
  table["Shape"] = {run_shape};
  table["Size"] = {run_size};
  table["ConstantOfShape"] = {keep_values};
  table["Range"] = {run_range, 3};
  table["Transpose"] = {run_transpose};
  table["Expand"] = {run_expand, 2};
  table["Slice"] = {run_slice};
  table["DepthToSpace"] = {run_depth_to_space};
  table["SpaceToDepth"] = {run_space_to_depth};
}

}  // namespace convscope::reference
