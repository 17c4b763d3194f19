#pragma once
// A window as nested loops of vector instructions: rows, outputs of a row, traces of an output.
// Source: "Compiling Deep Learning Models …", section 5.2 and figure 3.

#include "core/snowflake/code/instructions.h"
#include "core/snowflake/plan/blocks.h"

namespace convscope::snowflake {

/// The strip's rows; registers slot_maps, slot_out, slot_bypass and slot_kernels hold the slot's places, register 26
/// the strip's configuration.
void put_strip(Code& code, const Block& block, const Strip& strip, int window);

}  // namespace convscope::snowflake
