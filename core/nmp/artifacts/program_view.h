#pragma once
// Artifacts of a program and of its run.

#include <memory>
#include <stop_token>

#include "core/artifact/listing.h"
#include "core/artifact/memory_map.h"
#include "core/artifact/timeline.h"
#include "core/nmp/architecture/program.h"

namespace convscope::nmp {

/// Line by line, with what each stretch is for.
std::shared_ptr<const artifact::Listing> make_listing(const Program& program);

/// DRAM with its regions, and what is used of the TLTs' data RAM and of their code, in bytes. `cycles`: how long it all
/// lives.
std::shared_ptr<const artifact::MemoryMap> make_program_map(const Program& program, std::int64_t cycles);

/// DRAM, DMAs and TLEs over the simulated run: transfers with their commands, and when a TLE's MAC units compute, any
/// of them. Of a long run neighbours of a kind are joined. Null if the program is refused. Throws Cancelled.
std::shared_ptr<const artifact::Timeline> make_program_timeline(const Program& program,
                                                                const std::stop_token& stop = {});

}  // namespace convscope::nmp
