#pragma once
// The path that the estimate likes best, of many that are drawn: level `estimate`, and what a guided search tries
// first. Not optimal: the best of a sample, by a model.

#include <cstdint>
#include <string>
#include <vector>

#include "core/cpu/architecture/machine.h"
#include "core/cpu/architecture/path.h"
#include "core/cpu/architecture/problem.h"
#include "core/cpu/estimate/estimate.h"
#include "core/cpu/generate/nest.h"
#include "core/cpu/tree/tree.h"
#include "core/target/pass.h"

namespace convscope::cpu {

/// Of the installation, read once; without any if they can't be read, which draw_paths tells.
const Weights& drawing_weights();
TreeMachine tree_machine(const CodeMachine& code, std::int64_t l2_bytes);

struct DrawnPath {
  Path path;
  Nest nest;
};

/// Different complete paths in the order in which they were drawn.
struct Drawn {
  std::vector<DrawnPath> paths;
  std::string refused;  ///< why there is none; empty if there is one
};

struct RankedPath {
  std::size_t drawn = 0;  ///< index
  Estimate estimate;
};

struct Ranking {
  std::vector<RankedPath> best_first;  ///< all of them; equal ones as drawn
};

/// As many draws as the machine says; fewer paths, as some come twice. Same seed, same paths. Throws Cancelled.
target::Remembered<Drawn> draw_paths(const target::PassRun& run, const Problem& problem, const CodeMachine& code,
                                     std::int64_t l2_bytes);

target::Remembered<Ranking> rank_paths(const target::PassRun& run, const target::Remembered<Drawn>& drawn,
                                       const CpuMachine& machine);

}  // namespace convscope::cpu
