#include <algorithm>
#include <cmath>
#include <limits>

#include "core/reference/operators/call.h"

namespace convscope::reference {
namespace {

bool has_channels(Call& call, std::size_t parameters) {
  const FloatTensor& data = call.in();
  if (data.dimensions.size() < 2) return call.fail("its input has no channels");
  for (std::size_t i = 1; i <= parameters; ++i) {
    if (static_cast<std::int64_t>(call.in(i).values.size()) != data.dimensions[1])
      return call.fail("its parameters have not one value per channel");
  }
  return true;
}

/// y = scale * (x - mean) / sqrt(variance + epsilon) + bias, per channel.
bool run_batch_normalization(Call& call) {
  if (call.attributes().integer("training_mode", 0) != 0) return call.fail("the reference doesn't train");
  if (!has_channels(call, 4)) return false;
  const double epsilon = call.attributes().real("epsilon", 1e-5);
  const AxisView view = along(call.in().dimensions, 1);
  for (std::size_t i = 0; i < call.in().values.size(); ++i) {
    const std::size_t c = i / as_size(view.inner) % as_size(view.size);
    const double factor = call.in(1).values[c] / std::sqrt(call.in(4).values[c] + epsilon);
    call.out().values[i] = (call.in().values[i] - call.in(3).values[c]) * factor + call.in(2).values[c];
  }
  return true;
}

/// Makes `count` values from `first` on have mean 0 and variance 1.
void normalize(std::vector<double>& values, std::size_t first, std::size_t count, double epsilon) {
  double sum = 0, squares = 0;
  for (std::size_t i = first; i < first + count; ++i) sum += values[i];
  const double mean = sum / static_cast<double>(count);
  for (std::size_t i = first; i < first + count; ++i) squares += (values[i] - mean) * (values[i] - mean);
  const double factor = 1 / std::sqrt(squares / static_cast<double>(count) + epsilon);
  for (std::size_t i = first; i < first + count; ++i) values[i] = (values[i] - mean) * factor;
}

void scale_channels(Call& call) {
  const AxisView view = along(call.in().dimensions, 1);
  std::vector<double>& values = call.out().values;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t c = i / as_size(view.inner) % as_size(view.size);
    values[i] = values[i] * call.in(1).values[c] + call.in(2).values[c];
  }
}

bool run_instance_normalization(Call& call) {
  if (!has_channels(call, 2)) return false;
  call.out().values = call.in().values;
  const auto pixels = as_size(network::product(call.in().dimensions, 2, call.in().dimensions.size()));
  for (std::size_t first = 0; pixels > 0 && first < call.out().values.size(); first += pixels)
    normalize(call.out().values, first, pixels, call.attributes().real("epsilon", 1e-5));
  scale_channels(call);
  return true;
}

/// Scale and bias per channel (opset 21); the form with one per group (opset 18) is deprecated.
bool run_group_normalization(Call& call) {
  const std::int64_t groups = call.attributes().integer("num_groups", 0);
  if (!has_channels(call, 2)) return false;
  const Dimensions& size = call.in().dimensions;
  if (groups < 1 || size[1] % groups != 0) return call.fail("its channels don't divide into groups");
  call.out().values = call.in().values;
  const auto count = as_size(network::product(size, 1, size.size()) / groups);
  for (std::size_t first = 0; count > 0 && first < call.out().values.size(); first += count)
    normalize(call.out().values, first, count, call.attributes().real("epsilon", 1e-5));
  scale_channels(call);
  return true;
}

/// Across channels: y = x / (bias + alpha / size * sum of squares of the channel's neighbours)^beta.
bool run_lrn(Call& call) {
  const FloatTensor& data = call.in();
  const std::int64_t size = call.attributes().integer("size", 0);
  if (data.dimensions.size() < 2 || size < 1) return call.fail("its input has no channels, or its size is below 1");
  const double alpha = call.attributes().real("alpha", 1e-4), beta = call.attributes().real("beta", 0.75);
  const double bias = call.attributes().real("bias", 1);
  const AxisView view = along(data.dimensions, 1);
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(data.values.size()); ++i) {
    const std::int64_t channel = i / view.inner % view.size;
    const std::int64_t first = std::max<std::int64_t>(0, channel - (size - 1) / 2);
    const std::int64_t last = std::min(view.size - 1, network::saturating_add(channel, size / 2));
    double squares = 0;
    for (std::int64_t c = first; c <= last; ++c) {
      const double value = data.values[as_size(i + (c - channel) * view.inner)];
      squares += value * value;
    }
    call.out().values[as_size(i)] =
        data.values[as_size(i)] / std::pow(bias + alpha / static_cast<double>(size) * squares, beta);
  }
  return true;
}

/// Before opset 13 all dimensions from `axis` (default 1) on were one; since, `axis` (default -1) is alone.
std::optional<AxisView> softmax_view(Call& call) {
  const Dimensions& dimensions = call.in().dimensions;
  const auto axis =
      network::normal_axis(call.attributes().integer("axis", call.before(13) ? 1 : -1), dimensions.size());
  if (!axis) {
    call.fail("'axis' is beyond its input");
    return std::nullopt;
  }
  if (!call.before(13)) return along(dimensions, *axis);
  return AxisView{network::product(dimensions, 0, *axis), network::product(dimensions, *axis, dimensions.size()), 1};
}

/// Calls f(position of the first, distance, size) for each line of elements along the view.
template <typename F>
void for_each_line(const AxisView& view, F f) {
  for (std::int64_t o = 0; o < view.outer; ++o) {
    for (std::int64_t n = 0; n < view.inner && view.size > 0; ++n)
      f(as_size(o * view.size * view.inner + n), as_size(view.inner), as_size(view.size));
  }
}

bool run_softmax_of(Call& call, bool logarithm) {
  const auto view = softmax_view(call);
  if (!view) return false;
  const std::vector<double>& in = call.in().values;
  for_each_line(*view, [&](std::size_t first, std::size_t step, std::size_t size) {
    double largest = in[first], sum = 0;
    for (std::size_t i = 0; i < size; ++i) largest = std::max(largest, in[first + i * step]);
    for (std::size_t i = 0; i < size; ++i) sum += std::exp(in[first + i * step] - largest);
    for (std::size_t i = 0; i < size; ++i) {
      const double power = in[first + i * step] - largest;
      call.out().values[first + i * step] = logarithm ? power - std::log(sum) : std::exp(power) / sum;
    }
  });
  return true;
}

bool run_softmax(Call& call) {
  return run_softmax_of(call, false);
}

bool run_log_softmax(Call& call) {
  return run_softmax_of(call, true);
}

/// 1 for the first of the largest, 0 for the others.
bool run_hardmax(Call& call) {
  const auto view = softmax_view(call);
  if (!view) return false;
  const std::vector<double>& in = call.in().values;
  for_each_line(*view, [&](std::size_t first, std::size_t step, std::size_t size) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < size; ++i) {
      if (in[first + i * step] > in[first + best * step]) best = i;
    }
    call.out().values[first + best * step] = 1;
  });
  return true;
}

}  // namespace

void add_normalizations(OperatorTable& table) {
  table["BatchNormalization"] = {run_batch_normalization, 5};
  table["InstanceNormalization"] = {run_instance_normalization, 3};
  table["GroupNormalization"] = {run_group_normalization, 3};
  table["LRN"] = {run_lrn};
  table["Softmax"] = {run_softmax};
  table["LogSoftmax"] = {run_log_softmax};
  table["Hardmax"] = {run_hardmax};
}

}  // namespace convscope::reference
