// Operators on elements of several tensors, stretched to fit.

#include <cmath>

#include "core/reference/operators/call.h"

namespace convscope::reference {
namespace {

/// Before opset 7 the second operand's dimensions were laid along the first one's from `axis` on.
Dimensions laid_along(const Call& call, const FloatTensor& operand, std::size_t rank) {
  Dimensions dimensions = operand.dimensions;
  if (call.attributes().integer("broadcast", 0) == 0 || !call.attributes().has("axis")) return dimensions;
  const auto axis = network::normal_axis(call.attributes().integer("axis", 0), rank);
  while (axis && dimensions.size() + *axis < rank) dimensions.push_back(1);
  return dimensions;
}

bool can_stretch(const Dimensions& dimensions, const Dimensions& out) {
  if (dimensions.size() > out.size()) return false;
  for (std::size_t i = 1; i <= dimensions.size(); ++i) {
    const std::int64_t own = dimensions[dimensions.size() - i];
    if (own != 1 && own != out[out.size() - i]) return false;
  }
  return true;
}

template <typename F>
bool combine(Call& call, F f) {
  const FloatTensor &a = call.in(0), &b = call.in(1);
  FloatTensor& out = call.out();
  const Dimensions second = laid_along(call, b, out.dimensions.size());
  if (!can_stretch(a.dimensions, out.dimensions) || !can_stretch(second, out.dimensions))
    return call.fail("its inputs don't fit");
  std::size_t next = 0;
  walk<2>(out.dimensions, {stretched_strides(a.dimensions, out.dimensions), stretched_strides(second, out.dimensions)},
          [&](const auto& at) { out.values[next++] = f(a.values[as_size(at[0])], b.values[as_size(at[1])]); });
  return true;
}

template <double (*function)(double, double)>
bool run_plain(Call& call) {
  return combine(call, function);
}

double sum(double a, double b) {
  return a + b;
}
double difference(double a, double b) {
  return a - b;
}
double product(double a, double b) {
  return a * b;
}
double equal(double a, double b) {
  return a == b;
}
double less(double a, double b) {
  return a < b;
}
double less_or_equal(double a, double b) {
  return a <= b;
}
double greater(double a, double b) {
  return a > b;
}
double greater_or_equal(double a, double b) {
  return a >= b;
}
double both(double a, double b) {
  return a != 0 && b != 0;
}
double either(double a, double b) {
  return a != 0 || b != 0;
}
double one_of_two(double a, double b) {
  return (a != 0) != (b != 0);
}
double sloped(double x, double slope) {
  return x < 0 ? slope * x : x;
}

bool run_divide(Call& call) {
  if (is_real(call.out().type)) return combine(call, [](double a, double b) { return a / b; });
  for (const double value : call.in(1).values) {
    if (value == 0) return call.fail("divides an integer by 0");
  }
  return combine(call, [](double a, double b) { return std::trunc(a / b); });
}

/// Like C's fmod with attribute fmod, else with the divisor's sign.
bool run_modulus(Call& call) {
  if (call.attributes().integer("fmod", 0) != 0)
    return combine(call, [](double a, double b) { return std::fmod(a, b); });
  return combine(call, [](double a, double b) { return b == 0 ? 0 : a - b * std::floor(a / b); });
}

bool run_bit_shift(Call& call) {
  const double sign = call.attributes().text("direction") == "LEFT" ? 1 : -1;
  const Range range = range_of(call.out().type);
  return combine(call, [=](double a, double b) {
    const double value = std::floor(a * std::exp2(sign * b));
    return value > range.largest ? std::fmod(value, range.largest + 1) : value;
  });
}

/// f(sum so far, next) over all inputs.
template <typename F>
bool accumulate(Call& call, F f) {
  for (const FloatTensor* input : call.inputs) {
    if (!input) return call.fail("one of its inputs is missing");
  }
  FloatTensor& out = call.out();
  for (std::size_t input = 0; input < call.inputs.size(); ++input) {
    const FloatTensor& operand = call.in(input);
    std::size_t next = 0;
    walk<1>(out.dimensions, {stretched_strides(operand.dimensions, out.dimensions)}, [&](const auto& at) {
      const double value = operand.values[as_size(at[0])];
      out.values[next] = input == 0 ? value : f(out.values[next], value);
      ++next;
    });
  }
  return true;
}

bool run_sum(Call& call) {
  return accumulate(call, sum);
}

bool run_max(Call& call) {
  return accumulate(call, [](double a, double b) { return std::isnan(a) || a > b ? a : b; });
}

bool run_min(Call& call) {
  return accumulate(call, [](double a, double b) { return std::isnan(a) || a < b ? a : b; });
}

bool run_mean(Call& call) {
  if (!run_sum(call)) return false;
  for (double& value : call.out().values) value /= static_cast<double>(call.inputs.size());
  return true;
}

bool run_where(Call& call) {
  FloatTensor& out = call.out();
  const auto strides = [&](std::size_t input) { return stretched_strides(call.in(input).dimensions, out.dimensions); };
  std::size_t next = 0;
  walk<3>(out.dimensions, {strides(0), strides(1), strides(2)}, [&](const auto& at) {
    out.values[next++] =
        call.in(0).values[as_size(at[0])] != 0 ? call.in(1).values[as_size(at[1])] : call.in(2).values[as_size(at[2])];
  });
  return true;
}

}  // namespace

void add_binary(OperatorTable& table) {
  table["Add"] = {run_plain<sum>, 2};
  table["Sub"] = {run_plain<difference>, 2};
  table["Mul"] = {run_plain<product>, 2};
  table["Div"] = {run_divide, 2};
  table["Mod"] = {run_modulus, 2};
  table["Pow"] = {run_plain<std::pow>, 2};
  table["BitShift"] = {run_bit_shift, 2};
  table["PRelu"] = {run_plain<sloped>, 2};
  table["Equal"] = {run_plain<equal>, 2};
  table["Less"] = {run_plain<less>, 2};
  table["LessOrEqual"] = {run_plain<less_or_equal>, 2};
  table["Greater"] = {run_plain<greater>, 2};
  table["GreaterOrEqual"] = {run_plain<greater_or_equal>, 2};
  table["And"] = {run_plain<both>, 2};
  table["Or"] = {run_plain<either>, 2};
  table["Xor"] = {run_plain<one_of_two>, 2};
  table["Sum"] = {run_sum};
  table["Max"] = {run_max};
  table["Min"] = {run_min};
  table["Mean"] = {run_mean};
  table["Where"] = {run_where, 3};
}

}  // namespace convscope::reference
