#pragma once
// Names and sizes: from a structure's program to the program of certain maps of a certain layer.

#include "core/network/network.h"
#include "core/nve/passes/fuse_maps.h"
#include "core/nve/passes/schedule_structure.h"

namespace convscope::nve {

Window window_of(const network::Layer& layer);

/// `machine` is the whole machine; the structure was scheduled for its scheduling part.
Program bind_program(const StructureProgram& scheduled, const MapGroup& group, const network::Layer& layer,
                     const std::string& name, const Machine& machine);

}  // namespace convscope::nve
