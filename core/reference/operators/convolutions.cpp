#include <algorithm>
#include <cmath>

#include "core/reference/operators/space.h"

namespace convscope::reference {
namespace {

Dimensions space_dimensions(const FloatTensor& tensor) {
  if (tensor.dimensions.size() < 2) return {};
  return {tensor.dimensions.begin() + 2, tensor.dimensions.end()};
}

bool fits(Call& call, const FloatTensor& data, const FloatTensor& weights, std::int64_t groups) {
  if (data.dimensions.size() == weights.dimensions.size() && groups >= 1 && weights.dimensions[0] % groups == 0 &&
      data.dimensions[1] == weights.dimensions[1] * groups)
    return true;
  return call.fail("its weights don't fit its input");
}

/// Each map's value, or the one value for all maps.
double of_map(const FloatTensor* tensor, std::int64_t map, double fallback) {
  if (!tensor || tensor->values.empty()) return fallback;
  return tensor->values[as_size(std::min<std::int64_t>(map, static_cast<std::int64_t>(tensor->values.size()) - 1))];
}

/// f(value, map) for each output.
template <typename F>
void for_each_map(FloatTensor& out, F f) {
  const AxisView view = along(out.dimensions, 1);
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(out.values.size()); ++i) {
    double& value = out.values[as_size(i)];
    value = f(value, i / view.inner % view.size);
  }
}

bool convolve_with(Call& call, const FloatTensor& data, const FloatTensor& weights) {
  const std::int64_t groups = call.attributes().integer("group", 1);
  if (!fits(call, data, weights, groups)) return false;
  const auto kernel = kernel_of(call, space_dimensions(weights), data.dimensions);
  if (!kernel) return false;
  convolve(data, weights, groups, *kernel, call.out());
  return true;
}

bool run_conv(Call& call) {
  if (!convolve_with(call, call.in(0), call.in(1))) return false;
  if (const FloatTensor* bias = call.input(2))
    for_each_map(call.out(), [&](double value, std::int64_t map) { return value + of_map(bias, map, 0); });
  return true;
}

FloatTensor without_zero_point(const FloatTensor& tensor, double zero_point) {
  FloatTensor result = tensor;
  for (double& value : result.values) value -= zero_point;
  return result;
}

/// Weights may have a zero point per output map.
FloatTensor without_zero_points(const FloatTensor& weights, const FloatTensor* zero_points) {
  FloatTensor result = weights;
  const AxisView view = along(weights.dimensions, 0);
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(result.values.size()); ++i)
    result.values[as_size(i)] -= of_map(zero_points, i / view.inner, 0);
  return result;
}

bool run_conv_integer(Call& call) {
  return convolve_with(call, without_zero_point(call.in(0), call.scalar(2, 0)),
                       without_zero_points(call.in(1), call.input(3)));
}

/// Inputs: x, its scale and zero point, w, its scales and zero points, y's scale and zero point, 32-bit bias.
bool run_qlinear_conv(Call& call) {
  if (call.in(3).dimensions.size() < 3) return call.fail("its weights have no space");
  if (!convolve_with(call, without_zero_point(call.in(0), call.scalar(2, 0)),
                     without_zero_points(call.in(3), call.input(5))))
    return false;
  const double in_scale = call.scalar(1, 1), out_scale = call.scalar(6, 1), zero_point = call.scalar(7, 0);
  FloatTensor& out = call.out();
  for_each_map(out, [&](double sum, std::int64_t map) {
    const double scale = in_scale * of_map(call.input(4), map, 1) / out_scale;
    const double value = std::nearbyint((sum + of_map(call.input(8), map, 0)) * scale) + zero_point;
    return saturate(value, out.type);
  });
  return true;
}

/// Pads of a transposed convolution follow from its output's size where that is stated (ONNX ConvTranspose).
void pads_from_output(const Call& call, const Triple& in, const Triple& out, Kernel& kernel) {
  const std::string automatic = call.attributes().text("auto_pad", "NOTSET");
  const bool same = automatic == "SAME_UPPER" || automatic == "SAME_LOWER";
  if (!same && !call.attributes().has("output_shape")) return;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::int64_t full =
        (in[axis] - 1) * kernel.stride[axis] + (kernel.size[axis] - 1) * kernel.dilation[axis] + 1;
    const std::int64_t total = std::max<std::int64_t>(0, full - out[axis]);
    kernel.begin[axis] = automatic == "SAME_UPPER" ? total / 2 : total - total / 2;
  }
}

/// Every input pixel adds its kernel to the output: the loops of a convolution with input and output exchanged.
bool run_conv_transpose(Call& call) {
  const FloatTensor &data = call.in(0), &weights = call.in(1);
  const std::int64_t groups = call.attributes().integer("group", 1);
  if (data.dimensions.size() != weights.dimensions.size() || data.dimensions.size() < 3 || groups < 1 ||
      data.dimensions[1] != weights.dimensions[0] || weights.dimensions[0] % groups != 0)
    return call.fail("its weights don't fit its input");
  auto kernel = kernel_of(call, space_dimensions(weights), data.dimensions);
  if (!kernel) return false;
  FloatTensor& out = call.out();
  const Triple in_size = space_of(data.dimensions), out_size = space_of(out.dimensions);
  pads_from_output(call, in_size, out_size, *kernel);
  const std::int64_t channels = data.dimensions[1], maps_per_group = weights.dimensions[1];
  const std::int64_t in_map = in_size[0] * in_size[1] * in_size[2], out_map = out_size[0] * out_size[1] * out_size[2];
  const Triple& size = kernel->size;
  const std::int64_t taps = size[0] * size[1] * size[2];
  for (std::int64_t n = 0; n < data.dimensions[0]; ++n) {
    for (std::int64_t c = 0; c < channels; ++c) {
      const std::int64_t first_map = c / (channels / groups) * maps_per_group;
      for (std::int64_t m = 0; m < maps_per_group; ++m) {
        const double* in = data.values.data() + (n * channels + c) * in_map;
        double* to = out.values.data() + (n * maps_per_group * groups + first_map + m) * out_map;
        for (std::int64_t tap = 0; tap < taps; ++tap) {
          const double weight = weights.values[as_size((c * maps_per_group + m) * taps + tap)];
          const Triple k{tap / (size[1] * size[2]), tap / size[2] % size[1], tap % size[2]};
          for (std::int64_t i = 0; i < in_map; ++i) {
            const Triple at{i / (in_size[1] * in_size[2]), i / in_size[2] % in_size[1], i % in_size[2]};
            Triple o{};
            bool inside = true;
            for (std::size_t axis = 0; axis < 3; ++axis) {
              o[axis] = at[axis] * kernel->stride[axis] + k[axis] * kernel->dilation[axis] - kernel->begin[axis];
              inside = inside && o[axis] >= 0 && o[axis] < out_size[axis];
            }
            if (inside) to[(o[0] * out_size[1] + o[1]) * out_size[2] + o[2]] += weight * in[i];
          }
        }
      }
    }
  }
  if (const FloatTensor* bias = call.input(2))
    for_each_map(out, [&](double value, std::int64_t map) { return value + of_map(bias, map, 0); });
  return true;
}

}  // namespace

void add_convolutions(OperatorTable& table) {
  table["Conv"] = {run_conv, 2};
  table["ConvInteger"] = {run_conv_integer, 2};
  table["QLinearConv"] = {run_qlinear_conv, 8};
  table["ConvTranspose"] = {run_conv_transpose, 2};
}

}  // namespace convscope::reference
