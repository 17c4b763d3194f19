#pragma once
// Tensors between their plain order and the layout that a program takes.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/cpu/architecture/kernel_transform.h"
#include "core/cpu/architecture/layout.h"
#include "core/cpu/architecture/problem.h"

namespace convscope::cpu {

/// Where the elements of a tensor stand: place = sum of at[dimension][index].
struct Places {
  std::vector<std::vector<std::int64_t>> at;  ///< by dimension in `extents`' order, by index
};
Places places(const Layout& layout, const Extents& extents);

/// `plain` stands in the order of `extents`, the last dimension innermost. `packed` has elements(layout, extents);
/// what fills up incomplete blocks becomes 0.
void pack(const float* plain, const Layout& layout, const Extents& extents, float* packed);
/// A problem's kernel, M Y X C, transformed and packed. `packed` has elements(layout, transform.extents(problem)).
void pack_kernel(const float* plain, const KernelTransform& transform, const Layout& layout, const Problem& problem,
                 float* packed);
void unpack(const float* packed, const Layout& layout, const Extents& extents, float* plain);

/// The same from and to the bytes of the layout's storage, which begin where a float may.
void pack_bytes(const float* plain, const Layout& layout, const Extents& extents, float* packed);
std::vector<std::byte> packed_bytes(const float* plain, const Layout& layout, const Extents& extents);
void unpack_bytes(const float* packed, const Layout& layout, const Extents& extents, float* plain);

}  // namespace convscope::cpu
