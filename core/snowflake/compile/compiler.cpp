#include "core/snowflake/compile/compiler.h"

#include <algorithm>
#include <numeric>

#include "core/base/cancellation.h"
#include "core/snowflake/code/layer_program.h"
#include "core/snowflake/parse/regions.h"
#include "core/snowflake/plan/bound.h"
#include "core/snowflake/plan/candidates.h"
#include "core/snowflake/plan/decide.h"
#include "core/snowflake/plan/kernel_region.h"
#include "core/snowflake/plan/refused_mapping.h"
#include "core/snowflake/simulate/simulator.h"

namespace convscope::snowflake {
namespace {

std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}

// A row of zeros as long as the longest that a layer puts above or below its input.
void add_zeros(const std::vector<PlannedLayer>& layers, std::vector<Region>& regions) {
  std::int64_t words = 0;
  for (const PlannedLayer& planned : layers)
    if (planned.refused.empty() && planned.mapping.split)
      words = std::max(words, std::int64_t{planned.layer.in.width} * planned.layer.in.pitch);
  if (words > 0) regions.push_back({"zeros", RegionKind::zeros, 0, words, 0, 0});
}

// What the host writes before the run has to stay until it is read, what it reads until the end.
void set_lifetimes(std::vector<Region>& regions, int layers) {
  for (Region& region : regions) {
    const bool whole = region.kind == RegionKind::kernels || region.kind == RegionKind::zeros;
    if (whole || region.kind == RegionKind::input) region.first_layer = 0;
    if (whole || region.kind == RegionKind::output) region.last_layer = std::max(0, layers - 1);
  }
}

// A pool that takes turns with the convolution before it writes while that one still reads.
void keep_inputs(const std::vector<PlannedLayer>& layers, std::vector<Region>& regions) {
  for (std::size_t i = 1; i < layers.size(); ++i) {
    if (!layers[i].mapping.interleaving.pool) continue;
    for (const MapsPlace& place : {layers[i - 1].layer.in, layers[i - 1].layer.bypass}) {
      if (place.region < 0) continue;
      Region& region = regions[index(place.region)];
      region.last_layer = std::max(region.last_layer, static_cast<int>(i));
    }
  }
}

std::vector<PlannedLayer> planned_layers(const std::vector<const ProgramLayer*>& layers,
                                         const std::vector<const Choice*>& choices, std::vector<Region>& regions,
                                         const Machine& machine) {
  std::vector<PlannedLayer> planned;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    planned.push_back({*layers[i], {}, choices[i]->refused});
    if (choices[i]->chosen < 0) continue;
    planned.back().mapping = choices[i]->mapping();
    place_kernels(planned.back().layer, regions, planned.back().mapping, machine);
  }
  return planned;
}

CompiledProgram compile(const std::string& name, std::vector<PlannedLayer> layers, std::vector<Region> regions,
                        const Machine& machine) {
  add_zeros(layers, regions);
  set_lifetimes(regions, static_cast<int>(layers.size()));
  keep_inputs(layers, regions);
  place_regions(regions);
  CompiledProgram compiled;
  compiled.program = make_program(name, machine, std::move(regions), layers);
  int position = 0;
  for (const PlannedLayer& planned : layers) {
    compiled.refused.push_back(planned.refused);
    compiled.position.push_back(planned.refused.empty() ? position++ : -1);
  }
  return compiled;
}

// The regions of one layer alone: what it reads is an input.
struct Alone {
  ProgramLayer layer;
  std::vector<Region> regions;
};
Alone alone(const ProgramLayer& layer, const std::vector<Region>& regions) {
  Alone a{layer, {}};
  const auto take = [&](MapsPlace& place, RegionKind kind) {
    Region region = regions[index(place.region)];
    region.kind = kind;
    region.first_layer = region.last_layer = 0;
    place.region = static_cast<int>(a.regions.size());
    a.regions.push_back(std::move(region));
  };
  take(a.layer.in, RegionKind::input);
  if (layer.bypass.region >= 0 && layer.bypass.region == layer.in.region)
    a.layer.bypass.region = a.layer.in.region;
  else if (layer.bypass.region >= 0)
    take(a.layer.bypass, RegionKind::input);
  take(a.layer.out, RegionKind::output);
  return a;
}

