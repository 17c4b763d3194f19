#include "core/readers/graphdef/tensor_values.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/readers/common/graph_builder.h"
#include "core/readers/common/maps.h"

namespace convscope::readers::graphdef {
namespace {

using network::Constant;
using network::ElementType;

/// Appends a value in the type's own bytes.
template <typename Value>
void append(std::vector<char>& bytes, Value value) {
  const std::size_t at = bytes.size();
  bytes.resize(at + sizeof value);
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

void append_integer(std::vector<char>& bytes, std::int64_t value, std::size_t size) {
  for (std::size_t byte = 0; byte < size; ++byte)
    bytes.push_back(static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * byte) & 0xFFU));
}

/// The listed values' bytes. half_val holds bits, of float16 and bfloat16 alike.
std::vector<char> listed_bytes(const TensorProto& tensor, ElementType type, std::size_t size) {
  std::vector<char> bytes;
  for (const double value : tensor.reals) {
    if (type == ElementType::float32) append(bytes, static_cast<float>(value));
    if (type == ElementType::float64) append(bytes, value);
  }
  const bool real = type == ElementType::float32 || type == ElementType::float64;
  for (const std::int64_t value : tensor.integers)
    if (!real) append_integer(bytes, type == ElementType::boolean ? (value != 0 ? 1 : 0) : value, size);
  return bytes;
}

void own(Constant& constant, std::vector<char> bytes) {
  give_values(constant, std::move(bytes));
}

/// One value for all elements, as far as a double holds it.
std::optional<double> single_value(const std::vector<char>& bytes, ElementType type, std::size_t size) {
  if (bytes.empty()) return 0.0;
  if (bytes.size() != size) return std::nullopt;
  const Constant one{type, {1}, nullptr, std::as_bytes(std::span(bytes)), {}};
  if (type == ElementType::float32) {
    const auto value = one.floats(1);
    if (value && value->size() == 1) return value->front();
    return std::nullopt;
  }
  const auto value = one.integers(1);
  constexpr std::int64_t exact = std::int64_t{1} << 53;
  const bool integer = type != ElementType::float64 && type != ElementType::float16 && type != ElementType::bfloat16;
  if (integer && value && value->size() == 1 && value->front() >= -exact && value->front() <= exact)
    return static_cast<double>(value->front());
  return std::nullopt;
}

float rsqrt(float value) {
  return 1.0F / std::sqrt(value);
}

using Unary = float (*)(float);
using Binary = float (*)(float, float);

Unary unary_of(const std::string& name) {
  if (name == "Rsqrt") return rsqrt;
  if (name == "Sqrt") return [](float value) { return std::sqrt(value); };
  if (name == "Neg") return [](float value) { return -value; };
  if (name == "Square") return [](float value) { return value * value; };
  if (name == "Reciprocal" || name == "Inv") return [](float value) { return 1.0F / value; };
  return nullptr;
}

Binary binary_of(const std::string& name) {
  if (name == "Add" || name == "AddV2") return [](float a, float b) { return a + b; };
  if (name == "Sub") return [](float a, float b) { return a - b; };
  if (name == "Mul") return [](float a, float b) { return a * b; };
  if (name == "RealDiv" || name == "Div") return [](float a, float b) { return a / b; };
  if (name == "Maximum") return [](float a, float b) { return std::max(a, b); };
  if (name == "Minimum") return [](float a, float b) { return std::min(a, b); };
  return nullptr;
}

std::optional<Integers> common_box(Integers a, Integers b) {
  const std::size_t rank = std::max(a.size(), b.size());
  a.insert(a.begin(), rank - a.size(), 1);
  b.insert(b.begin(), rank - b.size(), 1);
  for (std::size_t axis = 0; axis < rank; ++axis) {
    if (a[axis] != b[axis] && a[axis] != 1 && b[axis] != 1) return std::nullopt;
    if (a[axis] == 1) a[axis] = b[axis];
  }
  return a;
}

/// How far to step in a constant's values for each axis of what it is broadcast to.
std::vector<std::size_t> steps_of(const Integers& dimensions, std::size_t rank) {
  std::vector<std::size_t> steps(rank, 0);
  std::size_t step = 1;
  for (std::size_t axis = dimensions.size(); axis-- > 0;) {
    if (dimensions[axis] != 1) steps[rank - dimensions.size() + axis] = step;
    step *= static_cast<std::size_t>(dimensions[axis]);
  }
  return steps;
}

/// Visits every position of a box in row-major order, with the places of two operands.
template <typename Visit>
void walk(const Integers& box, const std::vector<std::size_t>& first, const std::vector<std::size_t>& second,
          std::size_t count, const Visit& visit) {
  std::vector<std::int64_t> position(box.size(), 0);
  std::size_t a = 0, b = 0;
  for (std::size_t i = 0; i < count; ++i) {
    visit(i, a, b);
    for (std::size_t axis = box.size(); axis-- > 0;) {
      a += first[axis], b += second[axis];
      if (++position[axis] < box[axis]) break;
      a -= first[axis] * static_cast<std::size_t>(box[axis]);
      b -= second[axis] * static_cast<std::size_t>(box[axis]);
      position[axis] = 0;
    }
  }
}

}  // namespace

