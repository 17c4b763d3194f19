#pragma once
// The NMP: tiles (TLEs) of tilelets (TLTs), each with memories for input, weights and output and a MAC unit; one DRAM.
// Source: "Tensor Slicing and Optimization for Multicore NPUs", section III and equation 2.

#include <cstdint>
#include <memory>
#include <vector>

#include "core/arch/parameters.h"
#include "core/dram/parameters/parameters.h"

namespace convscope::nmp {

/// How tiles at the border of a slice are charged.
enum class Borders {
  full,  ///< as full tiles (the paper's equations)
  exact  ///< with their true sizes, padding clipped, true filter counts
};

/// What a DRAM transfer costs; the levels of `--level`.
enum class CostLevel {
  volume,  ///< tilings are chosen by bytes alone (TSO-noburst), then evaluated by bursts
  burst,   ///< bytes, bursts and commands (TSO-burst)
  banked,  ///< ranks, banks, row hits and misses, requests in flight, in a closed form
  walk     ///< chosen by banked, timed by a walk over the transfers
};

/// Whether a level looks at ranks, banks and rows.
inline bool by_banks(CostLevel level) {
  return level == CostLevel::banked || level == CostLevel::walk;
}

/// The level whose costs tilings are chosen by.
inline CostLevel searched_by(CostLevel level) {
  return level == CostLevel::walk ? CostLevel::banked : level;
}

/// The DRAM of levels banked and walk: a kind, and what differs from it.
struct DramSettings {
  int kind = 1;  ///< of dram::kinds(): DDR3-2133
  int ranks = 1;
  int window = 32;  ///< reads in flight
  std::vector<double>
      changed;  ///< by parameter of dram::description(), 0: as the kind has it; empty: nothing is changed

  bool operator==(const DramSettings&) const = default;
};
dram::Parameters dram_of(const DramSettings& settings);

/// Memories of a TLT that hold two tiles, one in use and one in transfer.
struct Doubled {
  bool input = false, weights = false, output = false;
  bool operator==(const Doubled&) const = default;
  bool any() const { return input || weights || output; }
};

/// How the MACs of a TLT find work.
enum class ArrayKind {
  pooled,  ///< any MACs of one filter and one channel, side by side (equation 7)
  lanes,   ///< `height` channels x `width` filters at a time, each lane with the same number of MACs
  rows     ///< row stationary: a column of MACs has the rows of a kernel, a row of them rows of the output
};

/// The array of MACs of a TLT: which of them idle where a tile doesn't fill it.
struct MacArray {
  ArrayKind kind = ArrayKind::pooled;
  int height = 1, width = 1;
  int held_inputs = 0;  ///< elements of an input row that a MAC holds, with `rows`; 0: of as many channels as there are
  int sums_port = 0;    ///< partial sums that reach the array in a cycle, and as many that leave it; 0: no limit
  bool operator==(const MacArray&) const = default;
};

/// What tilings depend on beside transfers.
struct TilingMachine {
  int tles = 4, tlts = 8;
  std::int64_t input_bytes = 8192, weight_bytes = 8192, output_bytes = 8192;  ///< MB0, MB1, MB2 of each TLT
  int element_bytes = 2, partial_sum_bytes = 2;
  int macs_per_cycle = 8;  ///< of one TLT at this element width
  double mac_efficiency = 1;
  double clock_hz = 1e9;
  int burst_bytes = 128;
  double cas_seconds = 14 * 1e-9, command_seconds = 0;
  Borders borders = Borders::exact;  ///< presets of the paper's machine say full
  bool double_buffering = false;     ///< MACs and transfers overlap; the memory sizes above are then halves
  Doubled doubled;  ///< memories alone whose sizes above are halves; a search sets it, no parameter does
  MacArray array;
  bool joint_memory = false;       ///< MB0 and MB2 are one memory, divided as each tiling wants
  std::int64_t shared_bytes = 0;   ///< of a buffer through which a tile reaches all TLEs that share it; 0: none
  bool channel_partition = false;  ///< TLEs may share out the input maps, too

  bool operator==(const TilingMachine&) const = default;

  /// Memories whose sizes above are halves.
  Doubled held_twice() const { return double_buffering ? Doubled{true, true, true} : doubled; }

  /// MAC/s of all TLTs, by the book and as far as they are reached.
  double peak() const { return static_cast<double>(tles) * tlts * macs_per_cycle * clock_hz; }
  double reached_peak() const { return peak() * mac_efficiency; }

  /// What IN, and OUT, can have at most.
  std::int64_t input_room() const { return joint_memory ? input_bytes + output_bytes : input_bytes; }
  std::int64_t output_room() const { return joint_memory ? input_bytes + output_bytes : output_bytes; }
};

/// The bus from each TLE to the next, and from the last to the first: tiles that several TLEs need come out of DRAM
/// once, into the first of them, and travel on to the others. The paper has it (section III) without figures; these are
/// ours.
struct Ring {
  bool on = false;
  int bytes_per_cycle = 16;
  int hop_cycles = 4;  ///< from a TLE to the next
  bool operator==(const Ring&) const = default;

  /// Of a tile that goes on over so many hops: its bytes follow one another, each hop delays them all.
  double seconds(std::int64_t bytes, std::int64_t hops, double clock_hz) const {
    return (static_cast<double>(bytes) / bytes_per_cycle + static_cast<double>(hops) * hop_cycles) / clock_hz;
  }
};

/// How fast data moves: dragging this searches anew only where tilings that were found for it don't hold.
struct TransferMachine {
  double bandwidth = 17.066 * 1e9;  ///< bytes per second
  bool choose_doubled = false;      ///< the search tries every set of memories to double
  bool free_running = false;        ///< TLEs wait for the DRAM alone, not for one another; else lockstep
  DramSettings dram;                ///< levels banked and walk
  Ring ring;                        ///< not beside a shared buffer

  bool operator==(const TransferMachine&) const = default;
};

struct Machine : TilingMachine, TransferMachine {
  bool all_operators = false;  ///< in the estimate; else convolutions and what can be said as such alone

  bool operator==(const Machine&) const = default;

  /// Whether MACs and transfers overlap in the time that is shown.
  bool overlaps() const { return double_buffering || doubled.any() || free_running; }
};

/// The machine with these memories doubled, each tile having half of its memory.
Machine with_doubled(Machine machine, const Doubled& doubled);

/// All parameters with ranges, help and constraints.
std::shared_ptr<const arch::MachineDescription> machine_description();

/// The machine that a set of parameter values describes, and the way back; of the MACs per cycle at the element width
/// that the machine doesn't have, the default.
Machine machine_from(const arch::ParameterValues& values);
arch::ParameterValues parameter_values(const Machine& machine);

}  // namespace convscope::nmp