Alternative alternative(const ProgramLayer& layer, const std::vector<Region>& regions, const Machine& machine,
                        const Mapping& mapping, const std::string& name) {
  Alternative a;
  a.name = name;
  a.mapping = mapping;
  const LayerShape shape = shape_of(layer, regions, machine, mapping.by_position);
  a.refused = refused_mapping(shape, mapping, machine);
  if (!a.refused.empty()) return a;
  const LayerBlocks blocks = layer_blocks(shape, mapping, machine);
  a.refused = blocks.refused;
  if (!a.refused.empty()) return a;
  const RequiredBandwidth required = required_bandwidth(shape, mapping, machine);
  const LowerBound bound = lower_bound(blocks.first, blocks.blocks,
                                       std::int64_t{shape.out.height} * shape.out.width * shape.channels, machine);
  a.bound = bound.cycles();
  a.bytes = bound.bytes;
  a.bandwidth = required.bandwidth;
  return a;
}

void time(Alternative& a, const ProgramLayer& layer, const std::vector<Region>& regions, const Machine& machine) {
  Choice choice;
  choice.chosen = 0;
  choice.alternatives = {a};
  const CompiledProgram compiled = compile_layer(layer, regions, choice, machine);
  a.refused = compiled.refused[0];
  if (!a.refused.empty()) return;
  const SimulationResult result = simulate(compiled.program);
  if (result.refusal) a.refused = result.refusal->what;
  a.cycles = result.cycles;
}

void choose_fastest(Choice& choice, const ProgramLayer& layer, const std::vector<Region>& regions,
                    const Machine& machine, const std::stop_token& stop) {
  std::vector<std::size_t> order(choice.alternatives.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return choice.alternatives[a].bound < choice.alternatives[b].bound;
  });
  for (const std::size_t i : order) {
    if (stop.stop_requested()) throw Cancelled();
    Alternative& a = choice.alternatives[i];
    const auto best = [&] { return choice.alternatives[index(choice.chosen)].cycles; };
    if (!a.refused.empty() || (choice.chosen >= 0 && a.bound >= best())) continue;
    time(a, layer, regions, machine);
    if (a.refused.empty() && (choice.chosen < 0 || a.cycles < best())) choice.chosen = static_cast<int>(i);
  }
}

}  // namespace

Choice Choice::only(const Mapping& mapping) {
  Choice choice;
  choice.chosen = 0;
  choice.alternatives.resize(1);
  choice.alternatives.front().mapping = mapping;
  return choice;
}

Choice choose(const ProgramLayer& layer, const std::vector<Region>& regions, const Machine& machine, CompileLevel level,
              const std::stop_token& stop) {
  Choice choice;
  const Decision paper = paper_mapping(layer, regions, machine);
  if (paper.refused.empty())
    choice.alternatives.push_back(alternative(layer, regions, machine, paper.mapping, mapping_name(paper.mapping)));
  for (const Mapping& mapping : candidates(layer, regions, machine))
    if (!paper.refused.empty() || !(mapping == paper.mapping))
      choice.alternatives.push_back(alternative(layer, regions, machine, mapping, mapping_name(mapping)));
  if (level == CompileLevel::paper) {
    if (!choice.alternatives.empty() && choice.alternatives[0].refused.empty() && paper.refused.empty())
      choice.chosen = 0;
  } else {
    choose_fastest(choice, layer, regions, machine, stop);
  }
  if (choice.chosen < 0)
    choice.refused =
        !paper.refused.empty() || choice.alternatives.empty() ? paper.refused : choice.alternatives[0].refused;
  return choice;
}

CompiledProgram compile_layer(const ProgramLayer& layer, const std::vector<Region>& regions, const Choice& choice,
                              const Machine& machine) {
  Alone a = alone(layer, regions);
  std::vector<PlannedLayer> planned = planned_layers({&a.layer}, {&choice}, a.regions, machine);
  return compile(layer.name, std::move(planned), std::move(a.regions), machine);
}

CompiledProgram compile_network(const std::string& name, const ParsedNetwork& parsed,
                                const std::vector<Choice>& choices, const Machine& machine) {
  std::vector<Region> regions = parsed.regions;
  std::vector<const ProgramLayer*> layers;
  std::vector<const Choice*> chosen;
  for (std::size_t i = 0; i < parsed.layers.size(); ++i) {
    layers.push_back(&parsed.layers[i].layer);
    chosen.push_back(&choices[i]);
    if (choices[i].chosen < 0) regions[index(parsed.layers[i].layer.out.region)].kind = RegionKind::input;
  }
  std::vector<PlannedLayer> planned = planned_layers(layers, chosen, regions, machine);
  return compile(name, std::move(planned), std::move(regions), machine);
}

LayerBlocks blocks_of(const Program& program, int layer, const Mapping& mapping) {
  const LayerShape shape =
      shape_of(program.layers[index(layer)], program.regions, program.machine, mapping.by_position);
  return layer_blocks(shape, mapping, program.machine);
}

}  // namespace convscope::snowflake
