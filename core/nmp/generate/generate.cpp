#include "core/nmp/generate/generate.h"

#include <algorithm>
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
  return {axis.kernel, axis.repeat > 1 ? axis.repeat : axis.stride, axis.dilation, axis.padding};
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

void add_regions(const LayerLayout& layout, const Convolution& c, Program& program) {
  // What sums of several operands go on from is read again.
  const bool again = c.combines() && c.repeats > 1;
  program.regions = {{"inputs", RegionKind::input, 0, layout.input_bytes},
                     {"outputs", again ? RegionKind::maps : RegionKind::output, layout.output, layout.output_bytes}};
  if (layout.weight_bytes > 0)
    program.regions.push_back(c.combines()
                                  ? Region{again ? "other operands" : "second operand", RegionKind::input,
                                           layout.weights, layout.weight_bytes}
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
  layer.offset = request.computing.offset;
  layer.table = request.computing.table;
  layer.clamp_low = request.format.clamp_low;
  layer.clamp_high = request.format.clamp_high;
  layer.vertical = program_axis(c.rows);
  layer.horizontal = program_axis(c.columns);
  layer.groups = plan.groups();
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
  const std::int64_t in_maps = std::int64_t{c.depthwise ? c.units : c.channels} * plan.groups();
  const std::int64_t out_maps = std::int64_t{c.units} * c.maps_per_unit * plan.groups();
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

/// Of a sum of several operands those behind the first: each goes on from what the one before has left.
void add_passes(const LayerPlan& plan, const LayerPlace& place, std::vector<ProgramLayer>& layers) {
  const ProgramLayer first = layers.front();
  for (int pass = 1; pass < plan.passes(); ++pass) {
    const auto other = static_cast<std::size_t>(pass - 1);
    layers.push_back(first);
    ProgramLayer& layer = layers.back();
    layer.name = fmt::format("{}, operand {}", first.name, pass + 2);
    layer.in = first.out;
    layer.weights = {other < place.others.size() ? place.others[other] : place.weights, place.layout.others[other]};
  }
}

/// Units `begin` to `end` of copies that lie equally far apart, in one operand and in the output.
ProgramLayer moved(const LayerPlan& plan, const LayerPlace& place, ProgramLayer layer, std::size_t begin,
                   std::size_t end) {
  const std::vector<Move>& moves = plan.computing().moves;
  const Move& first = moves[begin];
  const Move& next = end - begin > 1 ? moves[begin + 1] : first;
  const auto set_place = [&](MapsPlace& maps, std::int64_t byte, std::int64_t to_next) {
    maps.first_byte = byte;
    maps.maps = static_cast<int>(end - begin);
    if (maps.maps > 1) maps.map_pitch = to_next * layer.element_bytes;
  };
  std::int64_t operand = place.layout.input;
  if (first.operand > 0) {
    const auto other = static_cast<std::size_t>(first.operand - 1);
    operand = place.layout.others[other];
    if (other < place.others.size()) layer.in.region = place.others[other];
  }
  set_place(layer.in, operand + first.from * layer.element_bytes, next.from - first.from);
  set_place(layer.out, place.layout.output + first.to * layer.element_bytes, next.to - first.to);
  layer.units = layer.in.maps;
  return layer;
}

/// As few layers as describe all copies.
std::vector<ProgramLayer> moves_of(const LayerPlan& plan, const LayerPlace& place, const ProgramLayer& layer) {
  const std::vector<Move>& moves = plan.computing().moves;
  const std::int64_t length = plan.convolution().columns.out;
  std::vector<ProgramLayer> layers;
  for (std::size_t begin = 0, end = 0; begin < moves.size(); begin = end) {
    for (end = begin + 1; end < moves.size(); ++end) {
      const Move &last = moves[end - 1], &next = moves[end], &second = moves[begin + 1];
      const std::int64_t from = next.from - last.from, to = next.to - last.to;
      const bool goes_on = next.operand == last.operand && from >= length && to >= length &&
                           from == second.from - moves[begin].from && to == second.to - moves[begin].to;
      if (!goes_on) break;
    }
    layers.push_back(moved(plan, place, layer, begin, end));
    if (begin > 0) layers.back().name = fmt::format("{}, part {}", layer.name, layers.size());
  }
  return layers;
}

/// What the layer computes, for an image.
std::vector<ProgramLayer> program_layers(const ProgramRequest& request, const LayerPlan& plan,
                                         const LayerPlace& place) {
  std::vector<ProgramLayer> layers{program_layer(request, plan, place)};
  if (plan.convolution().scattered) return moves_of(plan, place, layers.front());
  if (plan.convolution().combines()) add_passes(plan, place, layers);
  return layers;
}

/// The numbers of a table, two in a word.
void add_function(const std::vector<std::int32_t>& table, std::vector<std::uint32_t>& words) {
  for (std::size_t i = 0; i < table.size(); i += 2) {
    const std::int32_t second = i + 1 < table.size() ? table[i + 1] : 0;
    words.push_back((static_cast<std::uint32_t>(table[i]) & 0xffffU) | static_cast<std::uint32_t>(second) << 16);
  }
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
  add_function(plan.computing().table, words);
  return words;
}

/// As the cost model counts it: what a program moves beyond that, or doesn't, is a mistake.
TrafficBytes planned_traffic(const CostModel& model, const LayerPlan& plan) {
  const Totals totals = model.evaluate(plan.tiling());
  const std::int64_t images = plan.images().count;
  // A second operand is an input as well, and so is a residual.
  if (model.convolution().combines()) return {totals.in.bytes + totals.weights.bytes, 0, 0, 0, totals.out.bytes};
  return {(totals.in.bytes + totals.residual.bytes) * images,
          totals.weights.bytes * (plan.keeps_weights() ? 1 : images), totals.partial_loads.bytes * images,
          totals.partial_stores.bytes * images, totals.out.bytes * images};
}

}  // namespace

LayerPlan plan_of(const ProgramRequest& request, const Machine& machine) {
  return {request.convolution, machine, request.tiling, request.format, request.images, request.computing};
}

std::string why_no_program(const Convolution& convolution, const Computing& computing, const Machine& machine,
                           const Tiling& tiling) {
  for (const std::string& why :
       {why_no_program(machine), why_no_program(convolution, computing, tiling), why_no_program(tiling)})
    if (!why.empty()) return why;
  const LayerPlan plan(convolution, machine, tiling, random_format(convolution, machine), {}, computing);
  return why_no_program(plan, layout_of(plan), table_places(plan));
}

LayerLayout layout_of(const ProgramRequest& request) {
  return layout_of(plan_of(request, request.machine));
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
  const LayerPlan plan = plan_of(request, exact);
  const TablePlaces places = table_places(plan, place.first_table_byte);
  if (std::string why = why_no_program(plan, place.layout, places); !why.empty()) return {std::nullopt, std::move(why)};
  Program program;
  program.name = request.name;
  program.machine = whole_machine(exact);
  program.level = request.level;
  program.commands_hold_dram = !request.machine.free_running;
  program.dram_bytes = place.layout.end;
  const std::vector<ProgramLayer> of_image = program_layers(request, plan, place);
  for (int image = 0; image < request.images.count; ++image)
    for (const ProgramLayer& layer : of_image) {
      program.layers.push_back(layer);
      program.layers.back().name = name_of(layer.name, request.images.first + image);
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
  if (made.program) add_regions(place.layout, request.convolution, *made.program);
  return made;
}

ProgramRequest request_for_seeded_data(const std::string& name, const Convolution& convolution,
                                       const Computing& computing, const Machine& machine, CostLevel level,
                                       const Tiling& tiling) {
  NumberFormat format = random_format(convolution, machine);
  if (computing.shift >= 0) format.shift = computing.shift;
  format.guard = std::min(format.guard, format.shift);
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
