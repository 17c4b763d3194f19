#pragma once
// Passes: layers and networks from decisions to programs that were verified and timed.

#include <string>
#include <vector>

#include "core/snowflake/compile/compiler.h"
#include "core/snowflake/compile/pool_turns.h"
#include "core/snowflake/simulate/result.h"
#include "core/target/pass.h"

namespace convscope::snowflake {

/// A program with what its run tells. Program and run are empty if it is refused.
struct TimedProgram {
  std::string refused;  ///< what, the limit, what to do
  std::string fault;    ///< why a program that was made for it is wrong; there may be another one that isn't
  Choice choice;        ///< of a single layer
  std::int64_t taps =
      0;  ///< of a single layer: pairs of an output pixel and a kernel tap inside the image; of a pool 0
  Program program;
  SimulationResult run;
};

/// One layer alone, cold. Equal layers on equal machines are compiled once.
target::Remembered<TimedProgram> compile_alone(const target::PassRun& run, const ProgramLayer& layer,
                                               const Machine& machine, CompileLevel level);

/// Whether a convolution and the max pool behind it are faster in turns than as they were compiled alone.
target::Remembered<PoolTurns> compile_turns(const target::PassRun& run, const ProgramLayer& convolution,
                                            const ProgramLayer& pool, const Mapping& convolution_mapping,
                                            const Mapping& pool_mapping, const Machine& machine);

/// All layers back to back, each with its mapping; none of them is refused alone.
target::Remembered<TimedProgram> compile_together(const target::PassRun& run, const ParsedNetwork& parsed,
                                                  const std::vector<Mapping>& mappings, const Machine& machine);

}  // namespace convscope::snowflake
