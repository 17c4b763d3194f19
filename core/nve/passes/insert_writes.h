#pragma once
// Pixel writes of the repetitive part, as late as possible (thesis, section 4.3 and Fig. 17).

#include "core/nve/passes/loop.h"

namespace convscope::nve {

/// Adds a write for each word of the columns that an iteration adds, once for all maps that read it, in the latest
/// free cycle of the write port that is write_to_read before its first read. Words needed last are placed first.
void insert_writes(Loop& loop, const Window& window, const SchedulingMachine& machine);

/// Field that writes from outside.
inline Field write_field(const SchedulingMachine& machine) {
  return machine.has_write_port() ? Field::memw : Field::mema;
}

}  // namespace convscope::nve
