// Any bytes as a program of NMP, in either form: printed and read back alike, verified and run to an end; or an error.
// What the verifier accepts, the simulator runs.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/nmp/architecture/assembly.h"
#include "core/nmp/simulate/simulator.h"
#include "core/nmp/verify/verify_program.h"
#include "tests/fuzz/require.h"

using convscope::fuzz::require;
namespace nmp = convscope::nmp;

namespace {
/// So few that thousands of programs a second come to their end.
constexpr std::int64_t steps = 20'000;
constexpr std::int64_t small_dram = 1 << 20;
constexpr int few_tlts = 16;
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  convscope::Diagnostics diagnostics;
  const auto program = nmp::read_any_program(text, "fuzz", diagnostics);
  require(program.has_value() != diagnostics.has_errors(), "a program or an error");
  if (!program) return 0;
  require(nmp::read_program_file(nmp::write_program_file(*program), "again", diagnostics) == program,
          "what is written reads back to the same program");
  require(nmp::parse_assembly(nmp::print_assembly(*program), "again", diagnostics) == program,
          "what is printed parses back to the same program");
  if (program->dram_bytes > small_dram || program->tlts() > few_tlts) return 0;
  convscope::Diagnostics found;
  const auto run = nmp::verify_program(*program, found, {steps});
  require(run.ok != found.has_errors(), "verified or refused");
  std::vector<std::uint8_t> dram(static_cast<std::size_t>(program->dram_bytes));
  nmp::SimulationOptions options;
  options.instruction_budget = steps;
  options.work_budget = 4'000'000;
  const auto simulated = nmp::simulate(*program, dram, options);
  // Budgets count other things: what is accepted may still be too much work.
  const bool over = simulated.refusal && simulated.refusal->what.starts_with("more than");
  require(!run.ok || over || !simulated.refusal, "what is accepted runs");
  return 0;
}
