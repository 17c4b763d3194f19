#pragma once
// The code of a layer, the same for all TLTs: loops over the tables' entries; in each step IN, W, partial sums, MACs,
// OUT (docs/nmp-program.md).

#include <vector>

#include "core/nmp/architecture/program.h"
#include "core/nmp/generate/computing.h"
#include "core/nmp/generate/tables.h"

namespace convscope::nmp {

/// What a TLT's semaphores are for.
namespace semaphore {
enum : int { input, weights, partial_sums, macs, output, input_free };
}

/// Writes Program::code and its ranges. `lockstep`: all TLTs meet before and after each step's MACs, idle or not.
/// `crossing` runs before the layer touches anything in DRAM but its weights.
void write_layer_code(const LayerPlan& plan, const Computing& computing, const LayerLayout& layout,
                      const TablePlaces& places, bool lockstep, const std::vector<EncodedInstruction>& crossing,
                      Program& program);

}  // namespace convscope::nmp
