#pragma once
// How long a program will take, from its loop nest and the machine's parameters. An estimate: no program is made and
// nothing is run. Its use is the order of paths; on its own it was .55 to .94 of the measured time.

#include <array>
#include <string>

#include "core/cpu/architecture/machine.h"
#include "core/cpu/generate/nest.h"

namespace convscope::cpu {

inline constexpr std::size_t estimate_parts = 8;
/// What may bind, in the order of Estimate::parts: four of the core, then L1 to DRAM.
inline constexpr std::array<const char*, estimate_parts> part_names{"FMA", "loads", "issue", "latency",
                                                                    "L1",  "L2",    "L3",    "DRAM"};

/// Of a part that doesn't bind, what still shows: least of L2, out of which cores fetch ahead on their own. So that the
/// order comes nearest to what was measured (docs/cpu-measuring.md, "What the estimate is worth").
inline constexpr std::array<double, estimate_parts> hidden_shares{.15, .15, .15, .15, .15, .03, .15, .15};

/// Cycles of a call of the microkernel besides its instructions: the sums wait for the last FMAs, and where its loop
/// ends is guessed wrong. So that it comes to what was measured (docs/cpu-measuring.md, "What the estimate is worth").
inline constexpr double call_cycles = 10;

struct Estimate {
  double seconds = 0;
  std::array<double, estimate_parts> parts{};  ///< seconds if nothing else took any
  double copying = 0;                          ///< seconds of filling buffers and clearing outputs, beside the parts
  double calls = 0;                            ///< seconds between calls of the microkernel, beside the parts
  std::array<double, 4> bytes{};               ///< that L1, L2, L3 and DRAM give and take
  double waiting = 0;                          ///< seconds of calls that wait for weights, beside the parts
  double spilled = 0;                          ///< registers
  std::size_t binds = 0;                       ///< the largest part
  bool asks_ahead = false;  ///< for weights of calls to come: what L3 and DRAM hide is hidden as well as L2's
  /// What a part adds to the seconds.
  double shown(std::size_t part) const { return part == binds ? parts[part] : hidden_share(part) * parts[part]; }
  double hidden_share(std::size_t part) const { return hidden_shares[asks_ahead && part > 5 ? 5 : part]; }
};

/// The largest part and shares of the others, with copies and calls. Pure, a few microseconds. Whole cycles of vectors
/// wider than a unit, threads sharing DRAM alone.
Estimate estimate(const Nest& nest, const CpuMachine& machine);

}  // namespace convscope::cpu
