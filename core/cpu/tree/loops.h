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
/// Why a loop can't come next after those chosen; empty if it can: rule 4, an inner loop stands within its outer, and
/// no outer one within any inner.
std::string order_fault(const std::vector<LoopSpec>& loops, const std::vector<std::string>& chosen,
                        const LoopSpec& next);

}  // namespace convscope::cpu
