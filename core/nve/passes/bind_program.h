#pragma once
// Names and sizes: from a structure's program to the program of certain maps of a certain layer.

#include "core/network/network.h"
#include "core/nve/passes/fuse_maps.h"
#include "core/nve/passes/schedule_structure.h"

namespace convscope::nve {

Window window_of(const network::Layer& layer);

/// What a program takes over from its layer.
struct LayerFrame {
  std::string name;
  int in_maps = 0;
  network::Size in, out;
  int padding_top = 0, padding_left = 0;
};
LayerFrame frame_of(const network::Layer& layer);

/// `machine` is the whole machine; the structure was scheduled for its scheduling part.
Program bind_program(const StructureProgram& scheduled, const MapGroup& group, const LayerFrame& layer,
                     const std::string& name, const Machine& machine);

}  // namespace convscope::nve
