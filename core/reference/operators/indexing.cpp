// Operators that pick elements by index or by value.

#include <algorithm>
#include <numeric>

#include "core/reference/operators/call.h"

namespace convscope::reference {
namespace {

std::optional<std::size_t> axis_of(Call& call, std::int64_t fallback, std::size_t rank) {
  const auto axis = network::normal_axis(call.attributes().integer("axis", fallback), rank);
  if (!axis) call.fail("'axis' is beyond its input");
  return axis;
}

/// Index counted from the end if negative; nothing, with the call's problem, if beyond.
std::optional<std::int64_t> position(Call& call, double index, std::int64_t size) {
  const auto at = network::normal_axis(network::saturating_integer(index), as_size(size));
  if (at) return static_cast<std::int64_t>(*at);
  call.fail("index " + std::to_string(network::saturating_integer(index)) + " of " + std::to_string(size) +
            " elements");
  return std::nullopt;
}

bool run_gather(Call& call) {
  const FloatTensor &data = call.in(0), &indices = call.in(1);
  const auto axis = axis_of(call, 0, data.dimensions.size());
  if (!axis) return false;
  const AxisView view = along(data.dimensions, *axis);
  const auto count = static_cast<std::int64_t>(indices.values.size());
  for (std::int64_t i = 0; i < count; ++i) {
    const auto index = position(call, indices.values[as_size(i)], view.size);
    if (!index) return false;
    for (std::int64_t o = 0; o < view.outer; ++o) {
      const auto first = data.values.begin() + (o * view.size + *index) * view.inner;
      std::copy(first, first + view.inner, call.out().values.begin() + (o * count + i) * view.inner);
    }
  }
  return true;
}

/// Calls f(position in the data, position in the indices) with the index along one axis taken from the indices.
template <typename F>
bool for_each_index(Call& call, const FloatTensor& data, const FloatTensor& indices, F f) {
  const auto axis = axis_of(call, 0, data.dimensions.size());
  if (!axis) return false;
  bool fits = indices.dimensions.size() == data.dimensions.size();
  for (std::size_t i = 0; fits && i < data.dimensions.size(); ++i)
    fits = i == *axis || indices.dimensions[i] <= data.dimensions[i];
  if (!fits) return call.fail("its indices don't fit its input");
  Dimensions steps = strides_of(data.dimensions);
  const std::int64_t step = steps[*axis];
  steps[*axis] = 0;
  std::size_t next = 0;
  bool good = true;
  walk<1>(indices.dimensions, {steps}, [&](const auto& at) {
    const auto index = good ? position(call, indices.values[next], data.dimensions[*axis]) : std::nullopt;
    good = good && index;
    if (good) f(as_size(at[0] + *index * step), next);
    ++next;
  });
  return good;
}

bool run_gather_elements(Call& call) {
  return for_each_index(call, call.in(0), call.in(1),
                        [&](std::size_t from, std::size_t i) { call.out().values[i] = call.in(0).values[from]; });
}

/// How a scattered value meets the one that is there.
std::optional<double (*)(double, double)> reduction_of(Call& call) {
  const std::string name = call.attributes().text("reduction", "none");
  if (name == "none") return [](double, double value) { return value; };
  if (name == "add") return [](double old, double value) { return old + value; };
  if (name == "mul") return [](double old, double value) { return old * value; };
  if (name == "max") return [](double old, double value) { return std::max(old, value); };
  if (name == "min") return [](double old, double value) { return std::min(old, value); };
  call.fail("the reference doesn't know its reduction '" + name + "'");
  return std::nullopt;
}

bool run_scatter_elements(Call& call) {
  const auto reduce = reduction_of(call);
  if (!reduce) return false;
  if (call.in(1).values.size() != call.in(2).values.size())
    return call.fail("its indices and updates differ in number");
  call.out().values = call.in(0).values;
  return for_each_index(call, call.in(0), call.in(1), [&](std::size_t to, std::size_t i) {
    call.out().values[to] = (*reduce)(call.out().values[to], call.in(2).values[i]);
  });
}

/// Start of the slice that the k-th tuple of indices names, from `first_axis` on.
std::optional<std::int64_t> tuple_offset(Call& call, const FloatTensor& data, const FloatTensor& indices, std::size_t k,
                                         std::size_t first_axis) {
  const Dimensions strides = strides_of(data.dimensions);
  const auto depth = as_size(indices.dimensions.back());
  std::int64_t offset = 0;
  for (std::size_t i = 0; i < depth; ++i) {
    const auto index = position(call, indices.values[k * depth + i], data.dimensions[first_axis + i]);
    if (!index) return std::nullopt;
    offset += *index * strides[first_axis + i];
  }
  return offset;
}

bool run_gather_nd(Call& call) {
  const FloatTensor &data = call.in(0), &indices = call.in(1);
  const auto batch = as_size(call.attributes().integer("batch_dims", 0));
  const auto depth = as_size(indices.dimensions.back());
  const std::int64_t slice = network::product(data.dimensions, batch + depth, data.dimensions.size());
  const std::int64_t batches = network::product(data.dimensions, 0, batch);
  const std::int64_t tuples = network::product(indices.dimensions, 0, indices.dimensions.size() - 1);
  if (batches == 0 || tuples % batches != 0) return call.fail("its indices don't fit its input");
  const std::int64_t per_batch = network::product(data.dimensions, batch, data.dimensions.size());
  for (std::int64_t k = 0; k < tuples; ++k) {
    const auto offset = tuple_offset(call, data, indices, as_size(k), batch);
    if (!offset) return false;
    const auto first = data.values.begin() + k / (tuples / batches) * per_batch + *offset;
    std::copy(first, first + slice, call.out().values.begin() + k * slice);
  }
  return true;
}

bool run_scatter_nd(Call& call) {
  const FloatTensor &data = call.in(0), &indices = call.in(1), &updates = call.in(2);
  const auto reduce = reduction_of(call);
  if (!reduce) return false;
  const auto rank = static_cast<std::int64_t>(data.dimensions.size());
  if (indices.dimensions.empty() || indices.dimensions.back() > rank)
    return call.fail("its indices don't fit its input");
  const auto slice =
      as_size(network::product(data.dimensions, as_size(indices.dimensions.back()), data.dimensions.size()));
  const auto tuples = as_size(network::product(indices.dimensions, 0, indices.dimensions.size() - 1));
  if (updates.values.size() != tuples * slice) return call.fail("its updates don't fit its indices");
  call.out().values = data.values;
  for (std::size_t k = 0; k < tuples; ++k) {
    const auto offset = tuple_offset(call, data, indices, k, 0);
    if (!offset) return false;
    for (std::size_t i = 0; i < slice; ++i) {
      double& value = call.out().values[as_size(*offset) + i];
      value = (*reduce)(value, updates.values[k * slice + i]);
    }
  }
  return true;
}

/// Inputs: indices, depth, [off, on].
bool run_one_hot(Call& call) {
  const FloatTensor& indices = call.in(0);
  if (call.in(2).values.size() != 2) return call.fail("wants two values: off and on");
  const auto axis = axis_of(call, -1, call.out().dimensions.size());
  if (!axis) return false;
  const AxisView view = along(call.out().dimensions, *axis);
  std::fill(call.out().values.begin(), call.out().values.end(), call.in(2).values[0]);
  for (std::size_t i = 0; i < indices.values.size(); ++i) {
    const auto hot = network::normal_axis(network::saturating_integer(indices.values[i]), as_size(view.size));
    const std::int64_t outer = static_cast<std::int64_t>(i) / view.inner,
                       inner = static_cast<std::int64_t>(i) % view.inner;
    if (hot)  // indices beyond are off everywhere
      call.out().values[as_size((outer * view.size + static_cast<std::int64_t>(*hot)) * view.inner + inner)] =
          call.in(2).values[1];
  }
  return true;
}

/// Positions along one line in the order wanted: by value, then by position.
std::vector<std::size_t> sorted_positions(const std::vector<double>& values, std::size_t first, std::size_t step,
                                          std::size_t size, bool largest) {
  std::vector<std::size_t> order(size);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const double left = values[first + a * step], right = values[first + b * step];
    return largest ? left > right : left < right;
  });
  return order;
}

