#pragma once
// What a looped program repeats: the head of an iteration and a pass of it, with the cycle of each operation.
// A program sums up all its maps at once, each in a vector of accumulators of its own, while all inputs stream through
// a ring of three slots: pass p uses what lies in slot p, has slot p + 2 written, and its last cycles read ahead what
// the next pass begins with. What is read ahead is the same whether a pass follows or a head, so that nothing drains
// in between. What units and ordered words are: architecture/pass_order.h.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/nve/passes/loop.h"

namespace convscope::nve {

struct LoopedShape {
  int inputs = 1;
  int maps = 1;   ///< of the program
  int units = 1;  ///< of a pass
  int lead = 0;   ///< as Program::lead
  bool operator==(const LoopedShape&) const = default;
};

/// Sizes that follow from a shape.
struct LoopedSizes {
  LoopedSizes(const LoopedShape& shape, const Window& window, const SchedulingMachine& machine);
  int rows = 0;            ///< of the kernel, over a pass's units
  int passes = 0;          ///< of an iteration, its head among them
  int column_words = 0;    ///< of a unit
  int ordered_words = 0;   ///< of a pass
  int resident_words = 0;  ///< of coefficients: as many of these as there are maps
  int last_lead = 0;       ///< coefficients of the next iteration in the last ordered word
};

/// The head or a pass. Operations in [0, length) are its own; those before 0 are what the end of the pass before, or of
/// the head, executes for it.
struct LoopedStretch {
  std::vector<LoopOperation> operations;  ///< writes and activations stand last
  std::vector<std::int64_t> cycles;
  int length = 0;
};

struct LoopedBody {
  LoopedStretch head, pass;
  int ahead = 0;  ///< cycles before a stretch in which its first operations lie
  int first = 0;  ///< cycle of a stretch's first vector operation
};

/// Operations in program order, each as early as the registers that it needs allow; reads as late as they can be.
/// Nothing if what is read ahead can't be alike, or doesn't fit into a pass: another lead, or more units, may do.
std::optional<LoopedBody> place_looped(const LoopedShape& shape, const Window& window,
                                       const SchedulingMachine& machine);

}  // namespace convscope::nve
