#include <algorithm>
#include <cmath>
#include <limits>

#include "core/reference/operators/space.h"

namespace convscope::reference {
namespace {

/// Calls f(index in the map, or -1 for a pad) for each tap of the window at output `o` that lies within the padded
/// input; taps behind it, where ceil_mode lets a window end, don't exist.
template <typename F>
void for_each_tap(const Kernel& kernel, const Triple& in, const Triple& o, F f) {
  const std::int64_t taps = kernel.size[0] * kernel.size[1] * kernel.size[2];
  for (std::int64_t tap = 0; tap < taps; ++tap) {
    const Triple k{tap / (kernel.size[1] * kernel.size[2]), tap / kernel.size[2] % kernel.size[1],
                   tap % kernel.size[2]};
    Triple i{};
    bool inside = true, exists = true;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      i[axis] = o[axis] * kernel.stride[axis] + k[axis] * kernel.dilation[axis] - kernel.begin[axis];
      inside = inside && i[axis] >= 0 && i[axis] < in[axis];
      exists = exists && i[axis] < in[axis] + kernel.end[axis];
    }
    if (exists) f(inside ? (i[0] * in[1] + i[1]) * in[2] + i[2] : -1);
  }
}

/// Calls f(first element of the input's map, its number among all maps, output position, output index).
template <typename F>
void for_each_window(const FloatTensor& data, const FloatTensor& out, F f) {
  const Triple in = space_of(data.dimensions), size = space_of(out.dimensions);
  const std::int64_t in_map = in[0] * in[1] * in[2], out_map = size[0] * size[1] * size[2];
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(out.values.size()); ++i) {
    const std::int64_t map = i / out_map, pixel = i % out_map;
    f(map * in_map, Triple{pixel / (size[1] * size[2]), pixel / size[2] % size[1], pixel % size[2]}, as_size(i));
  }
}

/// Position in a tensor whose maps are stored column by column.
std::int64_t column_major(std::int64_t index, const Triple& in) {
  const std::int64_t x = index % in[2], y = index / in[2] % in[1], z = index / (in[1] * in[2]);
  return (x * in[1] + y) * in[0] + z;
}

bool run_max_pool(Call& call) {
  const FloatTensor& data = call.in();
  const auto kernel = kernel_of(call, {}, data.dimensions);
  if (!kernel) return false;
  const Triple in = space_of(data.dimensions);
  const bool by_column = call.attributes().integer("storage_order", 0) != 0;
  const bool wants_index = call.outputs.size() > 1 && call.out(1).values.size() == call.out().values.size();
  for_each_window(data, call.out(), [&](std::int64_t map, const Triple& o, std::size_t i) {
    double largest = -std::numeric_limits<double>::infinity();
    std::int64_t where = 0;
    for_each_tap(*kernel, in, o, [&](std::int64_t index) {
      if (index < 0) return;
      const double value = data.values[as_size(map + index)];
      if (value > largest || std::isnan(value)) {
        largest = value;
        where = index;
      }
    });
    call.out().values[i] = largest;
    if (wants_index) call.out(1).values[i] = static_cast<double>(map + (by_column ? column_major(where, in) : where));
  });
  return true;
}

bool run_average_pool(Call& call) {
  const FloatTensor& data = call.in();
  const auto kernel = kernel_of(call, {}, data.dimensions);
  if (!kernel) return false;
  const Triple in = space_of(data.dimensions);
  const bool count_pads = call.attributes().integer("count_include_pad", 0) != 0;
  for_each_window(data, call.out(), [&](std::int64_t map, const Triple& o, std::size_t i) {
    double sum = 0;
    std::int64_t count = 0;
    for_each_tap(*kernel, in, o, [&](std::int64_t index) {
      if (index >= 0) sum += data.values[as_size(map + index)];
      count += index >= 0 || count_pads;
    });
    call.out().values[i] = count > 0 ? sum / static_cast<double>(count) : 0;
  });
  return true;
}

/// (sum of |x|^p)^(1/p)
bool run_lp_pool(Call& call) {
  const FloatTensor& data = call.in();
  const auto kernel = kernel_of(call, {}, data.dimensions);
  if (!kernel) return false;
  const Triple in = space_of(data.dimensions);
  const auto power = static_cast<double>(call.attributes().integer("p", 2));
  for_each_window(data, call.out(), [&](std::int64_t map, const Triple& o, std::size_t i) {
    double sum = 0;
    for_each_tap(*kernel, in, o, [&](std::int64_t index) {
      if (index >= 0) sum += std::pow(std::abs(data.values[as_size(map + index)]), power);
    });
    call.out().values[i] = std::pow(sum, 1 / power);
  });
  return true;
}

bool run_global_average_pool(Call& call) {
  const FloatTensor& data = call.in();
  const std::int64_t pixels = network::product(data.dimensions, 2, data.dimensions.size());
  if (pixels == 0) return call.fail("averages nothing");
  for (std::size_t i = 0; i < data.values.size(); ++i) call.out().values[i / as_size(pixels)] += data.values[i];
  for (double& value : call.out().values) value /= static_cast<double>(pixels);
  return true;
}

bool run_global_max_pool(Call& call) {
  const FloatTensor& data = call.in();
  const auto pixels = as_size(network::product(data.dimensions, 2, data.dimensions.size()));
  if (pixels == 0) return call.fail("looks for the largest of nothing");
  for (std::size_t map = 0; map < call.out().values.size(); ++map) {
    const auto first = data.values.begin() + static_cast<std::ptrdiff_t>(map * pixels);
    call.out().values[map] = *std::max_element(first, first + static_cast<std::ptrdiff_t>(pixels));
  }
  return true;
}

}  // namespace

void add_pools(OperatorTable& table) {
  table["MaxPool"] = {run_max_pool, 1};
  table["AveragePool"] = {run_average_pool, 1};
  table["LpPool"] = {run_lp_pool, 1};
  table["GlobalAveragePool"] = {run_global_average_pool, 1};
  table["GlobalMaxPool"] = {run_global_max_pool, 1};
}

}  // namespace convscope::reference
