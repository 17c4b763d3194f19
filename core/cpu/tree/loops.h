#pragma once
// The loops around a microkernel and the orders they may stand in: rules 1 to 4 of the five. Source: the thesis named
// in problem.h, section 4.8.2.

#include <string>
#include <vector>

#include "core/cpu/tree/plan.h"

namespace convscope::cpu {

struct LoopSpec {
  enum class Part { whole, outer, inner };
  std::string name;  ///< "h"; blocked "ho", "hi"
  char dimension = 0;
  Part part = Part::whole;
  std::int64_t trips = 1;
};

/// Name of a dimension's loop inside the microkernel.
std::string inner_name(const Plan& plan, char dimension);
/// Iterations that a dimension has before it is blocked: tiles along M and W.
std::int64_t iterations(const Plan& plan, char dimension);
/// Loops outside the microkernel: six, blocked ones twice, without those that the microkernel has (of a blocked one
/// without the inner) and without those of one iteration.
std::vector<LoopSpec> loop_list(const Plan& plan);
/// The loop of a name among those of a list; null if it isn't there.
const LoopSpec* find_loop(const std::vector<LoopSpec>& loops, const std::string& name);
/// The runs of equal tiles along a loop's dimension, if it goes from tile to tile and isn't blocked; else none.
std::vector<TileRun> runs_of(const Plan& plan, const LoopSpec& loop);
/// Why a loop can't come next after those chosen; empty if it can: rule 4, an inner loop stands within its outer, and
/// no outer one within any inner.
std::string order_fault(const std::vector<LoopSpec>& loops, const std::vector<std::string>& chosen,
                        const LoopSpec& next);

/// Whether a loop's iterations store outputs of their own, so that threads may divide it: over groups, and over
/// dimensions of the output.
bool independent(const std::string& loop);
/// Why threads can't divide what stands outermost; empty if they can. A run of one tile has no loop, and what stands
/// within it is outermost there.
std::string division_fault(const Plan& plan);
/// Of all outputs, those that the thread computes that has most to do: 1 over the threads if a path divides evenly.
double largest_share(const Plan& plan);

}  // namespace convscope::cpu
