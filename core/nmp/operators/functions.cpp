#include "core/nmp/operators/functions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace convscope::nmp {
namespace {

constexpr int largest_word = INT16_MAX;

double power_of_two(int exponent) {
  return std::ldexp(1.0, exponent);
}

int in_word(double value) {
  return static_cast<int>(std::clamp<double>(std::round(value), -largest_word - 1, largest_word));
}

double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}

double softplus(double x) {
  return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
}

using Function = std::function<double(double)>;

/// Those that end between -1 and 1.
Function bounded(std::string_view name) {
  if (name == "Sigmoid") return sigmoid;
  if (name == "Tanh") return [](double x) { return std::tanh(x); };
  if (name == "Softsign") return [](double x) { return x / (1 + std::abs(x)); };
  if (name == "Erf") return [](double x) { return std::erf(x); };
  return {};
}

/// Of numbers below 0, with the scale of all.
Function exponential(double alpha, double divisor, double scale) {
  return [=](double x) { return scale * (x >= 0 ? x : alpha * std::expm1(x / divisor)); };
}

Function unbounded(const network::Node& node) {
  const std::string_view name = node.operator_name;
  const double alpha = node.attributes.real("alpha", 1);
  if (name == "Elu") return exponential(alpha, 1, 1);
  if (name == "Celu") return exponential(alpha, alpha == 0 ? 1 : alpha, 1);
  if (name == "Selu")  // the defaults of ONNX
    return exponential(node.attributes.real("alpha", 1.67326319217681884765625), 1,
                       node.attributes.real("gamma", 1.05070102214813232421875));
  if (name == "Swish" || name == "Silu") return [alpha](double x) { return x * sigmoid(alpha * x); };
  if (name == "Mish") return [](double x) { return x * std::tanh(softplus(x)); };
  if (name == "Softplus") return softplus;
  if (name == "ThresholdedRelu") return [alpha](double x) { return x > alpha ? x : 0; };
  if (name == "Exp") return [](double x) { return std::exp(x); };
  if (name == "Abs") return [](double x) { return std::abs(x); };
  if (name == "Sqrt") return [](double x) { return std::sqrt(x); };
  if (name != "Gelu") return {};
  if (node.attributes.text("approximate", "none") == "tanh")
    return
        [](double x) { return x / 2 * (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x))); };
  return [](double x) { return x / 2 * (1 + std::erf(x / std::sqrt(2.0))); };
}

constexpr double usual_hard_alpha = 0.2, usual_hard_beta = 0.5;  // ONNX HardSigmoid

/// Exactly as the operator is defined, but for the roundings of fixed point.
std::optional<Computing> by_factors(const network::Node& node, const FunctionFormat& format) {
  const auto linear = linear_function(node);
  if (!linear) return std::nullopt;
  const bool gates = node.operator_name == "HardSwish";
  Computing computing =
      affine(linear->factor, linear->constant, format.fraction_in, gates ? gate_bits : format.fraction_out);
  if (gates) computing.computation = Computation::gate;
  computing.rectifies = node.operator_name == "HardSigmoid";
  return computing;
}

}  // namespace

Computing affine(double factor, double constant, int fraction_in, int fraction_out) {
  constexpr int most_shift = 30;
  for (int shift = most_shift; shift >= 0; --shift) {
    const double slope = std::round(factor * power_of_two(fraction_out - fraction_in + shift));
    if (!(std::abs(slope) <= largest_word)) continue;
    Computing computing{.computation = Computation::affine, .slope = static_cast<int>(slope)};
    computing.offset = in_word(constant * power_of_two(fraction_out));
    computing.shift = shift;
    return computing;
  }
  return {.missing = fmt::format("programs have no factor of {:g}", factor)};
}

Computing tabulated(const Function& function, const FunctionFormat& format) {
  Computing computing{.computation = Computation::table};
  const double most = power_of_two(format.bits - 1), length = 2 * most / table_segments;
  for (int i = 0; i <= table_segments; ++i) {
    const double value = function((i * length - most) / power_of_two(format.fraction_in));
    const double word = std::floor(value * power_of_two(format.fraction_out) + 0.5);
    computing.table.push_back(std::isnan(value) ? 0 : static_cast<std::int32_t>(std::clamp(word, -most, most - 1)));
  }
  return computing;
}

std::optional<LinearFunction> linear_function(const network::Node& node) {
  if (node.operator_name == "Neg") return LinearFunction{-1, 0};
  if (node.operator_name == "HardSwish") return LinearFunction{1.0 / 6, 0.5};
  if (node.operator_name != "HardSigmoid") return std::nullopt;
  return LinearFunction{node.attributes.real("alpha", usual_hard_alpha), node.attributes.real("beta", usual_hard_beta)};
}

std::optional<LinearFunction> linear_function(std::string_view name, double number, bool number_is_second) {
  if (name == "Add" || name == "Sum") return LinearFunction{1, number};
  if (name == "Sub") return number_is_second ? LinearFunction{1, -number} : LinearFunction{-1, number};
  if (name == "Mul") return LinearFunction{number, 0};
  if (name == "Div" && number_is_second && number != 0) return LinearFunction{1 / number, 0};
  return std::nullopt;
}

std::optional<RealFunction> real_function(const network::Node& node, int element_bytes) {
  const double alpha = node.attributes.real("alpha", usual_hard_alpha);
  const double beta = node.attributes.real("beta", usual_hard_beta);
  if (Function f = bounded(node.operator_name)) return RealFunction{std::move(f), unit_fraction(element_bytes)};
  if (Function f = unbounded(node)) return RealFunction{std::move(f), map_fraction(element_bytes)};
  if (node.operator_name == "HardSigmoid")
    return RealFunction{[=](double x) { return std::clamp(alpha * x + beta, 0.0, 1.0); }, unit_fraction(element_bytes)};
  if (node.operator_name == "Neg") return RealFunction{[](double x) { return -x; }, map_fraction(element_bytes)};
  if (node.operator_name != "HardSwish") return std::nullopt;
  return RealFunction{[](double x) { return x * std::clamp(x / 6 + 0.5, 0.0, 1.0); }, map_fraction(element_bytes)};
}

std::optional<Computing> computing_of_function(const network::Node& node, const FunctionFormat& format) {
  if (auto computing = by_factors(node, format)) return computing;
  const auto real = real_function(node, format.bits / 8);
  if (!real) return std::nullopt;
  return tabulated(real->value, format);
}

std::optional<Computing> computing_of_function(const network::Node& node, int element_bytes) {
  const auto real = real_function(node, element_bytes);
  if (!real) return std::nullopt;
  return computing_of_function(node, {8 * element_bytes, map_fraction(element_bytes), real->fraction_out});
}

}  // namespace convscope::nmp
