#include "core/nmp/generate/generate.h"

#include <cassert>

#include <fmt/format.h>

#include "core/base/integers.h"
#include "core/nmp/cost/cost_model.h"
#include "core/nmp/generate/layer_code.h"
#include "core/nmp/generate/refusals.h"
#include "core/nmp/generate/seeded_biases.h"

namespace convscope::nmp {
namespace {

ProgramAxis program_axis(const Axis& axis) {
  return {axis.kernel, axis.stride, axis.dilation, axis.padding};
}

MapsPlace maps_place(int region, std::uint32_t first, std::int64_t maps, const Axis& rows, const Axis& columns,
                     bool outputs, int element_bytes) {
  MapsPlace place;
  place.region = region;
  place.first_byte = first;
  place.maps = static_cast<int>(maps);
  place.rows = outputs ? rows.out : rows.in;
  place.columns = outputs ? columns.out : columns.in;
  place.row_pitch = std::int64_t{place.columns} * element_bytes;
  place.map_pitch = place.row_pitch * place.rows;
  return place;
}

void add_regions(const LayerLayout& layout, bool pairs, Program& program) {
  program.regions = {{"inputs", RegionKind::input, 0, layout.input_bytes},
                     {"outputs", RegionKind::output, layout.output, layout.output_bytes}};
  if (layout.weight_bytes > 0)
    program.regions.push_back(pairs ? Region{"second operand", RegionKind::input, layout.weights, layout.weight_bytes}
                                    : Region{"weights", RegionKind::weights, layout.weights, layout.weight_bytes});
  if (layout.partial_sum_bytes > 0)
    program.regions.push_back(
        {"partial sums", RegionKind::partial_sums, layout.partial_sums, layout.partial_sum_bytes});
  if (layout.residual_bytes > 0)
    program.regions.push_back({"residual", RegionKind::input, layout.residual, layout.residual_bytes});
  program.dram_bytes = layout.end;
}

/// Of the batch's first image the layer's name, others by number.
std::string name_of(const std::string& layer, int image) {
  return image == 0 ? layer : fmt::format("{}, image {}", layer, image + 1);
}

/// Moves the layer's maps from the first image to this one.
void move_to_image(ProgramLayer& layer, int image, const Images& images) {
  layer.in.first_byte += image * images.input_pitch * layer.element_bytes;
  layer.out.first_byte += image * images.output_pitch * layer.element_bytes;
  if (layer.residual.region >= 0) layer.residual.first_byte += image * images.output_pitch * layer.element_bytes;
  if (layer.partial_sums.region >= 0)
    layer.partial_sums.first_byte += image * images.output_pitch * layer.partial_sum_bytes;
}

/// Of the first image.
ProgramLayer program_layer(const ProgramRequest& request, const LayerPlan& plan, const LayerPlace& place) {
  const LayerLayout& layout = place.layout;
  const Convolution& c = plan.convolution();
  const Machine& m = plan.machine();
  ProgramLayer layer;
  layer.name = request.name;
  layer.computation = request.computing.computation;
  layer.slope = request.computing.slope;
  layer.clamp_low = request.format.clamp_low;
  layer.clamp_high = request.format.clamp_high;
  layer.vertical = program_axis(c.rows);
  layer.horizontal = program_axis(c.columns);
  layer.groups = c.repeats;
  layer.channels = c.channels;
  layer.units = c.units;
  layer.maps_per_unit = c.maps_per_unit;
  layer.depthwise = c.depthwise;
  layer.element_bytes = m.element_bytes;
  layer.partial_sum_bytes = m.partial_sum_bytes;
  layer.shift = request.format.shift;
  layer.guard = request.format.guard;
  for (int part = 0; part < plan.parts(); ++part)
    for (int i = 0; i < plan.channel_trips(part); ++i)
      layer.channel_parts.push_back(piece_of(plan.part(part), request.tiling.channels, i).size);
  layer.biases = request.biases;
  const std::int64_t in_maps = std::int64_t{c.depthwise ? c.units : c.channels} * c.repeats;
  const std::int64_t out_maps = std::int64_t{c.units} * c.maps_per_unit * c.repeats;
  layer.in = maps_place(place.in, layout.input, in_maps, c.rows, c.columns, false, m.element_bytes);
  if (c.has_weights()) layer.weights = {place.weights, layout.weights};
  layer.out = maps_place(place.out, layout.output, out_maps, c.rows, c.columns, true, m.element_bytes);
  if (layout.partial_sum_bytes > 0)
    layer.partial_sums =
        maps_place(place.partial_sums, layout.partial_sums, out_maps, c.rows, c.columns, true, m.partial_sum_bytes);
  if (!c.residual) return layer;
  layer.residual = maps_place(place.residual, layout.residual, out_maps, c.rows, c.columns, true, m.element_bytes);
  layer.residual_shift = request.format.residual_shift;
  return layer;
}

/// Tables, and behind them the biases of the TLT's maps, group after group.
std::vector<std::uint32_t> data_of(const LayerPlan& plan, const LayerLayout& layout, const TablePlaces& places,
                                   const std::vector<std::int32_t>& biases, int tle, int tlt) {
  std::vector<std::uint32_t> words = tables_of(plan, layout, places, tle, tlt);
  const Convolution& c = plan.convolution();
  const Range units = plan.units_of(tle, tlt);
  for (int group = 0; group < c.repeats && c.multiplies(); ++group) {
    const std::int64_t first = (std::int64_t{group} * c.units + units.begin) * c.maps_per_unit;
    for (std::int64_t map = first; map < first + std::int64_t{units.size} * c.maps_per_unit; ++map)
      words.push_back(static_cast<std::uint32_t>(biases[static_cast<std::size_t>(map)]));
  }
  return words;
}

/// As the cost model counts it: what a program moves beyond that, or doesn't, is a mistake.
TrafficBytes planned_traffic(const CostModel& model, const LayerPlan& plan) {
  const Totals totals = model.evaluate(plan.tiling());
  const std::int64_t images = plan.images().count;
  // A second operand is an input as well, and so is a residual.
  if (model.convolution().operation == Operator::pairs)
    return {totals.in.bytes + totals.weights.bytes, 0, 0, 0, totals.out.bytes};
  return {(totals.in.bytes + totals.residual.bytes) * images,
          totals.weights.bytes * (plan.keeps_weights() ? 1 : images), totals.partial_loads.bytes * images,
          totals.partial_stores.bytes * images, totals.out.bytes * images};
}

}  // namespace

std::string why_no_program(const Convolution& convolution, const Computing& computing, const Machine& machine,
                           const Tiling& tiling) {
  for (const std::string& why :
       {why_no_program(machine), why_no_program(convolution, computing, tiling), why_no_program(tiling)})
    if (!why.empty()) return why;
  const LayerPlan plan(convolution, machine, tiling, random_format(convolution, machine));
  return why_no_program(plan, layout_of(plan), table_places(plan));
}

LayerLayout layout_of(const ProgramRequest& request) {
  return layout_of(LayerPlan(request.convolution, request.machine, request.tiling, request.format, request.images));
}

GeneratedProgram generate_at(const ProgramRequest& request, const LayerPlace& place) {
  for (const std::string& why :
       {why_no_program(request.machine), why_no_program(request.convolution, request.computing, request.tiling),
        why_no_program(request.tiling)})
    if (!why.empty()) return {std::nullopt, why};
  Machine exact = request.machine;
  exact.borders = Borders::exact;
  const CostModel model(request.convolution, exact);
  assert(model.in_range(request.tiling) && model.occupancy(request.tiling).fits(exact));
  const LayerPlan plan(request.convolution, exact, request.tiling, request.format, request.images);
  const TablePlaces places = table_places(plan, place.first_table_byte);
  if (std::string why = why_no_program(plan, place.layout, places); !why.empty()) return {std::nullopt, std::move(why)};
  Program program;
  program.name = request.name;
  program.machine = whole_machine(exact);
  program.level = request.level;
  program.commands_hold_dram = !request.machine.free_running;
  program.dram_bytes = place.layout.end;
  const ProgramLayer first = program_layer(request, plan, place);
  for (int image = 0; image < request.images.count; ++image) {
    program.layers.push_back(first);
    program.layers.back().name = name_of(request.name, request.images.first + image);
    move_to_image(program.layers.back(), image, request.images);
  }
  for (int tle = 0; tle < exact.tles; ++tle)
    for (int tlt = 0; tlt < exact.tlts; ++tlt)
      program.data.push_back(data_of(plan, place.layout, places, request.biases, tle, tlt));
  write_layer_code(plan, request.computing, place.layout, places, !request.machine.free_running, place.crossing,
                   program);
  program.traffic = planned_traffic(model, plan);
  return {std::move(program), {}};
}

GeneratedProgram generate(const ProgramRequest& request) {
  if (std::string why = why_no_program(request.machine); !why.empty()) return {std::nullopt, std::move(why)};
  LayerPlace place;
  place.layout = layout_of(request);
  if (place.layout.partial_sum_bytes == 0) place.residual = place.partial_sums;  // their number without these
  GeneratedProgram made = generate_at(request, place);
  if (made.program) add_regions(place.layout, request.convolution.operation == Operator::pairs, *made.program);
  return made;
}

ProgramRequest request_for_seeded_data(const std::string& name, const Convolution& convolution,
                                       const Computing& computing, const Machine& machine, CostLevel level,
                                       const Tiling& tiling) {
  NumberFormat format = random_format(convolution, machine);
  if (computing.rectifies) rectify(format, machine.element_bytes);
  std::vector<std::int32_t> biases;
  if (convolution.multiplies()) biases = seeded_biases(convolution, format, machine.element_bytes);
  return {name, convolution, machine, level, tiling, format, computing, std::move(biases)};
}

GeneratedProgram generate_for_seeded_data(const std::string& name, const Convolution& convolution,
                                          const Computing& computing, const Machine& machine, CostLevel level,
                                          const Tiling& tiling) {
  return generate(request_for_seeded_data(name, convolution, computing, machine, level, tiling));
}

}  // namespace convscope::nmp
