#include "core/nve/passes/bind_program.h"

#include "core/nve/passes/tile_maps.h"

namespace convscope::nve {

namespace {

// Each tile starts where the one before ends, at the output and, times the stride, at the input.
void move_tiles(SectionTraffic& section, const MapGroup& group, int columns, int stride) {
  for (StreamWord& item : section.stream)
    if (item.kind == StreamWord::Kind::pixels) item.column += group.tile_of_input(item.index) * columns * stride;
  for (OutputWord& item : section.outputs) item.iteration += group.tile_of_map(item.map) * columns;
}

}  // namespace

Window window_of(const network::Layer& layer) {
  Window window{layer.kernel.height, layer.kernel.width, layer.stride.height, layer.stride.width};
  window.dilation_height = layer.dilation.height, window.dilation_width = layer.dilation.width;
  return window;
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
  const int columns = tile_columns(layer.out.width, group.tiles);
  program.iterations = columns - scheduled.emitted.peeled;
  if (group.tiles > 1)
    for (SectionTraffic* section : {&program.initial, &program.repeat})
      move_tiles(*section, group, columns, program.stride_width);
  program.inputs = group.inputs;
  for (std::size_t i = 0; i < group.maps.size(); ++i) program.maps[i].map = group.maps[i];
  for (OutputWord& output : program.final.outputs) output.iteration += layer.out.width;  // the last columns
  return program;
}

}  // namespace convscope::nve
