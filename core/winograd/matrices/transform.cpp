#include "core/winograd/matrices/transform.h"

#include <cassert>
#include <cstddef>

#include <fmt/format.h>

namespace convscope::winograd {
namespace {

/// Coefficients of the product of (x - a) over the points, lowest first; without the point `left_out`, or with all of
/// them if it is -1.
std::vector<Rational> product(const Points& points, int left_out) {
  std::vector<Rational> coefficients = {Rational(1)};
  for (int l = 0; l < static_cast<int>(points.size()); ++l) {
    if (l == left_out) continue;
    const Rational& point = points[static_cast<std::size_t>(l)];
    coefficients.emplace_back(0);
    for (std::size_t i = coefficients.size() - 1; i > 0; --i)
      coefficients[i] = coefficients[i - 1] - point * coefficients[i];
    coefficients[0] *= -point;
  }
  return coefficients;
}

Rational product_of_differences(const Points& points, int j) {
  Rational result = 1;
  for (int l = 0; l < static_cast<int>(points.size()); ++l)
    if (l != j) result *= points[static_cast<std::size_t>(j)] - points[static_cast<std::size_t>(l)];
  return result;
}

std::vector<Rational> powers(const Rational& base, int count) {
  std::vector<Rational> result;
  Rational power = 1;
  for (int i = 0; i < count; ++i, power *= base) result.push_back(power);
  return result;
}

/// Row and columns of a finite point.
void fill(Transform& transform, int j) {
  const Rational& point = transform.points[static_cast<std::size_t>(j)];
  const auto outputs = powers(point, transform.m), weights = powers(point, transform.r);
  for (int i = 0; i < transform.m; ++i) transform.at.at(i, j) = outputs[static_cast<std::size_t>(i)];
  const Rational divisor = product_of_differences(transform.points, j);
  for (int k = 0; k < transform.r; ++k) transform.g.at(j, k) = weights[static_cast<std::size_t>(k)] / divisor;
  const auto inputs = product(transform.points, j);
  for (std::size_t l = 0; l < inputs.size(); ++l) transform.bt.at(j, static_cast<int>(l)) = inputs[l];
}

void fill_infinity(Transform& transform) {
  const int last = transform.n() - 1;
  transform.at.at(transform.m - 1, last) = 1;
  transform.g.at(last, transform.r - 1) = 1;
  const auto inputs = product(transform.points, -1);
  for (std::size_t l = 0; l < inputs.size(); ++l) transform.bt.at(last, static_cast<int>(l)) = inputs[l];
}

/// G[j][k] BT[j][l] for every j.
std::vector<Rational> products_of(const Transform& transform, int k, int l) {
  std::vector<Rational> products;
  for (int j = 0; j < transform.n(); ++j) products.push_back(transform.g.at(j, k) * transform.bt.at(j, l));
  return products;
}

Rational certificate_sum(const Transform& transform, int i, const std::vector<Rational>& products) {
  Rational sum = 0;
  for (int j = 0; j < transform.n(); ++j) {
    const Rational& product = products[static_cast<std::size_t>(j)];
    if (product != 0 && transform.at.at(i, j) != 0) sum += transform.at.at(i, j) * product;
  }
  return sum;
}

Rational common_denominator(const Matrix& matrix, int row) {
  boost::multiprecision::cpp_int result = 1;
  for (int column = 0; column < matrix.columns(); ++column)
    result = lcm(result, boost::multiprecision::cpp_int(denominator(matrix.at(row, column))));
  return Rational(result);
}

}  // namespace

std::optional<Transform> make_transform(int m, int r, const Points& points, Diagnostics& diagnostics) {
  if (!check_points(points, m, r, diagnostics)) return std::nullopt;
  const int n = input_length(m, r);
  Transform transform{m, r, points, Matrix(m, n), Matrix(n, r), Matrix(n, n)};
  for (int j = 0; j < finite_points(m, r); ++j) fill(transform, j);
  fill_infinity(transform);
  const std::string fault = certificate_fault(transform);
  assert(fault.empty());
  if (!fault.empty()) {
    diagnostics.error({}, "internal error: " + fault);
    return std::nullopt;
  }
  return transform;
}

std::string certificate_fault(const Transform& transform) {
  for (int k = 0; k < transform.r; ++k)
    for (int l = 0; l < transform.n(); ++l) {
      const std::vector<Rational> products = products_of(transform, k, l);
      for (int i = 0; i < transform.m; ++i) {
        const Rational sum = certificate_sum(transform, i, products);
        if (sum != (l == i + k ? 1 : 0))
          return fmt::format("F({},{}): output {} takes {} times weight {} times input {}", transform.m, transform.r, i,
                             text(sum), k, l);
      }
    }
  return {};
}

Transform scaled(Transform transform, const std::vector<Rational>& factors) {
  assert(static_cast<int>(factors.size()) == transform.n());
  for (int j = 0; j < transform.n(); ++j) {
    const Rational& factor = factors[static_cast<std::size_t>(j)];
    assert(factor != 0);
    for (int k = 0; k < transform.r; ++k) transform.g.at(j, k) *= factor;
    for (int l = 0; l < transform.n(); ++l) transform.bt.at(j, l) /= factor;
  }
  return transform;
}

Transform with_integral_input(const Transform& transform) {
  std::vector<Rational> factors;
  for (int j = 0; j < transform.n(); ++j) factors.push_back(1 / common_denominator(transform.bt, j));
  return scaled(transform, factors);
}

}  // namespace convscope::winograd
