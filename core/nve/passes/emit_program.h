#pragma once
// Instructions, settings and host traffic from a scheduled and allocated loop (thesis, sections 3.3, 4.3 and 4.4).

#include <vector>

#include "core/nve/architecture/program.h"
#include "core/nve/passes/allocate_buffer.h"
#include "core/nve/passes/loop.h"

namespace convscope::nve {

/// Where the operations of a loop went: one entry for each instruction and field that is used.
struct IssuedOperation {
  int address = 0;
  Field field = Field::mema;
  int operation = -1;  ///< index in Loop::operations; -1 for initial writes
  int stage = 0;       ///< iteration (prologue) or iterations ahead (steady state)
};

struct Emitted {
  Program program;  ///< maps and inputs are positions; size, names and iterations of the layer are still open
  std::vector<IssuedOperation> issued;
  int peeled = 0;  ///< iterations that stand in the initial part: the loop runs so many times less
};

/// The kernel is rotated so that an iteration ends with its last activation: repeated N times it leaves exactly N
/// output columns and needs no epilogue. What the last repetitions read ahead is written from zeros that the host
/// supplies. Initial writes are as late as possible: free write slots of the prologue first, own instructions before
/// it for the rest. With `peeling`, the first iteration is written out once more in front of the loop where its free
/// write slots save instructions and the instruction buffer holds it.
/// `packing` has the word starts of each map. Where the first body begins inside a word, the prologue loads it and uses
/// up what of it belongs to an iteration that doesn't exist.
/// The program's layer fields (sizes, names, iterations) are left for bind_program.
Emitted emit_program(const Loop& loop, const Structure& structure, const Window& window,
                     const std::vector<std::vector<int>>& packing, const BufferLayout& layout, bool peeling,
                     const SchedulingMachine& machine);

}  // namespace convscope::nve
