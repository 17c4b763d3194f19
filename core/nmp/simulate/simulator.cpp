#include "core/nmp/simulate/simulator.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/nmp/architecture/program_check.h"
#include "core/nmp/simulate/machine_run.h"

namespace convscope::nmp {
namespace {

/// What keeps a program from being run at all, as a refusal of nobody's at time 0.
std::optional<Refusal> not_runnable(const Program& program) {
  Diagnostics diagnostics;
  if (check_program(program, program.name, diagnostics)) return std::nullopt;
  const Diagnostic& first = diagnostics.items().front();
  Refusal refusal;
  refusal.what = fmt::format("{}: {}; expected {}", first.where.element, first.what, first.expected);
  return refusal;
}

SimulationResult run(const Program& program, std::span<std::uint8_t> dram, bool has_data,
                     const SimulationOptions& options, Observer* observer, const std::stop_token& stop) {
  SimulationResult nothing;
  nothing.refusal = not_runnable(program);
  if (!nothing.refusal && has_data && static_cast<std::int64_t>(dram.size()) != program.dram_bytes)
    nothing.refusal =
        Refusal{0, -1, -1, -1, fmt::format("the DRAM has {} bytes; expected {}", dram.size(), program.dram_bytes)};
  if (nothing.refusal) return nothing;
  Observer nobody;
  return simulation::MachineRun(program, dram, has_data, options, observer ? *observer : nobody, stop).run();
}

}  // namespace

std::string Refusal::text() const {
  std::string where;
  if (tle >= 0) where = fmt::format("TLE {}, TLT {}, instruction {}, ", tle, tlt, instruction);
  return fmt::format("{}{:.6g} us: {}", where, seconds * 1e6, what);
}

SimulationResult simulate(const Program& program, const SimulationOptions& options, Observer* observer,
                          const std::stop_token& stop) {
  return run(program, {}, false, options, observer, stop);
}

SimulationResult simulate(const Program& program, std::span<std::uint8_t> dram, const SimulationOptions& options,
                          Observer* observer, const std::stop_token& stop) {
  return run(program, dram, true, options, observer, stop);
}

double software_seconds(const Program& program, const SimulationResult& result, const SimulationOptions& options,
                        const std::stop_token& stop) {
  SimulationOptions free = options;
  free.free_instructions = true;
  return std::max(0.0, result.seconds - simulate(program, free, nullptr, stop).seconds);
}

}  // namespace convscope::nmp
