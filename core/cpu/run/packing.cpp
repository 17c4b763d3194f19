#include "core/cpu/run/packing.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "core/flyte/flyte.h"

namespace convscope::cpu {
namespace {

std::vector<std::int64_t> places_of(const Layout& layout, const Extents& extents, char dimension, int count) {
  const std::int64_t step = stride(layout, extents, dimension);
  const bool blocked = layout.blocked == dimension;
  const std::int64_t block = blocked ? layout.block : count;
  const std::int64_t block_step = blocked ? block_stride(layout, extents) : 0;
  std::vector<std::int64_t> result(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i)
    result[static_cast<std::size_t>(i)] = i / block * block_step + i % block * step;
  return result;
}

/// Calls visit(plain index, packed index) for each element.
template <typename Visit>
void each_element(const Places& places, std::size_t dimension, std::int64_t packed, std::int64_t& plain,
                  const Visit& visit) {
  for (const std::int64_t place : places.at[dimension]) {
    if (dimension + 1 == places.at.size())
      visit(plain++, packed + place);
    else
      each_element(places, dimension + 1, packed + place, plain, visit);
  }
}

}  // namespace

Places places(const Layout& layout, const Extents& extents) {
  Places result;
  for (const auto& [dimension, count] : extents.of) result.at.push_back(places_of(layout, extents, dimension, count));
  return result;
}

void pack(const float* plain, const Layout& layout, const Extents& extents, float* packed) {
  std::fill_n(packed, elements(layout, extents), 0.0F);
  std::int64_t next = 0;
  each_element(places(layout, extents), 0, 0, next,
               [&](std::int64_t from, std::int64_t to) { packed[to] = plain[from]; });
}

void pack_kernel(const float* plain, const KernelTransform& transform, const Layout& layout, const Problem& problem,
                 float* packed) {
  if (transform.none()) return pack(plain, layout, problem.kernel(), packed);
  pack(transformed(transform, problem, plain).data(), layout, transform.extents(problem), packed);
}

void unpack(const float* packed, const Layout& layout, const Extents& extents, float* plain) {
  std::int64_t next = 0;
  each_element(places(layout, extents), 0, 0, next,
               [&](std::int64_t to, std::int64_t from) { plain[to] = packed[from]; });
}

void pack_bytes(const float* plain, const Layout& layout, const Extents& extents, float* packed) {
  if (layout.storage.complete()) return pack(plain, layout, extents, packed);
  const std::vector<std::byte> bytes = packed_bytes(plain, layout, extents);
  std::memcpy(packed, bytes.data(), bytes.size());
}

std::vector<std::byte> packed_bytes(const float* plain, const Layout& layout, const Extents& extents) {
  std::vector<float> packed(static_cast<std::size_t>(elements(layout, extents)));
  pack(plain, layout, extents, packed.data());
  return flyte::encoded(packed, layout.storage);
}

void unpack_bytes(const float* packed, const Layout& layout, const Extents& extents, float* plain) {
  if (layout.storage.complete()) return unpack(packed, layout, extents, plain);
  const auto all = std::as_bytes(std::span(packed, static_cast<std::size_t>((bytes(layout, extents) + 3) / 4)))
                       .first(static_cast<std::size_t>(bytes(layout, extents)));
  unpack(flyte::decoded(all, layout.storage).data(), layout, extents, plain);
}

}  // namespace convscope::cpu
