#pragma once
// What a program will cost, before it is made: closed forms that fusion compares.

#include <cstdint>
#include <optional>

#include "core/nve/passes/loop.h"

namespace convscope::nve {

/// Time, and of what hardly differs in time, transfers: a word that is brought in counts like the 32nd part of a cycle.
struct ProgramCost {
  std::int64_t cycles = 0;       ///< of the layer's strips
  std::int64_t words = 0;        ///< that they bring in
  std::int64_t pixel_words = 0;  ///< of these
  std::int64_t columns = 0;      ///< pixel columns, or phases of them: what lies together in DRAM
  std::int64_t value() const { return 32 * cycles + words; }
  bool operator<(const ProgramCost& other) const { return value() < other.value(); }
  ProgramCost operator+(const ProgramCost& other) const {
    return {cycles + other.cycles, words + other.words, pixel_words + other.pixel_words, columns + other.columns};
  }
};

/// What the cost of a layer's programs depends on besides their structure.
struct OutputSize {
  int rows = 1, columns = 1;
};

/// Nothing if the program certainly overruns a buffer. The interval is exact where no packing of coefficients does
/// better than the circular one; what runs before the loop is an estimate: initial writes that find no free slot.
std::optional<ProgramCost> estimate_program(const Structure& structure, const Window& window, const Switches& switches,
                                            const OutputSize& output, const SchedulingMachine& machine);

}  // namespace convscope::nve
