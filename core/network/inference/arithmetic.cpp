// Binary operators, with their values where these are small: shapes are computed so.

#include <algorithm>
#include <cmath>

#include "core/network/inference/rules.h"

namespace convscope::network {
namespace {

using Number = std::optional<double>;
using Function = Number (*)(double, double, bool integers);

bool is_real(ElementType type) {
  return type == ElementType::float32 || type == ElementType::float64 || type == ElementType::float16 ||
         type == ElementType::bfloat16;
}

/// Before opset 7 the second operand was stretched over the first one's dimensions from `axis` on.
bool is_old_broadcast(const NodeView& node) {
  return node.attributes().integer("broadcast", 0) != 0 && node.has_input(1);
}

TensorShape shape_of_operands(NodeView& node) {
  return is_old_broadcast(node) ? node.shape(0) : broadcast(node, node.shape(0), node.shape(1));
}

/// Values of scalars and of lists of equal length; nothing for other combinations.
std::optional<Values> combine(const Values& a, const Values& b, Function function, bool integers) {
  if (a.size() != b.size() && a.size() != 1 && b.size() != 1) return std::nullopt;
  if (a.empty() || b.empty()) return Values{};
  Values result(std::max(a.size(), b.size()));
  for (std::size_t i = 0; i < result.size(); ++i) {
    const Number left = a[a.size() == 1 ? 0 : i], right = b[b.size() == 1 ? 0 : i];
    if (left && right) result[i] = function(*left, *right, integers);
  }
  return result;
}

void infer_and_fold(NodeView& node, Function function, ElementType type) {
  const TensorShape shape = shape_of_operands(node);
  node.set(0, shape, type);
  const auto a = node.values(0), b = node.values(1);
  if (!a || !b || !shape.known || shape.dimensions.size() > 1) return;
  if (auto values = combine(*a, *b, function, !is_real(node.type(0)))) node.fold(0, std::move(*values));
}

Number quotient(double a, double b, bool integers) {
  if (b == 0) return std::nullopt;
  return integers ? std::trunc(a / b) : a / b;
}

/// Python's: the sign is the divisor's.
Number modulus(double a, double b, bool) {
  if (b == 0) return std::nullopt;
  return a - b * std::floor(a / b);
}

void infer_add(NodeView& node) {
  infer_and_fold(
      node, [](double a, double b, bool) -> Number { return a + b; }, node.type(0));
}

void infer_sub(NodeView& node) {
  infer_and_fold(
      node, [](double a, double b, bool) -> Number { return a - b; }, node.type(0));
}

void infer_mul(NodeView& node) {
  infer_and_fold(
      node, [](double a, double b, bool) -> Number { return a * b; }, node.type(0));
}

void infer_div(NodeView& node) {
  infer_and_fold(node, quotient, node.type(0));
}

void infer_mod(NodeView& node) {
  infer_and_fold(node, modulus, node.type(0));
}

void infer_pow(NodeView& node) {
  infer_and_fold(
      node, [](double a, double b, bool) -> Number { return std::pow(a, b); }, node.type(0));
}

void infer_equal(NodeView& node) {
  infer_and_fold(
      node, [](double a, double b, bool) -> Number { return a == b; }, ElementType::boolean);
}

void infer_less(NodeView& node) {
  infer_and_fold(
      node, [](double a, double b, bool) -> Number { return a < b; }, ElementType::boolean);
}

void infer_greater(NodeView& node) {
  infer_and_fold(
      node, [](double a, double b, bool) -> Number { return a > b; }, ElementType::boolean);
}

void infer_logic(NodeView& node) {
  node.set(0, shape_of_operands(node), ElementType::boolean);
}

/// One operand, with its values.
template <double (*function)(double)>
void infer_unary(NodeView& node) {
  node.set(0, node.shape(0), node.type(0));
  auto values = node.values(0);
  if (!values) return;
  for (Number& value : *values) {
    if (value) value = function(*value);
  }
  node.fold(0, std::move(*values));
}

double negative(double value) {
  return -value;
}
double rounded_down(double value) {
  return std::floor(value);
}
double rounded_up(double value) {
  return std::ceil(value);
}

void fold_where(NodeView& node) {
  const auto condition = node.values(0), yes = node.values(1), no = node.values(2);
  if (!condition || !yes || !no) return;
  const std::size_t size = std::max({condition->size(), yes->size(), no->size()});
  const auto at = [](const Values& values, std::size_t i) { return values[values.size() == 1 ? 0 : i]; };
  for (const Values* values : {&*condition, &*yes, &*no}) {
    if (values->size() != size && values->size() != 1) return;
  }
  Values result(size);
  for (std::size_t i = 0; i < size; ++i) {
    if (const Number chosen = at(*condition, i)) result[i] = *chosen != 0 ? at(*yes, i) : at(*no, i);
  }
  node.fold(0, std::move(result));
}

void infer_where(NodeView& node) {
  const TensorShape shape = broadcast(node, node.shape(0), broadcast(node, node.shape(1), node.shape(2)));
  node.set(0, shape, node.type(1));
  if (shape.known && shape.dimensions.size() <= 1) fold_where(node);
}

}  // namespace

void add_arithmetic_rules(RuleTable& table) {
  table["Add"] = infer_add;
  table["Sub"] = infer_sub;
  table["Mul"] = infer_mul;
  table["Div"] = infer_div;
  table["Mod"] = infer_mod;
  table["Pow"] = infer_pow;
  table["Equal"] = infer_equal;
  table["Less"] = infer_less;
  table["Greater"] = infer_greater;
  for (const char* name : {"LessOrEqual", "GreaterOrEqual", "And", "Or", "Xor"}) table[name] = infer_logic;
  table["Neg"] = infer_unary<negative>;
  table["Floor"] = infer_unary<rounded_down>;
  table["Ceil"] = infer_unary<rounded_up>;
  table["Where"] = infer_where;
}

}  // namespace convscope::network
