#include <algorithm>
#include <cmath>

#include "core/reference/operators/call.h"

namespace convscope::reference {
namespace {

float as_float(double value) {
  return static_cast<float>(value);
}

/// Which scale belongs to an element: one for all, or one per index of an axis.
struct Scales {
  AxisView view;
  bool per_axis = false;
  std::size_t of(std::size_t i) const { return per_axis ? i / as_size(view.inner) % as_size(view.size) : 0; }
};

std::optional<Scales> scales_of(Call& call) {
  const FloatTensor &data = call.in(0), &scale = call.in(1);
  if (call.attributes().integer("block_size", 0) != 0) {
    call.fail("the reference knows scales per tensor and per axis, not per block");
    return std::nullopt;
  }
  if (scale.values.size() == 1 && scale.dimensions.size() <= 1) return Scales{};
  const auto axis = network::normal_axis(call.attributes().integer("axis", 1), data.dimensions.size());
  const FloatTensor* zero_point = call.input(2);
  if (axis && static_cast<std::int64_t>(scale.values.size()) == data.dimensions[*axis] &&
      (!zero_point || zero_point->values.size() == scale.values.size()))
    return Scales{along(data.dimensions, *axis), true};
  call.fail("its scales don't fit its input");
  return std::nullopt;
}

double zero_point_of(const Call& call, std::size_t index) {
  const FloatTensor* zero_point = call.input(2);
  return zero_point && index < zero_point->values.size() ? zero_point->values[index] : 0;
}

/// In single precision, as everybody divides: ties are frequent and must fall alike.
double quantized(double value, double scale, double zero_point, network::ElementType type) {
  const float ratio = as_float(value) / as_float(scale);
  return saturate(std::nearbyint(static_cast<double>(ratio)) + zero_point, type);
}

bool run_quantize(Call& call) {
  const auto scales = scales_of(call);
  if (!scales) return false;
  for (std::size_t i = 0; i < call.in().values.size(); ++i) {
    const std::size_t s = scales->of(i);
    call.out().values[i] =
        quantized(call.in().values[i], call.in(1).values[s], zero_point_of(call, s), call.out().type);
  }
  return true;
}

bool run_dequantize(Call& call) {
  const auto scales = scales_of(call);
  if (!scales) return false;
  for (std::size_t i = 0; i < call.in().values.size(); ++i) {
    const std::size_t s = scales->of(i);
    call.out().values[i] = (call.in().values[i] - zero_point_of(call, s)) * call.in(1).values[s];
  }
  return true;
}

/// Scale and zero point of uint8 from the range of the data, which includes 0 (ONNX DynamicQuantizeLinear).
bool run_dynamic_quantize(Call& call) {
  if (call.outputs.size() != 3) return call.fail("has other outputs than values, scale and zero point");
  double least = 0, largest = 0;
  for (const double value : call.in().values) {
    least = std::min(least, value);
    largest = std::max(largest, value);
  }
  const float scale = (as_float(largest) - as_float(least)) / 255.0F;
  const double zero_point =
      scale == 0 ? 0 : std::nearbyint(std::clamp(static_cast<double>(-as_float(least) / scale), 0.0, 255.0));
  call.out(1).values.at(0) = static_cast<double>(scale);
  call.out(2).values.at(0) = zero_point;
  for (std::size_t i = 0; i < call.in().values.size(); ++i)
    call.out().values[i] =
        scale == 0 ? 0 : quantized(call.in().values[i], static_cast<double>(scale), zero_point, call.out().type);
  return true;
}

/// com.microsoft: A, its scale and zero point, B, its scale and zero point, C's scale and zero point.
template <typename F>
bool combine(Call& call, F f) {
  FloatTensor& out = call.out();
  const FloatTensor &a = call.in(0), &b = call.in(3);
  std::size_t next = 0;
  walk<2>(out.dimensions,
          {stretched_strides(a.dimensions, out.dimensions), stretched_strides(b.dimensions, out.dimensions)},
          [&](const auto& at) {
            const double left = (a.values[as_size(at[0])] - call.scalar(2, 0)) * call.scalar(1, 1);
            const double right = (b.values[as_size(at[1])] - call.scalar(5, 0)) * call.scalar(4, 1);
            out.values[next++] = quantized(f(left, right), call.scalar(6, 1), call.scalar(7, 0), out.type);
          });
  return true;
}

bool run_qlinear_add(Call& call) {
  return combine(call, [](double a, double b) { return a + b; });
}

bool run_qlinear_mul(Call& call) {
  return combine(call, [](double a, double b) { return a * b; });
}

}  // namespace

void add_quantizations(OperatorTable& table) {
  table["QuantizeLinear"] = {run_quantize, 2};
  table["DequantizeLinear"] = {run_dequantize, 2};
  table["DynamicQuantizeLinear"] = {run_dynamic_quantize};
  table["QLinearAdd"] = {run_qlinear_add, 7};
  table["QLinearMul"] = {run_qlinear_mul, 7};
}

}  // namespace convscope::reference
