#pragma once
// Artifacts of a simulated program: what views show of it.

#include <memory>
#include <stop_token>

#include "core/artifact/listing.h"
#include "core/artifact/memory_map.h"
#include "core/artifact/ref.h"
#include "core/artifact/timeline.h"
#include "core/snowflake/architecture/program.h"
#include "core/snowflake/simulate/result.h"

namespace convscope::snowflake {

/// What a tile's vector instructions, or its loads to one target, are called in every artifact.
artifact::OperationKey work_key();
artifact::OperationKey load_key(LoadTarget target);
artifact::OperationKey store_key();

/// Line by line with what each stretch is for: layer, tile, window, loads.
std::shared_ptr<const artifact::Listing> make_listing(const Program& program);

/// Control pipeline, CUs, load units and store port over the run: what they did and why they waited. Runs the program
/// again; of a long run neighbours are joined. Throws Cancelled.
std::shared_ptr<const artifact::Timeline> make_timeline(const Program& program, const std::stop_token& stop);

/// DRAM with its regions while they are alive, as the run's layers end, and the instruction banks' contents.
std::shared_ptr<const artifact::MemoryMap> make_memory_map(const Program& program, const SimulationResult& run);

}  // namespace convscope::snowflake
