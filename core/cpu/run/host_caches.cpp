#include "core/cpu/run/host_caches.h"

#include <algorithm>
#include <fstream>

#include <fmt/format.h>
#include <unistd.h>

#include "core/base/text.h"

namespace convscope::cpu {
namespace {

// Of the processors of the last ten years; an estimate with these ranks programs far better than one without caches.
constexpr CacheSizes usual = {32 << 10, 512 << 10, 8 << 20};
constexpr std::int64_t largest_shared = 32 << 20;

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return std::string(trimmed(line));
}

/// "2048K" in bytes; 0 if it is no size.
std::int64_t size_of(const std::string& text) {
  std::size_t digits = 0;
  std::int64_t value = 0;
  for (; digits < text.size() && text[digits] >= '0' && text[digits] <= '9' && digits < 12; ++digits)
    value = value * 10 + (text[digits] - '0');
  const char unit = digits < text.size() ? text[digits] : ' ';
  return value << (unit == 'K' ? 10 : unit == 'M' ? 20 : unit == 'G' ? 30 : 0);
}

CacheSizes of_kernel(const std::string& folder) {
  CacheSizes sizes;
  for (int index = 0; index < 10; ++index) {
    const std::string one = fmt::format("{}/index{}/", folder, index);
    const std::string level = first_line(one + "level");
    if (level.empty() || first_line(one + "type") == "Instruction") continue;
    (level == "1" ? sizes.l1 : level == "2" ? sizes.l2 : sizes.l3) = size_of(first_line(one + "size"));
  }
  return sizes;
}

/// The first that is known.
std::int64_t first_of(std::int64_t kernel, std::int64_t library, std::int64_t otherwise) {
  return kernel > 0 ? kernel : library > 0 ? library : otherwise;
}

}  // namespace

CacheSizes host_caches(const std::string& folder) {
  const CacheSizes kernel = of_kernel(folder);
  return {first_of(kernel.l1, sysconf(_SC_LEVEL1_DCACHE_SIZE), usual.l1),
          first_of(kernel.l2, sysconf(_SC_LEVEL2_CACHE_SIZE), usual.l2),
          first_of(kernel.l3, std::min<std::int64_t>(sysconf(_SC_LEVEL3_CACHE_SIZE), largest_shared), usual.l3)};
}

}  // namespace convscope::cpu
