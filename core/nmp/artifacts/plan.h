#pragma once
// Artifacts of a solved layer.

#include <memory>
#include <string>
#include <vector>

#include "core/artifact/tile_plan.h"
#include "core/artifact/timeline.h"
#include "core/nmp/search/solution.h"

namespace convscope::nmp {

/// Every transfer and every TLT's work of a tiling that is in range, step by step; border tiles with their true boxes,
/// TLEs in lockstep. With exact borders its bytes and bursts add up to the totals of the cost model.
std::shared_ptr<const artifact::TilePlan> make_tile_plan(const Convolution& convolution, const Machine& machine,
                                                         const Tiling& tiling);

/// Cells that a timeline holds at most.
inline constexpr std::size_t timeline_budget = 100'000;

/// TLEs, their DMA engines and the DRAM as the cost model sees them: one transfer at a time, no overlap with MACs;
/// every transfer of a kind with its average length; or, with free-running TLEs, as they are simulated. An estimate.
/// Null where it would be too long to hold, and with double buffering, whose overlap is charged as a whole. Cells carry
/// the tile plan's operations: TilePlan::step_of gives the step, TilePlan::ref_of the way back.
std::shared_ptr<const artifact::Timeline> make_timeline(const Convolution& convolution, const Machine& machine,
                                                        const Solution& solution);

std::shared_ptr<const artifact::Timeline> make_free_running_timeline(const Convolution& convolution,
                                                                     const Machine& machine, const Solution& solution);

/// Lines of the DRAM that its timeline shows at most.
inline constexpr std::int64_t drawn_lines = 12'000;

/// The DRAM's commands for the transfers of the first step that stores and of those after it, banks as rows, in cycles
/// of its clock: simulated, with no time between transfers. Null if nothing is moved.
std::shared_ptr<const artifact::Timeline> make_dram_timeline(const Convolution& convolution, const Machine& machine,
                                                             const Solution& solution);

/// "DRAM", "DMA 0" …, "TLE 0" …, and "ring" where there is one.
std::vector<std::string> timeline_resources(const Machine& machine);
int ring_resource(const Machine& machine);

/// "OFM + IS, 2 x 71 x 14 x 24": strategy, T_R, T_C, T_N, T_M.
std::string tiling_text(const Tiling& tiling);

}  // namespace convscope::nmp
