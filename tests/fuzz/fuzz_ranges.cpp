// Any bytes as ranges given for quantization: ranges that hold 0 and nothing but numbers, or an error.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/quantization/given_ranges.h"
#include "tests/fuzz/require.h"

using convscope::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  convscope::Diagnostics diagnostics;
  const auto ranges = convscope::quantization::parse_ranges(text, "fuzz", diagnostics);
  require(ranges.has_value() != diagnostics.has_errors(), "ranges or an error");
  if (!ranges) return 0;
  for (const auto& [name, range] : *ranges) {
    require(range.least <= 0 && range.most >= 0, "0 belongs to each");
    require(std::isfinite(range.least) && std::isfinite(range.most), "a range ends");
  }
  return 0;
}
