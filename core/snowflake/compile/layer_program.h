#pragma once
// Layers and networks from decisions to programs that were verified and timed.

#include <string>
#include <vector>

#include "core/snowflake/code/layer_program.h"
#include "core/snowflake/parse/parse.h"
#include "core/snowflake/simulate/result.h"
#include "core/target/pass.h"

namespace convscope::snowflake {

/// A program with what its run tells. Everything else is empty if it is refused.
struct TimedProgram {
  std::string refused;    ///< what, the limit, what to do
  Mapping mapping;        ///< of a single layer
  std::int64_t taps = 0;  ///< pairs of an output pixel and a kernel tap inside the image; of a pool 0
  Program program;
  SimulationResult run;
};

/// One layer alone, cold. Equal layers on equal machines are compiled once. `best`: level best, else paper.
target::Remembered<TimedProgram> compile_alone(const target::PassRun& run, const ProgramLayer& layer,
                                               const Machine& machine, bool best);

/// Layers back to back, with the mappings they were given alone.
target::Remembered<TimedProgram> compile_together(const target::PassRun& run, const ParsedNetwork& parsed,
                                                  const std::vector<int>& positions,
                                                  const std::vector<Mapping>& mappings, const Machine& machine);

}  // namespace convscope::snowflake
