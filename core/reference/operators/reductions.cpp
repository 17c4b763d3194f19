#include <cmath>
#include <limits>

#include "core/reference/operators/call.h"

namespace convscope::reference {
namespace {

std::vector<bool> reduced_axes(const Call& call) {
  const std::size_t rank = call.in().dimensions.size();
  Dimensions axes = call.attributes().integers("axes");
  const FloatTensor* stated = call.attributes().has("axes") ? nullptr : call.input(1);
  if (stated) {
    for (const double axis : stated->values) axes.push_back(network::saturating_integer(axis));
  }
  const bool none = axes.empty() && call.attributes().integer("noop_with_empty_axes", 0) != 0;
  std::vector<bool> reduced(rank, axes.empty() && !none);
  for (const std::int64_t axis : axes) {
    if (const auto position = network::normal_axis(axis, rank)) reduced[*position] = true;
  }
  return reduced;
}

/// out = f(out, x) for each element x and the output that it belongs to.
template <typename F>
void reduce(const FloatTensor& data, const std::vector<bool>& reduced, FloatTensor& out, double start, F f) {
  Dimensions kept;
  for (std::size_t i = 0; i < reduced.size(); ++i) kept.push_back(reduced[i] ? 1 : data.dimensions[i]);
  std::fill(out.values.begin(), out.values.end(), start);
  std::size_t next = 0;
  walk<1>(data.dimensions, {stretched_strides(kept, data.dimensions)}, [&](const auto& at) {
    double& value = out.values[as_size(at[0])];
    value = f(value, data.values[next++]);
  });
}

template <typename F>
bool reduce_from(Call& call, double start, F f) {
  reduce(call.in(), reduced_axes(call), call.out(), start, f);
  return true;
}

bool run_sum(Call& call) {
  return reduce_from(call, 0, [](double sum, double x) { return sum + x; });
}

bool run_mean(Call& call) {
  run_sum(call);
  const double count = static_cast<double>(call.in().values.size()) / static_cast<double>(call.out().values.size());
  for (double& value : call.out().values) value /= count;
  if (!is_real(call.out().type)) {
    for (double& value : call.out().values) value = std::trunc(value);
  }
  return true;
}

bool run_max(Call& call) {
  return reduce_from(call, range_of(call.in().type).least,
                     [](double best, double x) { return std::isnan(x) || x > best ? x : best; });
}

bool run_min(Call& call) {
  return reduce_from(call, range_of(call.in().type).largest,
                     [](double best, double x) { return std::isnan(x) || x < best ? x : best; });
}

bool run_product(Call& call) {
  return reduce_from(call, 1, [](double product, double x) { return product * x; });
}

bool run_l1(Call& call) {
  return reduce_from(call, 0, [](double sum, double x) { return sum + std::abs(x); });
}

bool run_sum_square(Call& call) {
  return reduce_from(call, 0, [](double sum, double x) { return sum + x * x; });
}

bool run_l2(Call& call) {
  run_sum_square(call);
  for (double& value : call.out().values) value = std::sqrt(value);
  return true;
}

bool run_log_sum(Call& call) {
  run_sum(call);
  for (double& value : call.out().values) value = std::log(value);
  return true;
}

/// log(sum of exp(x)), kept from overflowing by the largest x.
bool run_log_sum_exp(Call& call) {
  run_max(call);
  FloatTensor sums = call.out();
  const std::vector<double> largest = call.out().values;
  const std::vector<bool> reduced = reduced_axes(call);
  Dimensions kept;
  for (std::size_t i = 0; i < reduced.size(); ++i) kept.push_back(reduced[i] ? 1 : call.in().dimensions[i]);
  std::fill(sums.values.begin(), sums.values.end(), 0.0);
  std::size_t next = 0;
  walk<1>(call.in().dimensions, {stretched_strides(kept, call.in().dimensions)}, [&](const auto& at) {
    sums.values[as_size(at[0])] += std::exp(call.in().values[next++] - largest[as_size(at[0])]);
  });
  for (std::size_t i = 0; i < sums.values.size(); ++i) call.out().values[i] = largest[i] + std::log(sums.values[i]);
  return true;
}

/// Position of the largest (sign 1) or smallest (-1); the first of equals, or the last with select_last_index.
bool run_arg(Call& call, double sign) {
  const FloatTensor& data = call.in();
  const auto axis = network::normal_axis(call.attributes().integer("axis", 0), data.dimensions.size());
  if (!axis) return call.fail("'axis' is beyond its input");
  const bool last = call.attributes().integer("select_last_index", 0) != 0;
  const AxisView view = along(data.dimensions, *axis);
  for (std::int64_t line = 0; line < view.outer * view.inner; ++line) {
    double best = -std::numeric_limits<double>::infinity();
    for (std::int64_t i = 0; i < view.size; ++i) {
      const auto at = as_size((line / view.inner * view.size + i) * view.inner + line % view.inner);
      const double value = sign * data.values[at];
      if (!(value > best || (last && value == best))) continue;
      best = value;
      call.out().values[as_size(line)] = static_cast<double>(i);
    }
  }
  return true;
}

bool run_arg_max(Call& call) {
  return run_arg(call, 1);
}

bool run_arg_min(Call& call) {
  return run_arg(call, -1);
}

}  // namespace

void add_reductions(OperatorTable& table) {
  table["ReduceSum"] = {run_sum};
  table["ReduceMean"] = {run_mean};
  table["ReduceMax"] = {run_max};
  table["ReduceMin"] = {run_min};
  table["ReduceProd"] = {run_product};
  table["ReduceL1"] = {run_l1};
  table["ReduceL2"] = {run_l2};
  table["ReduceSumSquare"] = {run_sum_square};
  table["ReduceLogSum"] = {run_log_sum};
  table["ReduceLogSumExp"] = {run_log_sum_exp};
  table["ArgMax"] = {run_arg_max};
  table["ArgMin"] = {run_arg_min};
}

}  // namespace convscope::reference