std::shared_ptr<const Constant> constant_of(const TensorProto& tensor, const std::string& element, int line,
                                            CopyBudget& budget, Report& report) {
  auto constant = std::make_shared<Constant>();
  constant->type = element_type(tensor.data_type);
  constant->dimensions = tensor.shape.dimensions;
  const auto count = tensor.shape.known ? element_count(tensor.shape.dimensions) : std::nullopt;
  if (!count) {
    report.error(line, element, fmt::format("its size is {}", fmt::join(tensor.shape.dimensions, " x ")),
                 fmt::format("known dimensions, and at most {} elements", network::element_cap));
    return nullptr;
  }
  const auto size = static_cast<std::size_t>(network::element_bits(constant->type)) / 8;
  if (size == 0 || *count == 0) return constant;
  const std::size_t whole = static_cast<std::size_t>(*count) * size;
  if (!tensor.content.empty()) {
    if (tensor.content.size() == whole) {
      constant->bytes = std::as_bytes(std::span(tensor.content));
      constant->owner = tensor.owner;
      return constant;
    }
    report.error(line, element,
                 fmt::format("its size is {} elements of {}, but it has {} bytes of values",
                             fmt::join(tensor.shape.dimensions, " x "), network::element_type_name(constant->type),
                             tensor.content.size()),
                 fmt::format("{} bytes", whole));
    return nullptr;
  }
  std::vector<char> listed = listed_bytes(tensor, constant->type, size);
  if (listed.size() > whole) {
    report.error(line, element, fmt::format("it has {} values", listed.size() / size),
                 fmt::format("at most {}, as its size says", *count));
    return nullptr;
  }
  if (const auto value = single_value(listed, constant->type, size); value && *count > 1) {
    constant->fill = value;
    return constant;
  }
  if (!budget.spend(whole)) return constant;
  if (listed.empty()) listed.assign(size, '\0');
  const std::vector<char> last(listed.end() - static_cast<std::ptrdiff_t>(size), listed.end());
  listed.reserve(whole);
  while (listed.size() < whole) listed.insert(listed.end(), last.begin(), last.end());
  own(*constant, std::move(listed));
  return constant;
}

std::shared_ptr<const Constant> reshaped(const Constant& source, Integers dimensions) {
  auto constant = std::make_shared<Constant>(source);
  constant->dimensions = std::move(dimensions);
  return constant;
}

std::shared_ptr<const Constant> transposed(const Constant& source, const Integers& order, CopyBudget& budget) {
  const std::size_t rank = source.dimensions.size();
  Integers dimensions, moved;
  for (const std::int64_t axis : order) {
    dimensions.push_back(source.dimensions[static_cast<std::size_t>(axis)]);
    if (dimensions.back() != 1) moved.push_back(axis);
  }
  const auto bits = static_cast<std::size_t>(network::element_bits(source.type));
  if (source.bytes.empty() || std::is_sorted(moved.begin(), moved.end())) return reshaped(source, dimensions);
  const std::size_t size = bits / 8;
  if (size == 0 || bits % 8 != 0 || !budget.spend(source.bytes.size())) return nullptr;
  const std::vector<std::size_t> plain = steps_of(source.dimensions, rank);
  std::vector<std::size_t> steps;
  for (const std::int64_t axis : order) steps.push_back(plain[static_cast<std::size_t>(axis)]);
  std::vector<char> bytes(source.bytes.size());
  const std::vector<std::size_t> none(rank, 0);
  walk(dimensions, steps, none, bytes.size() / size, [&](std::size_t to, std::size_t from, std::size_t) {
    std::memcpy(bytes.data() + to * size, source.bytes.data() + from * size, size);
  });
  auto result = std::make_shared<Constant>();
  result->type = source.type;
  result->dimensions = std::move(dimensions);
  own(*result, std::move(bytes));
  return result;
}

std::shared_ptr<const Constant> folded(const std::string& operator_name, const std::vector<const Constant*>& operands,
                                       CopyBudget& budget) {
  const Unary unary = operands.size() == 1 ? unary_of(operator_name) : nullptr;
  const Binary binary = operands.size() == 2 ? binary_of(operator_name) : nullptr;
  if (unary == nullptr && binary == nullptr) return nullptr;
  for (const Constant* operand : operands)
    if (operand->type != ElementType::float32 || !operand->present()) return nullptr;
  const auto box = common_box(operands.front()->dimensions, operands.back()->dimensions);
  const auto count = box ? element_count(*box) : std::nullopt;
  if (!count || *count == 0 || *count > (std::int64_t{1} << 24)) return nullptr;
  const auto size = static_cast<std::size_t>(*count);
  if (!budget.spend(size * sizeof(float))) return nullptr;
  const auto first = operands.front()->floats(size), second = operands.back()->floats(size);
  if (!first || !second) return nullptr;
  std::vector<float> values(size);
  walk(*box, steps_of(operands.front()->dimensions, box->size()), steps_of(operands.back()->dimensions, box->size()),
       size, [&](std::size_t i, std::size_t a, std::size_t b) {
         values[i] = unary != nullptr ? unary((*first)[a]) : binary((*first)[a], (*second)[b]);
       });
  auto result = std::make_shared<Constant>();
  result->type = ElementType::float32;
  result->dimensions = *box;
  give_values(*result, std::move(values));
  return result;
}

}  // namespace convscope::readers::graphdef
