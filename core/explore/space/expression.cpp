#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/numbers.h"
#include "core/explore/space/expression_node.h"

namespace convscope::explore {
namespace {

using Node = Expression::Node;
using Kind = Node::Kind;
using Value = Expression::Value;
using Result = std::optional<Value>;

std::optional<double> number_of(const Result& value) {
  if (!value) return std::nullopt;
  if (const double* number = std::get_if<double>(&*value)) return *number;
  const std::string& text = std::get<std::string>(*value);
  return parse_number(text);
}

Result finite(double value) {
  if (!std::isfinite(value)) return std::nullopt;
  return value;
}

Result truth(bool value) {
  return value ? 1.0 : 0.0;
}

// Numbers are equal up to rounding: 0.1 + 0.2 = 0.3 is what a user means.
bool same(double a, double b) {
  return std::abs(a - b) <= 1e-12 * std::max(std::abs(a), std::abs(b));
}

Result equality(const Result& a, const Result& b, bool wanted) {
  const auto x = number_of(a), y = number_of(b);
  if (x && y) return truth(same(*x, *y) == wanted);
  if (!a || !b || !std::holds_alternative<std::string>(*a) || !std::holds_alternative<std::string>(*b))
    return std::nullopt;
  return truth((*a == *b) == wanted);
}

Result binary(Kind kind, double x, double y) {
  switch (kind) {
    case Kind::less:
      return truth(x < y && !same(x, y));
    case Kind::less_or_equal:
      return truth(x <= y || same(x, y));
    case Kind::greater:
      return truth(x > y && !same(x, y));
    case Kind::greater_or_equal:
      return truth(x >= y || same(x, y));
    case Kind::add:
      return finite(x + y);
    case Kind::subtract:
      return finite(x - y);
    case Kind::multiply:
      return finite(x * y);
    case Kind::divide:
      return finite(x / y);
    case Kind::remainder:
      return finite(std::fmod(x, y));
    case Kind::power:
      return finite(std::pow(x, y));
    default:
      return std::nullopt;
  }
}

Result unary(Kind kind, double x) {
  switch (kind) {
    case Kind::negate:
      return finite(-x);
    case Kind::invert:
      return truth(x == 0);
    case Kind::floor:
      return finite(std::floor(x));
    case Kind::ceil:
      return finite(std::ceil(x));
    case Kind::round:
      return finite(std::round(x));
    case Kind::absolute:
      return finite(std::abs(x));
    case Kind::logarithm:
      return finite(std::log2(x));
    default:
      return std::nullopt;
  }
}

Result evaluate(const Node& node, const Expression::Lookup& lookup);

// `and` and `or` look at their right side only where it matters, so that it may lack a value elsewhere.
Result connective(const Node& node, const Expression::Lookup& lookup) {
  const bool stops_at = node.kind == Kind::either;
  const auto left = number_of(evaluate(*node.operands[0], lookup));
  if (!left) return std::nullopt;
  if ((*left != 0) == stops_at) return truth(stops_at);
  const auto right = number_of(evaluate(*node.operands[1], lookup));
  if (!right) return std::nullopt;
  return truth(*right != 0);
}

Result extreme(const Node& node, const Expression::Lookup& lookup) {
  std::optional<double> best;
  for (const auto& operand : node.operands) {
    const auto value = number_of(evaluate(*operand, lookup));
    if (!value) return std::nullopt;
    if (!best || (node.kind == Kind::minimum ? *value < *best : *value > *best)) best = value;
  }
  return *best;
}

Result nearness(const Node& node, const Expression::Lookup& lookup) {
  std::array<double, 3> values{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto value = number_of(evaluate(*node.operands[i], lookup));
    if (!value) return std::nullopt;
    values[i] = *value;
  }
  const auto [value, wanted, tolerance] = values;
  const double distance = std::abs(value - wanted);
  return truth(distance <= tolerance || same(distance, tolerance) || same(value, wanted));
}

Result evaluate(const Node& node, const Expression::Lookup& lookup) {
  switch (node.kind) {
    case Kind::number:
      return node.number;
    case Kind::text:
      return node.text;
    case Kind::name:
      return lookup(node.text);
    case Kind::either:
    case Kind::both:
      return connective(node, lookup);
    case Kind::minimum:
    case Kind::maximum:
      return extreme(node, lookup);
    case Kind::near:
      return nearness(node, lookup);
    default:
      break;
  }
  const Result first = evaluate(*node.operands[0], lookup);
  if (node.kind == Kind::equal || node.kind == Kind::different)
    return equality(first, evaluate(*node.operands[1], lookup), node.kind == Kind::equal);
  const auto x = number_of(first);
  if (!x) return std::nullopt;
  if (node.operands.size() == 1) return unary(node.kind, *x);
  const auto y = number_of(evaluate(*node.operands[1], lookup));
  return y ? binary(node.kind, *x, *y) : std::nullopt;
}

}  // namespace

std::optional<Expression::Value> Expression::value(const Lookup& lookup) const {
  return evaluate(*root_, lookup);
}

bool Expression::holds(const Lookup& lookup) const {
  const auto number = number_of(value(lookup));
  return number && *number != 0;
}

}  // namespace convscope::explore
