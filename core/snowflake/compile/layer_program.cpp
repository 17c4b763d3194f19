#include "core/snowflake/compile/layer_program.h"

#include <algorithm>

#include "core/base/diagnostic.h"
#include "core/snowflake/compile/layer_key.h"
#include "core/snowflake/parse/regions.h"
#include "core/snowflake/plan/decide.h"
#include "core/snowflake/simulate/simulator.h"
#include "core/snowflake/verify/verify_program.h"

namespace convscope::snowflake {
namespace {

Machine machine_of(const ComputeMachine& compute, const TimingMachine& timing) {
  Machine machine;
  static_cast<ComputeMachine&>(machine) = compute;
  static_cast<TimingMachine&>(machine) = timing;
  return machine;
}

std::int64_t words_of(const MapsPlace& place) {
  return std::int64_t{place.height} * place.width * place.pitch;
}

/// Rows of padding are loaded from there.
Region zeros_for(const std::vector<ProgramLayer>& layers) {
  std::int64_t words = 0;
  for (const ProgramLayer& layer : layers) words = std::max(words, std::int64_t{layer.in.width} * layer.in.pitch);
  return {"zeros", RegionKind::zeros, 0, words, 0, std::max(0, static_cast<int>(layers.size()) - 1)};
}

/// The layer with regions of its own: equal layers look alike, wherever they stand.
std::vector<Region> own_regions(ProgramLayer& layer) {
  std::vector<Region> regions{{"input", RegionKind::input, 0, words_of(layer.in), 0, 0},
                              {"output", RegionKind::output, 0, words_of(layer.out), 0, 0}};
  layer.name = "layer";
  layer.in.region = 0;
  layer.out.region = 1;
  if (layer.bypass.region >= 0) {
    layer.bypass.region = 2;
    regions.push_back({"bypass", RegionKind::input, 0, words_of(layer.bypass), 0, 0});
  }
  return regions;
}

/// A program that the verifier refuses is a fault of the compiler, which is said and not hidden.
void verify_and_time(TimedProgram& timed, const std::stop_token& stop) {
  Diagnostics diagnostics;
  if (!verify_program(timed.program, diagnostics, {}, stop).ok) {
    timed.refused = "the program made for it doesn't pass the verifier: " + diagnostics.text();
    return;
  }
  timed.run = simulate(timed.program, {}, stop);
  if (timed.run.refusal)
    timed.refused = "the program made for it is refused by the simulator: " + timed.run.refusal->what;
}

TimedProgram alone(const target::PassRun& run, const LayerKey& key, const ComputeMachine& compute,
                   const TimingMachine& timing, bool /*best*/) {
  const Machine machine = machine_of(compute, timing);
  ProgramLayer layer = layer_of(key);
  std::vector<Region> regions = own_regions(layer);
  regions.push_back(zeros_for({layer}));
  TimedProgram timed;
  Decision decision = paper_mapping(layer, regions, machine);
  timed.refused = decision.refused;
  if (!timed.refused.empty()) return timed;
  timed.mapping = std::move(decision.mapping);
  place_kernels(layer, regions, timed.mapping, machine);
  place_regions(regions);
  const LayerShape shape = shape_of(layer, regions, machine, timed.mapping.by_position);
  timed.taps = valid_macs(shape) / (std::int64_t{shape.channels} * (shape.in_channels / shape.groups));
  std::vector<PlannedLayer> layers{{layer, timed.mapping, {}}};
  timed.program = make_program("layer", machine, std::move(regions), layers);
  timed.refused = layers.front().refused;
  if (timed.refused.empty()) verify_and_time(timed, run.stop);
  return timed;
}

constexpr target::Pass program_alone{"snowflake.layer", alone};

TimedProgram together(const target::PassRun& run, const std::vector<LayerKey>& keys, const std::vector<Region>& maps,
                      const std::vector<Mapping>& mappings, const ComputeMachine& compute,
                      const TimingMachine& timing) {
  const Machine machine = machine_of(compute, timing);
  std::vector<ProgramLayer> bare;
  std::transform(keys.begin(), keys.end(), std::back_inserter(bare), layer_of);
  std::vector<Region> regions = maps;
  regions.push_back(zeros_for(bare));
  std::vector<PlannedLayer> layers;
  for (std::size_t i = 0; i < bare.size(); ++i) {
    place_kernels(bare[i], regions, mappings[i], machine);
    layers.push_back({std::move(bare[i]), mappings[i], {}});
  }
  const int last = std::max(0, static_cast<int>(layers.size()) - 1);
  for (Region& region : regions)
    if (region.kind == RegionKind::kernels) region.first_layer = 0, region.last_layer = last;
  place_regions(regions);
  TimedProgram timed;
  timed.program = make_program("network", machine, std::move(regions), layers);
  for (const PlannedLayer& layer : layers)
    if (!layer.refused.empty()) timed.refused = layer.layer.name + ": " + layer.refused;
  if (timed.refused.empty()) verify_and_time(timed, run.stop);
  return timed;
}

constexpr target::Pass program_together{"snowflake.network", together};

}  // namespace

target::Remembered<TimedProgram> compile_alone(const target::PassRun& run, const ProgramLayer& layer,
                                               const Machine& machine, bool best) {
  ProgramLayer canonical = layer;
  own_regions(canonical);
  return program_alone(run, key_of(canonical), machine, machine, best);
}

target::Remembered<TimedProgram> compile_together(const target::PassRun& run, const ParsedNetwork& parsed,
                                                  const std::vector<int>& positions,
                                                  const std::vector<Mapping>& mappings, const Machine& machine) {
  std::vector<LayerKey> keys;
  for (const int position : positions) keys.push_back(key_of(parsed.layers[static_cast<std::size_t>(position)].layer));
  return program_together(run, keys, parsed.regions, mappings, machine, machine);
}

}  // namespace convscope::snowflake
