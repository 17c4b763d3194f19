#include "core/nve/passes/bind_program.h"

namespace convscope::nve {

Window window_of(const network::Layer& layer) {
  return {layer.kernel.height, layer.kernel.width, layer.stride.height, layer.stride.width};
}

LayerFrame frame_of(const network::Layer& layer) {
  return {layer.name, layer.in.maps, layer.in.size, layer.out.size, layer.padding.top, layer.padding.left};
}

Program bind_program(const StructureProgram& scheduled, const MapGroup& group, const LayerFrame& layer,
                     const std::string& name, const Machine& machine) {
  Program program = scheduled.emitted.program;
  program.name = name;
  program.machine = machine;
  program.layer = layer.name;
  program.out_height = layer.out.height, program.out_width = layer.out.width;
  program.padding_top = layer.padding_top, program.padding_left = layer.padding_left;
  program.in_maps = layer.in_maps;
  program.in_height = layer.in.height, program.in_width = layer.in.width;
  program.iterations = layer.out.width - scheduled.emitted.peeled;
  program.inputs = group.inputs;
  for (std::size_t i = 0; i < group.maps.size(); ++i) program.maps[i].map = group.maps[i];
  return program;
}

}  // namespace convscope::nve
