#include "core/reference/operators/call.h"

#include <algorithm>
#include <limits>

namespace convscope::reference {

OperatorTable all_operators() {
  OperatorTable table;
  for (const auto add :
       {add_convolutions, add_deformed_convolution, add_pools, add_products, add_unary, add_binary, add_normalizations,
        add_movements, add_joins, add_indexing, add_reductions, add_quantizations, add_resizes})
    add(table);
  return table;
}

Dimensions strides_of(const Dimensions& dimensions) {
  Dimensions strides(dimensions.size(), 1);
  for (std::size_t i = dimensions.size(); i > 1; --i) strides[i - 2] = strides[i - 1] * dimensions[i - 1];
  return strides;
}

Dimensions stretched_strides(const Dimensions& dimensions, const Dimensions& out) {
  const Dimensions own = strides_of(dimensions);
  Dimensions strides(out.size(), 0);
  const std::size_t added = out.size() - dimensions.size();
  for (std::size_t i = 0; i < dimensions.size(); ++i) strides[i + added] = dimensions[i] == 1 ? 0 : own[i];
  return strides;
}

AxisView along(const Dimensions& dimensions, std::size_t axis) {
  return {network::product(dimensions, 0, axis), dimensions[axis],
          network::product(dimensions, axis + 1, dimensions.size())};
}

Range range_of(network::ElementType type) {
  using network::ElementType;
  const int bits = network::element_bits(type);
  switch (type) {
    case ElementType::uint4:
    case ElementType::uint8:
    case ElementType::uint16:
    case ElementType::uint32:
    case ElementType::uint64:
      return {0, static_cast<double>((bits == 64 ? 0 : std::uint64_t{1} << bits) - 1)};
    case ElementType::int4:
    case ElementType::int8:
    case ElementType::int16:
    case ElementType::int32:
    case ElementType::int64: {
      const double half = static_cast<double>(std::uint64_t{1} << (bits - 1));
      return {-half, half - 1};
    }
    case ElementType::boolean:
      return {0, 1};
    default:
      return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  }
}

double saturate(double value, network::ElementType type) {
  const Range range = range_of(type);
  return std::clamp(value, range.least, range.largest);
}

bool is_real(network::ElementType type) {
  using network::ElementType;
  return type == ElementType::float32 || type == ElementType::float64 || type == ElementType::float16 ||
         type == ElementType::bfloat16;
}

}  // namespace convscope::reference
