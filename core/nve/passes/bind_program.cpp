#include "core/nve/passes/bind_program.h"

namespace convscope::nve {

Window window_of(const network::Layer& layer) {
  return {layer.kernel.height, layer.kernel.width, layer.stride.height, layer.stride.width};
}

Program bind_program(const StructureProgram& scheduled, const MapGroup& group, const network::Layer& layer,
                     const std::string& name, const Machine& machine) {
  Program program = scheduled.emitted.program;
  program.name = name;
  program.machine = machine;
  program.layer = layer.name;
  program.out_height = layer.out.size.height, program.out_width = layer.out.size.width;
  program.padding_top = layer.padding.top, program.padding_left = layer.padding.left;
  program.in_maps = layer.in.maps;
  program.in_height = layer.in.size.height, program.in_width = layer.in.size.width;
  program.iterations = layer.out.size.width;
  program.inputs = group.inputs;
  for (std::size_t i = 0; i < group.maps.size(); ++i) program.maps[i].map = group.maps[i];
  return program;
}

}  // namespace convscope::nve
