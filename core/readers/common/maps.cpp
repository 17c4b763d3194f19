#include "core/readers/common/maps.h"

namespace convscope::readers {

std::optional<std::int64_t> element_count(const std::vector<std::int64_t>& dimensions) {
  std::int64_t count = 1;
  for (const std::int64_t dimension : dimensions) {
    if (dimension < 0) return std::nullopt;
    if (dimension != 0 && count > network::element_cap / dimension) return std::nullopt;
    count *= dimension;
  }
  return count;
}

bool is_bounded(std::vector<std::int64_t> dimensions) {
  std::erase_if(dimensions, [](std::int64_t dimension) { return dimension < 0; });
  return element_count(dimensions).has_value();
}

network::TensorShape Maps::shape() const {
  return {true, {network::unknown_dimension, maps, height, width}, {"batch"}};
}

std::int64_t window_positions(std::int64_t size, const Window& window) {
  if (size < 0) return network::unknown_dimension;
  const std::int64_t room = size + window.before + window.after - window.extent();
  return room < 0 ? 0 : room / window.stride + 1;
}

}  // namespace convscope::readers
