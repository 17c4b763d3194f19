#pragma once
// The code of a layer whose tiles have a half of some memories: what the next step needs in these is loaded while the
// MACs of this one work, and results are stored while those of the next one do.

#include <vector>

#include "core/nmp/generate/layer_code.h"

namespace convscope::nmp {

/// As `write_layer_code`; of the memories that hold two tiles at least one must.
void write_doubled_code(const LayerPlan& plan, const Computing& computing, const LayerLayout& layout,
                        const TablePlaces& places, bool lockstep, const std::vector<EncodedInstruction>& crossing,
                        Program& program);

}  // namespace convscope::nmp
