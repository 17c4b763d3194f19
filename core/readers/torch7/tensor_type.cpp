#include "core/readers/torch7/tensor_type.h"

#include <array>
#include <utility>

namespace convscope::readers::torch7 {
namespace {

using network::ElementType;

constexpr std::array<std::pair<std::string_view, ElementType>, 8> elements{{{"Byte", ElementType::uint8},
                                                                            {"Char", ElementType::int8},
                                                                            {"Short", ElementType::int16},
                                                                            {"Int", ElementType::int32},
                                                                            {"Long", ElementType::int64},
                                                                            {"Float", ElementType::float32},
                                                                            {"Double", ElementType::float64},
                                                                            {"Half", ElementType::float16}}};

bool drop_front(std::string_view& text, std::string_view front) {
  if (!text.starts_with(front)) return false;
  text.remove_prefix(front.size());
  return true;
}

std::optional<ElementType> element(std::string_view type, std::string_view what, int long_bytes) {
  if (!drop_front(type, "torch.") || !type.ends_with(what)) return std::nullopt;
  type.remove_suffix(what.size());
  // Of a graphics card: floats unless the name says more.
  const bool device = drop_front(type, "Cuda") || drop_front(type, "Cl");
  if (device && type.empty()) return ElementType::float32;
  for (const auto& [name, element] : elements) {
    if (type != name) continue;
    return element == ElementType::int64 && long_bytes == 4 ? ElementType::int32 : element;
  }
  return std::nullopt;
}

}  // namespace

std::optional<ElementType> tensor_element(std::string_view type, int long_bytes) {
  return element(type, "Tensor", long_bytes);
}

std::optional<ElementType> storage_element(std::string_view type, int long_bytes) {
  return element(type, "Storage", long_bytes);
}

}  // namespace convscope::readers::torch7
