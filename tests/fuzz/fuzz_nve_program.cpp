// Any bytes as a program file of NVE: a program that is printed and parsed back alike, or an error.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/nve/architecture/assembly.h"
#include "tests/fuzz/require.h"

using convscope::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  convscope::Diagnostics diagnostics;
  const auto program = convscope::nve::read_program_file(text, "fuzz", diagnostics);
  require(program.has_value() != diagnostics.has_errors(), "a program or an error");
  if (!program) return 0;
  const auto again =
      convscope::nve::read_program_file(convscope::nve::write_program_file(*program), "again", diagnostics);
  require(again == program, "what is printed parses back to the same program");
  return 0;
}
