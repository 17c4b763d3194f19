#pragma once
// Bandwidths that a public cycle-accurate simulator measured, with its configurations: read from a folder beside the
// shared models.

#include <map>
#include <string>
#include <vector>

#include "core/dram/parameters/parameters.h"
#include "core/dram/pattern/pattern.h"

namespace convscope::dram {

/// One row of runs.csv or tiles.csv.
struct Figure {
  std::string memory, what;
  std::vector<Pattern> patterns;  ///< in order
  std::int64_t run_bytes = 0;     ///< shortest
  double read = 0, write = 0;     ///< useful bytes per second
  std::int64_t useful_bytes() const;
};

/// By memory; empty if the folder is absent.
std::map<std::string, Parameters> measured_memories();
std::vector<Figure> measured_figures();

}  // namespace convscope::dram
