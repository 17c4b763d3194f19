#pragma once
// Event simulation of an encoded program: timing alone, or timing and data, by the same run. What takes how long, and
// who goes first, is written down in docs/nmp-program.md. Shares nothing with the cost model.

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>

#include "core/nmp/architecture/program.h"
#include "core/nmp/simulate/observer.h"
#include "core/nmp/simulate/result.h"

namespace convscope::nmp {

struct SimulationOptions {
  std::int64_t instruction_budget = std::int64_t{1} << 26;  ///< of all cores; a program that runs more is refused
  std::int64_t work_budget = std::int64_t{1} << 34;         ///< MACs and bytes that are looked at
  bool free_instructions = false;  ///< they take no time: what is left is what the cost model estimates
  /// Everything takes up to so much longer, by chance: 0.5 up to half as long again. What the machine promises doesn't
  /// depend on it.
  double jitter = 0;
  std::uint64_t seed = 1;  ///< of the jitter
};

/// Timing alone; `observer` may be null. Throws Cancelled when asked to stop.
SimulationResult simulate(const Program& program, const SimulationOptions& options = {}, Observer* observer = nullptr,
                          const std::stop_token& stop = {});

/// Timing and data: the same times. `dram` is the DRAM's content before and after, Program::dram_bytes bytes. Data that
/// transfers move change at their end, so do results; local memories hold 0xcd before they are written.
SimulationResult simulate(const Program& program, std::span<std::uint8_t> dram, const SimulationOptions& options = {},
                          Observer* observer = nullptr, const std::stop_token& stop = {});

/// What keeps a program from being run with data at all, such as memories too large; empty if nothing does.
std::string why_not_with_data(const Program& program);

/// What instructions cost: the time of the program less what it would take if they took none (T_SW of equation 6).
double software_seconds(const Program& program, const SimulationResult& run, const SimulationOptions& options = {},
                        const std::stop_token& stop = {});

}  // namespace convscope::nmp
