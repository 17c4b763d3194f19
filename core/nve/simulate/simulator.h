#pragma once
// Cycle-accurate simulation of the encoded binary (thesis, sections 3.1-3.3): instruction fields, AGU, registers,
// ports, buffer latencies, and the control states load, initial, repeat, final with input and output stalls.
// Refuses a program with a hazard and names cycle, field and operation.

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/nve/architecture/program.h"

namespace convscope::nve {

/// Activation: index = clamp(accumulator >> shift, -512, 511) + 512.
using ActivationTable = std::array<std::uint8_t, 1024>;

struct Hazard {
  std::int64_t cycle = 0;
  int address = 0;    ///< instruction address
  std::string field;  ///< "MEMA", …
  std::string text;   ///< operation and what is wrong with it
};

/// What surrounds the machine during one strip.
struct Host {
  /// Fills the words of a stream item: pixels_per_word bytes, for repetition r of its section; of a unit or an ordered
  /// word, for a pass, counted over all iterations.
  std::function<void(const StreamWord& item, std::int64_t repetition, std::span<std::uint8_t> word)> supply;
  /// Takes activation_lanes() outputs for an item in repetition r of its section.
  std::function<void(const OutputWord& item, std::int64_t repetition, std::span<const std::uint8_t> pixels)> accept;
  /// Takes the accumulators of the same lanes right before `accept`; null: nobody looks at them.
  std::function<void(const OutputWord& item, std::int64_t repetition, std::span<const std::uint32_t> sums)>
      accept_sums = {};
  /// Cycles for which the input has no data / the output is full before this access; null: never.
  std::function<int(std::int64_t access)> input_stall = {}, output_stall = {};
};

struct StripRun {
  std::optional<Hazard> hazard;
  std::int64_t cycles = 0;  ///< instructions executed; stalls not counted
  std::int64_t input_stalls = 0, output_stalls = 0;
  std::int64_t load_cycles = 0;  ///< cycles of the load state: one per instruction word
  std::int64_t macs = 0;         ///< lanes x mac operations that reached an output
};

/// What would make a run meaningless before its first cycle; empty if nothing.
std::string structure_complaint(const Program& program);

/// Runs one strip. A coefficient word is supplied as little-endian 16-bit values.
StripRun run_strip(const Program& program, const ActivationTable& activation, const Host& host,
                   const std::stop_token& stop = {});

}  // namespace convscope::nve
