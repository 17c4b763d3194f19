#include "core/nmp/examine_program.h"

#include <cmath>

#include <fmt/format.h>

#include "core/nmp/host/run.h"
#include "core/nmp/verify/verify_program.h"
#include "core/target/examine.h"

namespace convscope::nmp {
namespace {

constexpr std::uint64_t examined_seed = 1;

artifact::NamedQuantity examined(const char* key, double value, const char* unit, Origin origin) {
  return {key, {value, unit, origin}};
}

bool same_machine(const Program& program, const Program& wanted, const Location& where, Diagnostics& diagnostics) {
  if (program.machine != wanted.machine) {
    target::refuse_machine(parameter_values(program.machine), parameter_values(wanted.machine), where, diagnostics);
    return false;
  }
  if (program.level == wanted.level && program.commands_hold_dram == wanted.commands_hold_dram) return true;
  diagnostics.error(where, "is made for other costs of transfers", "level and commands_hold_dram of the lab's program");
  return false;
}

/// Where maps and weights lie is given: the host puts them there.
bool same_layers(const Program& program, const Program& wanted, const Location& where, Diagnostics& diagnostics) {
  const bool same =
      program.dram_bytes == wanted.dram_bytes && program.regions == wanted.regions && program.layers == wanted.layers;
  if (!same)
    diagnostics.error(
        where, "computes something else, or elsewhere in DRAM",
        fmt::format("DRAM, regions and the {} layer(s) of {} as there", wanted.layers.size(), wanted.name));
  return same;
}

}  // namespace

target::Examination examine_program(const Program& program, const Program& wanted, const std::string& file,
                                    std::int64_t steps, const std::stop_token& stop, Diagnostics& diagnostics) {
  const Location where{file, 0, {}};
  target::Examination result;
  result.same_task =
      same_machine(program, wanted, where, diagnostics) && same_layers(program, wanted, where, diagnostics);
  if (!result.same_task) return result;
  const VerifiedRun verified = verify_program(program, diagnostics, {steps}, stop);
  result.verified = verified.ok;
  if (const std::string why = why_not_with_data(program); !why.empty()) {
    diagnostics.error(where, why);
    return result;
  }
  const ComparedRun run = run_and_compare(program, examined_seed, {.instruction_budget = steps}, nullptr, stop);
  if (!run.equal()) diagnostics.error(where, run.text(), "the outputs of the fixed-point reference");
  result.matches = run.equal();
  if (!result.verified || !result.matches) return result;
  const double cycles = std::round(run.result.seconds * program.machine.clock_hz);
  result.figures = {examined("cycles", cycles, "cycles", Origin::simulated),
                    examined("instructions", static_cast<double>(program.code.size()), "", Origin::derived)};
  return result;
}

}  // namespace convscope::nmp
