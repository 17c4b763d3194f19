#include "core/readers/graphdef/shape_numbers.h"

#include <algorithm>

namespace convscope::readers::graphdef {
namespace {

using NumberKind = ShapeNumber::Kind;

/// Product of dimensions but one; nothing if it isn't known. `batches` counts open_batch among them.
std::optional<std::int64_t> known_product(const Integers& dimensions, int& batches) {
  Integers known;
  for (const std::int64_t dimension : dimensions) {
    if (dimension == open_batch)
      ++batches;
    else
      known.push_back(dimension);
  }
  return element_count(known);
}

}  // namespace

ShapeNumber ShapeNumber::of(std::int64_t dimension) {
  if (dimension == open_batch) return {NumberKind::batch, 0};
  return dimension < 0 ? ShapeNumber{} : ShapeNumber{NumberKind::known, dimension};
}

std::int64_t ShapeNumber::dimension() const {
  return kind == NumberKind::batch                 ? open_batch
         : kind == NumberKind::known && value >= 0 ? value
                                                   : network::unknown_dimension;
}

std::optional<ShapeNumbers> numbers_of(const Value& value) {
  if (value.numbers) return value.numbers;
  if (!value.constant || value.constant->dimensions.size() > 1) return std::nullopt;
  const network::ElementType type = value.constant->type;
  if (type != network::ElementType::int32 && type != network::ElementType::int64) return std::nullopt;
  const auto integers = value.constant->integers(most_numbers);
  if (!integers) return std::nullopt;
  ShapeNumbers numbers;
  for (const std::int64_t integer : *integers) numbers.push_back({NumberKind::known, integer});
  return numbers;
}

ShapeNumber product(const ShapeNumber& a, const ShapeNumber& b) {
  return computed("Mul", a, b);
}

ShapeNumber computed(const std::string& operator_name, const ShapeNumber& a, const ShapeNumber& b) {
  if (operator_name == "Mul" && a.kind == NumberKind::batch && b.kind == NumberKind::known && b.value == 1) return a;
  if (operator_name == "Mul" && b.kind == NumberKind::batch && a.kind == NumberKind::known && a.value == 1) return b;
  if (a.kind != NumberKind::known || b.kind != NumberKind::known) return {};
  ShapeNumber result{NumberKind::known, 0};
  bool fits = true;
  if (operator_name == "Mul")
    fits = !__builtin_mul_overflow(a.value, b.value, &result.value);
  else if (operator_name == "Add" || operator_name == "AddV2")
    fits = !__builtin_add_overflow(a.value, b.value, &result.value);
  else if (operator_name == "Sub")
    fits = !__builtin_sub_overflow(a.value, b.value, &result.value);
  else if (operator_name == "FloorDiv" && a.value >= 0 && b.value > 0)
    result.value = a.value / b.value;
  else if (operator_name == "Maximum")
    result.value = std::max(a.value, b.value);
  else if (operator_name == "Minimum")
    result.value = std::min(a.value, b.value);
  else
    fits = false;
  return fits ? result : ShapeNumber{};
}

std::optional<Integers> reshaped_dimensions(const network::TensorShape& from, const ShapeNumbers& wanted) {
  Integers result;
  std::size_t rest = wanted.size();
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const bool computed_here = wanted[i].kind == NumberKind::known && wanted[i].value == -1;
    if (wanted[i].kind == NumberKind::known && (wanted[i].value < -1 || (computed_here && rest < wanted.size())))
      return std::nullopt;
    if (computed_here) rest = i;
    result.push_back(computed_here ? 1 : wanted[i].dimension());
  }
  int batches_before = 0, batches_after = 0;
  const auto before = from.known ? known_product(from.dimensions, batches_before) : std::nullopt;
  const auto after = known_product(result, batches_after);
  const std::int64_t all = before.value_or(0), others = after.value_or(0);
  if (rest == wanted.size()) {
    if (before && after && batches_before == batches_after && all != others) return std::nullopt;
    return result;
  }
  result[rest] = network::unknown_dimension;
  if (!before || others == 0) return result;
  if (batches_before == batches_after && all % others != 0) return std::nullopt;
  if (batches_before == batches_after) result[rest] = all / others;
  if (batches_before == batches_after + 1 && all == others) result[rest] = open_batch;
  return result;
}

}  // namespace convscope::readers::graphdef
