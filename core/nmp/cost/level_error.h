#pragma once
// How far off a level's DRAM time has been measured to be, by the kind of pattern that a tiling moves.

#include <cstdint>
#include <optional>
#include <string>

#include "core/nmp/cost/cost_model.h"

namespace convscope::nmp {

/// By the mean length of the runs that a layer's transfers consist of, in lines of the DRAM.
enum class RunKind { below_line, few_lines, many_lines, rows };
inline constexpr int run_kinds = 4;
/// "runs below a line", "runs of 1 to 4 lines", …
std::string name_of(RunKind kind);

/// Mean bytes of the runs of a tiling's transfers: each tensor's runs as long as those of a full tile somewhere in the
/// middle, weighted by how many there are. `occupancy` and `totals` are the tiling's.
double mean_run_bytes(const Convolution& convolution, const Machine& machine, const Tiling& tiling,
                      const Occupancy& occupancy, const Totals& totals);
RunKind run_kind(double run_bytes, int line_bytes);

/// Of the DRAM time of a layer, relative to the cycle simulator's; both at least 0.
struct LevelError {
  double mean = 0, worst = 0;
  int layers = 0;  ///< that were measured
};

/// The error that was measured for a level, a DRAM and a kind of run; of all runs where none of that kind was met.
/// Nothing where a level's time depends on figures that were not measured: volume and burst with another bandwidth,
/// latency or burst than the presets'. A DRAM that differs from its kind has the kind's error. How the figures were
/// measured: docs/nmp.md; tests/core/nmp/level_error_test.cpp makes them.
std::optional<LevelError> level_error(const Machine& machine, CostLevel level, RunKind kind);

}  // namespace convscope::nmp
