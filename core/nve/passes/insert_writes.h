#pragma once
// Pixel writes of the repetitive part (thesis, section 4.3).

#include "core/nve/passes/loop.h"

namespace convscope::nve {

/// Adds a write for each word of the columns that an iteration adds, once for all maps that read it, write_to_read
/// before each of its reads, in this iteration and in later ones. In the order in which bodies first read them, last
/// first.
void insert_writes(Loop& loop, const Window& window, const SchedulingMachine& machine);

/// Field that writes from outside.
inline Field write_field(const SchedulingMachine& machine) {
  return machine.has_write_port() ? Field::memw : Field::mema;
}

}  // namespace convscope::nve
