#pragma once
// What a run of the simulator tells. Times are in seconds from the start.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/nmp/architecture/program.h"

namespace convscope::nmp {

/// Why the machine can't go on; the run ends there.
struct Refusal {
  double seconds = 0;
  int tle = -1, tlt = -1;  ///< -1: nobody's alone
  int instruction = -1;    ///< position in Program::code
  std::string what;        ///< with bytes, and what was expected
  /// "TLE 0, TLT 3, instruction 17, 1.234 us: …".
  std::string text() const;
};

struct TltRun {
  std::int64_t instructions = 0;
  std::int64_t convolutions = 0, macs = 0;
  double mac_seconds = 0;     ///< its MAC unit computed
  double waited_seconds = 0;  ///< its core waited: for semaphores, others at a sync, or a queue
  double end = 0;             ///< of its last instruction
};

struct TleRun {
  std::int64_t transfers = 0;
  double transfer_seconds = 0, command_seconds = 0;
};

struct SimulationResult {
  std::optional<Refusal> refusal;  ///< all else is what came until then
  double seconds = 0;              ///< until all cores have halted and all units are idle
  double dram_seconds = 0;         ///< the DRAM transferred; without commands
  double ring_seconds = 0;         ///< tiles were on their way around the ring
  std::vector<TleRun> tles;
  std::vector<TltRun> tlts;  ///< as Program::data
  TrafficBytes traffic{};
  std::int64_t instructions = 0;  ///< of all TLTs
};

}  // namespace convscope::nmp
