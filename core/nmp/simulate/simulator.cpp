#include "core/nmp/simulate/simulator.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/nmp/architecture/program_check.h"
#include "core/nmp/simulate/machine_run.h"

namespace convscope::nmp {
namespace {

/// Of all TLTs together, where data are run.
constexpr std::int64_t most_local_bytes = std::int64_t{1} << 29;

std::int64_t local_bytes(const Program& program) {
  const Machine& m = program.machine;
  return program.tlts() * (m.input_bytes + m.weight_bytes + m.output_bytes);
}

/// What keeps a program from being run at all; empty if nothing does.
std::string why_not_at_all(const Program& program) {
  Diagnostics diagnostics;
  if (!check_program(program, program.name, diagnostics)) {
    const Diagnostic& first = diagnostics.items().front();
    return fmt::format("{}: {}; expected {}", first.where.element, first.what, first.expected);
  }
  return {};
}

std::string why_not(const Program& program, std::span<const std::uint8_t> dram, bool has_data) {
  if (!has_data) return why_not_at_all(program);
  if (std::string why = why_not_with_data(program); !why.empty()) return why;
  if (static_cast<std::int64_t>(dram.size()) != program.dram_bytes)
    return fmt::format("the DRAM has {} bytes; expected {}", dram.size(), program.dram_bytes);
  return {};
}

SimulationResult run(const Program& program, std::span<std::uint8_t> dram, bool has_data,
                     const SimulationOptions& options, Observer* observer, const std::stop_token& stop) {
  if (const std::string why = why_not(program, dram, has_data); !why.empty()) {
    SimulationResult nothing;
    nothing.refusal = Refusal{0, -1, -1, -1, why};
    return nothing;
  }
  Observer nobody;
  return simulation::MachineRun(program, dram, has_data, options, observer ? *observer : nobody, stop).run();
}

}  // namespace

std::string Refusal::text() const {
  std::string where;
  if (tle >= 0) where = fmt::format("TLE {}, TLT {}, instruction {}, ", tle, tlt, instruction);
  return fmt::format("{}{:.6g} us: {}", where, seconds * 1e6, what);
}

std::string why_not_with_data(const Program& program) {
  if (std::string why = why_not_at_all(program); !why.empty()) return why;
  if (local_bytes(program) <= most_local_bytes) return {};
  return fmt::format("the TLTs' memories have {} bytes together; expected at most {} where data are run",
                     local_bytes(program), most_local_bytes);
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
