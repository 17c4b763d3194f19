#pragma once
// The DRAM time of a tiling by the closed form of banks and rows (core/dram/forms/banked.h). Transfers follow one
// another without overlap.

#include "core/nmp/cost/cost_model.h"

namespace convscope::nmp {

/// Seconds that all transfers of a tiling take, commands not included. Tiles are charged by the machine's border model.
double banked_seconds(const CostModel& model, const Tiling& tiling);

}  // namespace convscope::nmp
