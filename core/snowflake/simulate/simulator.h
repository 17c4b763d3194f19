#pragma once
// Event-driven simulation of an encoded program: timing alone, or timing and data, by the same core. The timing model
// with ticks, ties and stalls is written down in docs/snowflake-simulation.md.

#include <cstdint>
#include <span>
#include <stop_token>

#include "core/snowflake/architecture/program.h"
#include "core/snowflake/simulate/result.h"

namespace convscope::snowflake {

struct SimulationOptions {
  std::int64_t instruction_budget = 1'000'000'000;  ///< a program that issues more is refused
};

/// Hears what the machine writes to DRAM, in the order of the write-backs.
class OutputSink {
 public:
  OutputSink() = default;
  OutputSink(const OutputSink&) = delete;
  OutputSink& operator=(const OutputSink&) = delete;
  virtual ~OutputSink() = default;
  virtual void written(int layer, std::int64_t dram_word, std::span<const std::int16_t> words) = 0;
};

/// Timing alone. Throws Cancelled when asked to stop.
SimulationResult simulate(const Program& program, const SimulationOptions& options = {},
                          const std::stop_token& stop = {});

/// Timing and data: the same cycles. `dram` is the DRAM's content before and after, Program::dram_words words; the
/// instructions are taken from the program. `sink` may be null.
SimulationResult simulate(const Program& program, std::span<std::int16_t> dram, OutputSink* sink,
                          const SimulationOptions& options = {}, const std::stop_token& stop = {});

}  // namespace convscope::snowflake
