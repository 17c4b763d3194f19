#include "core/snowflake/compile/layer_program.h"

#include <algorithm>

#include "core/base/diagnostic.h"
#include "core/snowflake/compile/layer_key.h"
#include "core/snowflake/plan/decide.h"
#include "core/snowflake/simulate/simulator.h"
#include "core/snowflake/verify/verify_program.h"
#include "core/target/compiled.h"

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

/// Regions of its own for a layer, so that equal layers look alike wherever they stand.
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
  std::string fault;
  if (!verify_program(timed.program, diagnostics, {}, stop).ok) {
    fault = "the program made for it is refused by the verifier: " + diagnostics.items().front().text();
  } else {
    timed.run = simulate(timed.program, {}, stop);
    if (timed.run.refusal) fault = "the program made for it is refused by the simulator: " + timed.run.refusal->what;
  }
  timed.refused = target::fault_reason(fault);
  if (timed.fault.empty()) timed.fault = fault;
}

std::int64_t taps_of(const ProgramLayer& layer, const std::vector<Region>& regions, const Machine& machine) {
  const LayerShape shape = shape_of(layer, regions, machine, false);
  return shape.pool() ? 0 : valid_macs(shape) / (std::int64_t{shape.channels} * (shape.in_channels / shape.groups));
}

void compile_chosen(TimedProgram& timed, const ProgramLayer& layer, const std::vector<Region>& regions,
                    const Machine& machine, const std::stop_token& stop) {
  CompiledProgram compiled = compile_layer(layer, regions, timed.choice, machine);
  timed.refused = compiled.refused.front();
  if (!timed.refused.empty()) return;
  timed.program = std::move(compiled.program);
  verify_and_time(timed, stop);
}

TimedProgram alone(const target::PassRun& run, const LayerKey& key, const ComputeMachine& compute,
                   const TimingMachine& timing, CompileLevel level) {
  const Machine machine = machine_of(compute, timing);
  ProgramLayer layer = layer_of(key);
  const std::vector<Region> regions = own_regions(layer);
  TimedProgram timed;
  timed.choice = choose(layer, regions, machine, level, run.stop);
  timed.refused = timed.choice.refused;
  if (!timed.refused.empty()) return timed;
  timed.taps = taps_of(layer, regions, machine);
  compile_chosen(timed, layer, regions, machine, run.stop);
  // A mapping whose program is refused stays with its reason, and the next one takes its place.
  for (std::size_t i = 0; i < timed.choice.alternatives.size() && !timed.refused.empty(); ++i) {
    if (!timed.choice.alternatives[i].refused.empty()) continue;
    timed.choice.alternatives[static_cast<std::size_t>(timed.choice.chosen)].refused = timed.refused;
    timed.choice.chosen = static_cast<int>(i);
    compile_chosen(timed, layer, regions, machine, run.stop);
  }
  return timed;
}

constexpr target::Pass program_alone{"snowflake.layer", alone};

TimedProgram linked(const ParsedNetwork& parsed, const std::vector<Mapping>& mappings, const Machine& machine,
                    const std::stop_token& stop) {
  std::vector<Choice> choices;
  std::transform(mappings.begin(), mappings.end(), std::back_inserter(choices), Choice::only);
  CompiledProgram compiled = compile_network("network", parsed, choices, machine);
  TimedProgram timed;
  for (std::size_t i = 0; i < parsed.layers.size(); ++i)
    if (!compiled.refused[i].empty()) timed.refused = parsed.layers[i].layer.name + ": " + compiled.refused[i];
  timed.program = std::move(compiled.program);
  if (timed.refused.empty()) verify_and_time(timed, stop);
  return timed;
}

PoolTurns turns(const target::PassRun& run, const LayerKey& convolution, const LayerKey& pool,
                const Mapping& convolution_mapping, const Mapping& pool_mapping, const ComputeMachine& compute,
                const TimingMachine& timing) {
  return take_turns(layer_of(convolution), layer_of(pool), convolution_mapping, pool_mapping,
                    machine_of(compute, timing), run.stop);
}

constexpr target::Pass program_turns{"snowflake.turns", turns};

TimedProgram together(const target::PassRun& run, const std::vector<LayerKey>& keys, const std::vector<Region>& maps,
                      const std::vector<Mapping>& mappings, const ComputeMachine& compute,
                      const TimingMachine& timing) {
  ParsedNetwork parsed;
  parsed.regions = maps;
  for (const LayerKey& key : keys) parsed.layers.push_back({layer_of(key), Dependency::sequential, 0, {}});
  const Machine machine = machine_of(compute, timing);
  TimedProgram timed = linked(parsed, mappings, machine, run.stop);
  if (timed.refused.empty()) return timed;
  // None of 9,000 random chains needs it: should what goes across layers ever be refused, it is done without.
  std::vector<Mapping> cold = mappings;
  for (Mapping& mapping : cold) {
    mapping.prefetch = false;
    mapping.interleaving = {};
  }
  TimedProgram other = linked(parsed, cold, machine, run.stop);
  if (!other.refused.empty()) return timed;
  other.fault = timed.fault;
  return other;
}

constexpr target::Pass program_together{"snowflake.network", together};

}  // namespace

target::Remembered<TimedProgram> compile_alone(const target::PassRun& run, const ProgramLayer& layer,
                                               const Machine& machine, CompileLevel level) {
  ProgramLayer canonical = layer;
  own_regions(canonical);
  return program_alone(run, key_of(canonical), machine, machine, level);
}

target::Remembered<PoolTurns> compile_turns(const target::PassRun& run, const ProgramLayer& convolution,
                                            const ProgramLayer& pool, const Mapping& convolution_mapping,
                                            const Mapping& pool_mapping, const Machine& machine) {
  const ParsedNetwork pair = pair_of(convolution, pool);
  LayerKey first = key_of(pair.layers[0].layer), second = key_of(pair.layers[1].layer);
  first.name = second.name = "layer";
  return program_turns(run, first, second, convolution_mapping, pool_mapping, machine, machine);
}

target::Remembered<TimedProgram> compile_together(const target::PassRun& run, const ParsedNetwork& parsed,
                                                  const std::vector<Mapping>& mappings, const Machine& machine) {
  std::vector<LayerKey> keys;
  for (const ParsedLayer& layer : parsed.layers) keys.push_back(key_of(layer.layer));
  return program_together(run, keys, parsed.regions, mappings, machine, machine);
}

}  // namespace convscope::snowflake
