#include "core/network/element_type.h"

#include <array>
#include <cassert>

namespace convscope::network {
namespace {

struct Description {
  std::string_view name;
  int bits;
};

// In the order of the enumeration.
constexpr std::array<Description, 18> descriptions{{{"unknown", 0},
                                                    {"float32", 32},
                                                    {"float16", 16},
                                                    {"bfloat16", 16},
                                                    {"float64", 64},
                                                    {"int4", 4},
                                                    {"uint4", 4},
                                                    {"int8", 8},
                                                    {"uint8", 8},
                                                    {"int16", 16},
                                                    {"uint16", 16},
                                                    {"int32", 32},
                                                    {"uint32", 32},
                                                    {"int64", 64},
                                                    {"uint64", 64},
                                                    {"boolean", 8},
                                                    {"string", 0},
                                                    {"other", 0}}};
static_assert(descriptions.size() == static_cast<std::size_t>(ElementType::other) + 1);

const Description& describe(ElementType type) {
  const auto index = static_cast<std::size_t>(type);
  assert(index < descriptions.size());
  return descriptions[index];
}

}  // namespace

std::string_view element_type_name(ElementType type) {
  return describe(type).name;
}

int element_bits(ElementType type) {
  return describe(type).bits;
}

ElementType element_type_of_onnx(std::int64_t number) {
  constexpr std::array<ElementType, 17> types{
      ElementType::unknown, ElementType::float32, ElementType::uint8,  ElementType::int8,   ElementType::uint16,
      ElementType::int16,   ElementType::int32,   ElementType::int64,  ElementType::string, ElementType::boolean,
      ElementType::float16, ElementType::float64, ElementType::uint32, ElementType::uint64, ElementType::other,
      ElementType::other,   ElementType::bfloat16};
  if (number == 21) return ElementType::uint4;
  if (number == 22) return ElementType::int4;
  if (number < 0 || static_cast<std::uint64_t>(number) >= types.size()) return ElementType::other;
  return types[static_cast<std::size_t>(number)];
}

}  // namespace convscope::network
