#pragma once
// How many operations a cycle a program's innermost loop comes to on a processor that this computer needn't be:
// llvm-mca's model of its pipelines, without caches. Design: cut loops at labels.

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/cpu/architecture/generated.h"
#include "core/cpu/simulate/cross_tools.h"

namespace convscope::cpu {

/// A loop of assembly without a branch inside: from a label to the branch back to it.
struct AssemblyLoop {
  std::string text;  ///< instructions, a line each
  int instructions = 0;
  double operations = 0;  ///< of multiply-adds, two each lane, in one iteration
};

/// All such loops of GCC's or Clang's assembly for x86-64, AArch64 and ARMv7, in order.
std::vector<AssemblyLoop> innermost_loops(std::string_view assembly);

struct Throughput {
  AssemblyLoop loop;
  double cycles = 0;  ///< of one iteration in the long run
  double operations_per_cycle() const { return loop.operations / cycles; }
};

/// A processor of the family that LLVM's model is good for: "cortex-a57".
std::string_view usual_processor(Family family);

/// Of the loop with most operations. Nothing, with the reason, if tools are missing, LLVM knows no such processor, or
/// the program has no such loop. Throws Cancelled.
std::optional<Throughput> throughput(const Generated& program, const CrossTools& tools, const std::string& processor,
                                     const std::stop_token& stop, std::string& reason);

}  // namespace convscope::cpu
