#pragma once
// The compiler of the Snowflake target: decisions with what they cost, programs of a layer and of a network.
// Source: "Compiling Deep Learning Models …", section 5.

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "core/snowflake/architecture/program.h"
#include "core/snowflake/parse/parse.h"
#include "core/snowflake/plan/layer_blocks.h"

namespace convscope::snowflake {

enum class CompileLevel {
  paper,  ///< the paper's rules
  best    ///< the mapping whose program takes the fewest cycles, of all that are tried
};

/// A mapping that was thought of.
struct Alternative {
  std::string name;  ///< e.g. "INDP, kernels broadcast, Kloop, 14 rows"
  Mapping mapping;
  std::string refused;   ///< why it doesn't fit; then nothing else counts
  double cycles = 0;     ///< of its program, cold; 0: not simulated, as its bound is above what another takes
  double bound = 0;      ///< cycles that no program of it falls below
  double bytes = 0;      ///< that it moves
  double bandwidth = 0;  ///< bytes per second that it requires not to wait (figure 4)
};

struct Choice {
  int chosen = -1;  ///< among the alternatives; -1: none fits
  std::string refused;
  std::vector<Alternative> alternatives;
  /// Nothing else was thought of.
  static Choice only(const Mapping& mapping);
  const Mapping& mapping() const { return alternatives[static_cast<std::size_t>(chosen)].mapping; }
};

/// Regions need no places. At level best mappings are timed in the order of their bounds until a bound is above the
/// best: the best of all candidates, which are not all there could be. Pure; polls `stop` and throws Cancelled.
Choice choose(const ProgramLayer& layer, const std::vector<Region>& regions, const Machine& machine, CompileLevel level,
              const std::stop_token& stop = {});

struct CompiledProgram {
  Program program;
  std::vector<std::string> refused;  ///< for each layer that was given; empty if it is in the program
  std::vector<int> position;         ///< of each layer in Program::layers; -1 if it was refused
};

/// One layer, cold, its inputs given.
CompiledProgram compile_layer(const ProgramLayer& layer, const std::vector<Region>& regions, const Choice& choice,
                              const Machine& machine);
/// All layers, one behind the other. What a refused layer would have computed is an input.
CompiledProgram compile_network(const std::string& name, const ParsedNetwork& parsed,
                                const std::vector<Choice>& choices, const Machine& machine);

/// Tiles, windows and loads of a layer of a program, as its code was made from them.
LayerBlocks blocks_of(const Program& program, int layer, const Mapping& mapping);

}  // namespace convscope::snowflake
