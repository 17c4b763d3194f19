#include "compiled_layer.h"

#include <fmt/core.h>

#include "core/snowflake/host/run.h"
#include "core/snowflake/plan/kernel_region.h"
#include "core/snowflake/verify/verify_program.h"

namespace convscope::snowflake {
namespace {

int outputs_along(int size, int kernel, int dilation, int stride, int padding) {
  return (size + 2 * padding - (kernel - 1) * dilation - 1) / stride + 1;
}

MapsPlace place(int region, int height, int width, int channels, int pitch) {
  return {region, 0, height, width, channels, pitch};
}

std::int64_t words(const MapsPlace& maps) {
  return std::int64_t{maps.height} * maps.width * maps.pitch;
}

}  // namespace

std::string LayerSpec::text() const {
  return fmt::format("{} {}x{}x{} -> {}, kernel {}x{}, stride {}x{}, dilation {}x{}, padding {}, groups {}{}{}{}{}",
                     static_cast<int>(kind), height, width, channels, outputs, kernel_height, kernel_width,
                     stride_height, stride_width, dilation_height, dilation_width, padding, groups,
                     bypass ? ", bypass" : "", relu ? ", relu" : "", count_padding ? ", counts padding" : "",
                     raw_input ? ", raw" : "");
}

SingleLayer single_layer(const LayerSpec& spec, const ComputeMachine& machine) {
  SingleLayer single;
  ProgramLayer& l = single.layer;
  l.name = "layer";
  l.kind = spec.kind;
  l.kernel_height = spec.kernel_height;
  l.kernel_width = spec.kernel_width;
  l.stride_height = spec.stride_height;
  l.stride_width = spec.stride_width;
  l.dilation_height = spec.dilation_height;
  l.dilation_width = spec.dilation_width;
  l.padding_top = l.padding_left = spec.padding;
  l.groups = spec.groups;
  l.relu = spec.relu;
  l.count_padding = spec.count_padding;
  const int height =
      outputs_along(spec.height, spec.kernel_height, spec.dilation_height, spec.stride_height, spec.padding);
  const int width = outputs_along(spec.width, spec.kernel_width, spec.dilation_width, spec.stride_width, spec.padding);
  const int pitch = round_up(spec.outputs, machine.macs);
  l.in = place(0, spec.height, spec.width, spec.channels,
               spec.raw_input ? spec.channels : round_up(spec.channels, machine.macs));
  l.out = place(1, height, width, spec.outputs, pitch);
  single.regions = {{"input", RegionKind::input, 0, words(l.in), 0, 0},
                    {"output", RegionKind::output, 0, words(l.out), 0, 0},
                    {"zeros", RegionKind::zeros, 0, std::int64_t{spec.width} * l.in.pitch, 0, 0}};
  if (spec.bypass) {
    l.bypass = place(3, height, width, spec.outputs, pitch);
    single.regions.push_back({"bypass", RegionKind::input, 0, words(l.out), 0, 0});
  }
  if (spec.kind == LayerKind::average_pool) {
    l.weights_fraction = 15;
    l.fraction = 15;
  }
  return single;
}

CompiledSingle compile_single(const LayerSpec& spec, const Machine& machine, const Mapping& mapping) {
  SingleLayer single = single_layer(spec, machine);
  CompiledSingle compiled;
  place_kernels(single.layer, single.regions, mapping, machine);
  place_in_order(single.regions);
  std::vector<PlannedLayer> layers{{single.layer, mapping, {}}};
  compiled.program = make_program("single", machine, single.regions, layers);
  compiled.refused = layers[0].refused;
  return compiled;
}

CompiledSingle compile_single(const LayerSpec& spec, const Machine& machine) {
  const SingleLayer single = single_layer(spec, machine);
  const Decision decision = paper_mapping(single.layer, single.regions, machine);
  if (!decision.refused.empty()) return {{}, decision.refused};
  return compile_single(spec, machine, decision.mapping);
}

std::string run_single(const Program& program, std::uint64_t seed) {
  Diagnostics diagnostics;
  if (!verify_program(program, diagnostics).ok) return "verifier: " + diagnostics.text();
  const auto run = run_and_compare(program, seed, diagnostics);
  return run ? run->text() : diagnostics.text();
}

}  // namespace convscope::snowflake
