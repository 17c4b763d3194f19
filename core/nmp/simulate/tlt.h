#pragma once
// A TLT and a TLE as the simulator sees them. Private to the simulator.

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "core/nmp/architecture/core.h"
#include "core/nmp/architecture/program.h"
#include "core/nmp/simulate/observer.h"

namespace convscope::nmp::simulation {

/// A convolution that was given, with what it takes along from its core.
struct GivenConvolution {
  ConvolutionRun run;
  std::vector<std::int32_t> biases;
};

struct Tlt {
  enum class State : std::uint8_t { runs, waits, syncs, queues, fetches, halted };

  Tlt(const Program& program, const DecodedCode& code, std::size_t index, bool has_data)
      : core(code, program.data[index]) {
    if (!has_data) return;
    constexpr std::uint8_t never_written = 0xcd;
    for (const Memory memory : {Memory::input, Memory::weights, Memory::output})
      memories[static_cast<std::size_t>(memory)].assign(static_cast<std::size_t>(memory_bytes(program.machine, memory)),
                                                        never_written);
  }
  std::vector<std::uint8_t>& memory(Memory which) { return memories[static_cast<std::size_t>(which)]; }

  Core core;
  State state = State::runs;
  double waits_since = 0;
  std::array<std::int64_t, semaphores> posts{};
  std::deque<GivenConvolution> convolutions;  ///< the first runs
  std::array<std::vector<std::uint8_t>, static_cast<std::size_t>(nmp::memories)> memories;
};

struct Tle {
  std::deque<TransferRun> transfers;  ///< the first is at the DRAM or on its way there
  std::deque<int> queues;             ///< TLTs whose core waits for room, by their number in the program
  bool asks = false, asks_ring = false;
  double asked = 0;  ///< for DRAM or ring
};

}  // namespace convscope::nmp::simulation
