// Small arithmetic of whole numbers that many passes need.
#pragma once

#include <cstddef>
#include <cstdint>

namespace convscope {

/// The least whole number not below a / b; a at least 0, b above 0.
constexpr std::int64_t divide_up(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

/// The place of an element in a container, from an index that is at least 0.
constexpr std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

}  // namespace convscope
