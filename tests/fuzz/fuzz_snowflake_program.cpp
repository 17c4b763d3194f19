// Any bytes as a program of Snowflake, in either form: printed and read back alike, and verified to an end; or an
// error.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/snowflake/architecture/assembly.h"
#include "core/snowflake/verify/verify_program.h"
#include "tests/fuzz/require.h"

using convscope::fuzz::require;
namespace snowflake = convscope::snowflake;

namespace {
/// So few that thousands of programs a second come to their end.
constexpr std::int64_t steps = 20'000;
constexpr std::int64_t small_dram = 1 << 22;
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  convscope::Diagnostics diagnostics;
  const auto program = snowflake::read_any_program(text, "fuzz", diagnostics);
  require(program.has_value() != diagnostics.has_errors(), "a program or an error");
  if (!program) return 0;
  require(snowflake::read_program_file(snowflake::write_program_file(*program), "again", diagnostics) == program,
          "what is written reads back to the same program");
  require(snowflake::parse_assembly(snowflake::print_assembly(*program), "again", diagnostics) == program,
          "what is printed parses back to the same program");
  if (program->dram_words > small_dram) return 0;
  convscope::Diagnostics found;
  const auto run = snowflake::verify_program(*program, found, {steps});
  require(run.ok != found.has_errors(), "verified or refused");
  return 0;
}
