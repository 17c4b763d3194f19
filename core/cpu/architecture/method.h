#pragma once
// Ways of computing a convolution.

#include <cstdint>

namespace convscope::cpu {

/// How a convolution is computed around a microkernel.
enum class Method : std::uint8_t {
  direct,       ///< as it is defined
  winograd_2d,  ///< products of transformed tiles
  winograd_1d,  ///< the same along rows, summed over the kernel's height
};

/// What is chosen from.
enum class Methods : std::uint8_t { all, direct, winograd };

constexpr bool includes(Methods methods, Method method) {
  return methods == Methods::all || (methods == Methods::direct) == (method == Method::direct);
}

}  // namespace convscope::cpu