bool run_top_k(Call& call) {
  const FloatTensor& data = call.in();
  const auto axis = axis_of(call, -1, data.dimensions.size());
  if (!axis) return false;
  const AxisView view = along(data.dimensions, *axis), kept = along(call.out().dimensions, *axis);
  const bool largest = call.attributes().integer("largest", 1) != 0;
  for (std::int64_t line = 0; line < view.outer * view.inner; ++line) {
    const std::int64_t o = line / view.inner, n = line % view.inner;
    const auto order = sorted_positions(data.values, as_size(o * view.size * view.inner + n), as_size(view.inner),
                                        as_size(view.size), largest);
    for (std::int64_t k = 0; k < kept.size; ++k) {
      const auto to = as_size((o * kept.size + k) * kept.inner + n);
      const auto from = static_cast<std::int64_t>(order[as_size(k)]);
      call.out().values[to] = data.values[as_size((o * view.size + from) * view.inner + n)];
      if (call.outputs.size() > 1 && !call.out(1).values.empty()) call.out(1).values[to] = static_cast<double>(from);
    }
  }
  return true;
}

bool run_cumulative_sum(Call& call) {
  const FloatTensor& data = call.in();
  const auto axis = network::normal_axis(network::saturating_integer(call.scalar(1, 0)), data.dimensions.size());
  if (!axis) return call.fail("its axis is beyond its input");
  const bool exclusive = call.attributes().integer("exclusive", 0) != 0;
  const bool reverse = call.attributes().integer("reverse", 0) != 0;
  const AxisView view = along(data.dimensions, *axis);
  for (std::int64_t line = 0; line < view.outer * view.inner; ++line) {
    double sum = 0;
    for (std::int64_t k = 0; k < view.size; ++k) {
      const std::int64_t i = reverse ? view.size - 1 - k : k;
      const auto at = as_size((line / view.inner * view.size + i) * view.inner + line % view.inner);
      call.out().values[at] = exclusive ? sum : sum + data.values[at];
      sum += data.values[at];
    }
  }
  return true;
}

}  // namespace

void add_indexing(OperatorTable& table) {
  table["Gather"] = {run_gather, 2};
  table["GatherElements"] = {run_gather_elements, 2};
  table["GatherND"] = {run_gather_nd, 2};
  table["Scatter"] = table["ScatterElements"] = {run_scatter_elements, 3};
  table["ScatterND"] = {run_scatter_nd, 3};
  table["OneHot"] = {run_one_hot, 3};
  table["TopK"] = {run_top_k};
  table["CumSum"] = {run_cumulative_sum, 2};
}

}  // namespace convscope::reference
