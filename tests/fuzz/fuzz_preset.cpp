// Any bytes as a preset of NVE: values that are allowed and are written and read back alike, or an error.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/arch/preset.h"
#include "core/nve/architecture/machine.h"
#include "tests/fuzz/require.h"

using convscope::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto description = convscope::nve::machine_description();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  convscope::Diagnostics diagnostics;
  const auto preset = convscope::arch::read_preset(text, "fuzz.xml", description, diagnostics);
  require(preset.has_value() != diagnostics.has_errors(), "a preset or an error");
  if (!preset) return 0;
  require(preset->values.check(diagnostics), "values within their ranges");
  const auto again =
      convscope::arch::read_preset(convscope::arch::write_preset(*preset), "again.xml", description, diagnostics);
  require(again && again->values == preset->values && again->name == preset->name && again->title == preset->title,
          "what is written reads back alike");
  return 0;
}
