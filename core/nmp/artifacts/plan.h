#pragma once
// Artifacts of a solved layer.

#include <memory>
#include <string>

#include "core/artifact/tile_plan.h"
#include "core/artifact/timeline.h"
#include "core/nmp/solution.h"

namespace convscope::nmp {

/// Every transfer and every TLT's work of a tiling that is in range, step by step; border tiles with their true boxes,
/// TLEs in lockstep. With exact borders its bytes and bursts add up to the totals of the cost model.
std::shared_ptr<const artifact::TilePlan> make_tile_plan(const Convolution& convolution, const Machine& machine,
                                                         const Tiling& tiling);

/// TLEs, their DMA engines and the DRAM as the cost model sees them: one transfer at a time, no overlap with MACs;
/// every transfer of a kind with its average length. An estimate. Null where it would be too long to hold,
/// and with double buffering, whose overlap is charged as a whole.
std::shared_ptr<const artifact::Timeline> make_timeline(const Convolution& convolution, const Machine& machine,
                                                        const Solution& solution);

/// "OFM + IS, 2 x 71 x 14 x 24": strategy, T_R, T_C, T_N, T_M.
std::string tiling_text(const Tiling& tiling);

}  // namespace convscope::nmp
