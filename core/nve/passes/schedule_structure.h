#pragma once
// The chain of passes for one program: from a structure to instructions (thesis, chapters 4 and 5).

#include <string>
#include <vector>

#include "core/nve/passes/emit_program.h"
#include "core/target/pass.h"

namespace convscope::nve {

/// A program without names, or the reason why there is none.
struct StructureProgram {
  std::string reason;  ///< empty if it fits the machine
  Loop loop;
  std::vector<std::vector<int>> packing;
  BufferLayout layout;
  Emitted emitted;  ///< empty if it doesn't fit

  int instructions() const { return static_cast<int>(emitted.program.words.size()); }
};

/// Runs the chain: coefficient packing, task graph, Algorithm 1, combination, writes, activations, interval,
/// allocation, encoding. Bodies of equal shape are scheduled once through the cache.
target::Remembered<StructureProgram> schedule_structure(const target::PassRun& run, const Structure& structure,
                                                        const Window& window, const Switches& switches,
                                                        const SchedulingMachine& machine);

}  // namespace convscope::nve
