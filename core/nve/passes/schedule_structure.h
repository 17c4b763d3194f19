#pragma once
// The chain of passes for one program: from a structure to instructions (thesis, chapters 4 and 5).

#include <optional>
#include <string>
#include <vector>

#include "core/nve/passes/emit_program.h"
#include "core/schedule/bounds/certificate.h"
#include "core/target/pass.h"

namespace convscope::nve {

/// A program without names, or the reason why there is none.
struct StructureProgram {
  std::string reason;  ///< empty if it fits the machine
  Loop loop;
  std::vector<std::vector<int>> packing;  ///< of each map, the positions at which coefficient words start
  BufferLayout layout;
  Emitted emitted;                                   ///< empty if it doesn't fit
  std::optional<schedule::Certificate> certificate;  ///< of the interval, if its schedule is an exact one
  /// Of a looped program (looped_program.h), whose `loop` has the head and one pass: passes of an iteration, with the
  /// head. 0: it isn't one.
  int passes = 0;

  bool looped() const { return passes > 0; }
  int instructions() const { return static_cast<int>(emitted.program.words.size()); }
};

/// How often an iteration uses each resource of the loop's problem.
std::vector<std::int64_t> uses_of_iteration(const StructureProgram& program);

/// The program of a schedule of the complete problem (loop_problem.h), whoever made it: allocation and encoding.
/// `packing` has the word starts of each map that the problem was built with; `peeling`: see emit_program.h.
/// Precondition: `schedule::verify` accepts the schedule, and it has an interval.
StructureProgram make_program(Loop loop, const schedule::Schedule& schedule, const Structure& structure,
                              const Window& window, std::vector<std::vector<int>> packing, bool peeling,
                              const SchedulingMachine& machine);

/// Runs the chain: coefficient packing, task graphs of the maps, the complete problem of the loop, its schedule in the
/// thesis's three steps or exactly, allocation, encoding. Bodies of equal shape are built and scheduled once through
/// the cache. Throws Cancelled when stopped.
target::Remembered<StructureProgram> schedule_structure(const target::PassRun& run, const Structure& structure,
                                                        const Window& window, const Switches& switches,
                                                        const SchedulingMachine& machine);

}  // namespace convscope::nve
