// Operators on each element alone.

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/reference/operators/call.h"

namespace convscope::reference {
namespace {

template <typename F>
bool map_values(Call& call, F f) {
  std::transform(call.in().values.begin(), call.in().values.end(), call.out().values.begin(), f);
  return true;
}

template <double (*function)(double)>
bool run_plain(Call& call) {
  return map_values(call, function);
}

double relu(double x) {
  return std::isnan(x) ? x : std::max(x, 0.0);
}
double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}
double softplus(double x) {
  return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
}
double softsign(double x) {
  return x / (1 + std::abs(x));
}
double hard_swish(double x) {
  return x * std::clamp(x / 6 + 0.5, 0.0, 1.0);
}
double mish(double x) {
  return x * std::tanh(softplus(x));
}
double sign(double x) {
  return x > 0 ? 1 : x < 0 ? -1 : x;
}
double reciprocal(double x) {
  return 1 / x;
}
double negative(double x) {
  return -x;
}
double logical_not(double x) {
  return x == 0;
}
double identity(double x) {
  return x;
}
double is_nan(double x) {
  return std::isnan(x);
}

bool run_leaky_relu(Call& call) {
  const double alpha = call.attributes().real("alpha", 0.01);
  return map_values(call, [=](double x) { return x < 0 ? alpha * x : x; });
}

bool run_elu(Call& call) {
  const double alpha = call.attributes().real("alpha", 1);
  return map_values(call, [=](double x) { return x < 0 ? alpha * std::expm1(x) : x; });
}

bool run_celu(Call& call) {
  const double alpha = call.attributes().real("alpha", 1);
  return map_values(call, [=](double x) { return std::max(0.0, x) + std::min(0.0, alpha * std::expm1(x / alpha)); });
}

bool run_selu(Call& call) {
  const double alpha = call.attributes().real("alpha", 1.67326319217681884765625);
  const double gamma = call.attributes().real("gamma", 1.05070102214813232421875);
  return map_values(call, [=](double x) { return gamma * (x > 0 ? x : alpha * std::expm1(x)); });
}

bool run_thresholded_relu(Call& call) {
  const double alpha = call.attributes().real("alpha", 1);
  return map_values(call, [=](double x) { return x > alpha ? x : 0; });
}

bool run_hard_sigmoid(Call& call) {
  const double alpha = call.attributes().real("alpha", 0.2), beta = call.attributes().real("beta", 0.5);
  return map_values(call, [=](double x) { return std::clamp(alpha * x + beta, 0.0, 1.0); });
}

bool run_swish(Call& call) {
  const double alpha = call.attributes().real("alpha", 1);
  return map_values(call, [=](double x) { return x * sigmoid(alpha * x); });
}

bool run_gelu(Call& call) {
  if (call.attributes().text("approximate", "none") != "tanh")
    return map_values(call, [](double x) { return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0))); });
  return map_values(call, [](double x) {
    return 0.5 * x * (1 + std::tanh(std::sqrt(2 / 3.14159265358979323846) * (x + 0.044715 * x * x * x)));
  });
}

/// Limits are attributes before opset 11, inputs since.
bool run_clip(Call& call) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double least = call.attributes().real("min", call.scalar(1, -infinity));
  const double largest = call.attributes().real("max", call.scalar(2, infinity));
  return map_values(call, [=](double x) { return std::min(largest, std::max(least, x)); });
}

/// As in inference: nothing is dropped.
bool run_dropout(Call& call) {
  if (call.outputs.size() > 1) std::fill(call.out(1).values.begin(), call.out(1).values.end(), 1.0);
  return map_values(call, identity);
}

bool run_cast(Call& call) {
  const network::ElementType type = call.out().type;
  if (type == network::ElementType::boolean) return map_values(call, [](double x) { return x != 0; });
  if (is_real(type)) return map_values(call, identity);
  if (network::element_bits(type) == 0) return call.fail("the reference can't cast to this type");
  return map_values(call, [type](double x) { return std::isnan(x) ? 0 : saturate(std::trunc(x), type); });
}

}  // namespace

void add_unary(OperatorTable& table) {
  table["Relu"] = {run_plain<relu>};
  table["Sigmoid"] = {run_plain<sigmoid>};
  table["Tanh"] = {run_plain<std::tanh>};
  table["Softplus"] = {run_plain<softplus>};
  table["Softsign"] = {run_plain<softsign>};
  table["HardSwish"] = {run_plain<hard_swish>};
  table["Mish"] = {run_plain<mish>};
  table["Sign"] = {run_plain<sign>};
  table["Reciprocal"] = {run_plain<reciprocal>};
  table["Neg"] = {run_plain<negative>};
  table["Not"] = {run_plain<logical_not>};
  table["Identity"] = {run_plain<identity>};
  table["IsNaN"] = {run_plain<is_nan>};
  table["Abs"] = {run_plain<std::fabs>};
  table["Exp"] = {run_plain<std::exp>};
  table["Log"] = {run_plain<std::log>};
  table["Sqrt"] = {run_plain<std::sqrt>};
  table["Floor"] = {run_plain<std::floor>};
  table["Ceil"] = {run_plain<std::ceil>};
  table["Round"] = {run_plain<std::nearbyint>};
  table["Erf"] = {run_plain<std::erf>};
  table["Sin"] = {run_plain<std::sin>};
  table["Cos"] = {run_plain<std::cos>};
  table["Atan"] = {run_plain<std::atan>};
  table["LeakyRelu"] = {run_leaky_relu};
  table["Elu"] = {run_elu};
  table["Celu"] = {run_celu};
  table["Selu"] = {run_selu};
  table["ThresholdedRelu"] = {run_thresholded_relu};
  table["HardSigmoid"] = {run_hard_sigmoid};
  table["Swish"] = {run_swish};
  table["Gelu"] = {run_gelu};
  table["Clip"] = {run_clip};
  table["Dropout"] = {run_dropout};
  table["Cast"] = table["CastLike"] = {run_cast};
}

}  // namespace convscope::reference
