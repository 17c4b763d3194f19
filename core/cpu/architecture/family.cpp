#include "core/cpu/architecture/family.h"

#include <algorithm>
#include <array>

namespace convscope::cpu {
namespace {

constexpr std::array<FamilyTraits, 6> all{{
    {Family::scalar, "scalar", 1, 16, "", ""},
    {Family::avx2, "avx2", 8, 16, "-mavx2 -mfma", "x86_64-linux-gnu"},
    {Family::avx512, "avx512", 16, 32,
     "-mavx2 -mfma -mavx512f -mavx512vl -mavx512dq -mavx512bw -mprefer-vector-width=512", "x86_64-linux-gnu"},
    {Family::avx512vbmi, "avx512vbmi", 16, 32,
     "-mavx2 -mfma -mavx512f -mavx512vl -mavx512dq -mavx512bw -mavx512vbmi -mprefer-vector-width=512",
     "x86_64-linux-gnu"},
    {Family::neon32, "neon32", 4, 16, "-march=armv7-a -mfpu=neon-vfpv4 -mfloat-abi=hard", "armv7a-linux-gnueabihf"},
    {Family::neon64, "neon64", 4, 32, "", "aarch64-linux-gnu"},
}};

}  // namespace

std::span<const FamilyTraits> families() {
  return all;
}

const FamilyTraits& traits(Family family) {
  return all[static_cast<std::size_t>(family)];
}

const FamilyTraits* find_family(std::string_view key) {
  const auto* found = std::find_if(all.begin(), all.end(), [&](const FamilyTraits& one) { return one.key == key; });
  return found == all.end() ? nullptr : found;
}

}  // namespace convscope::cpu
