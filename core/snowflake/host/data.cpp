#include <algorithm>
#include <cmath>

#include "core/base/cancellation.h"
#include "core/snowflake/host/run.h"

namespace convscope::snowflake {
namespace {

using reference::FixedTensor;

/// Streams of seeded words: weights, biases and inputs of each layer have their own.
constexpr std::uint64_t streams_per_layer = 4;
enum Stream : std::uint64_t { weights, biases, inputs };

std::uint64_t stream_seed(std::uint64_t seed, std::size_t layer, Stream stream) {
  constexpr std::uint64_t apart = 0xd1342543de82ef95;
  return seed + (layer * streams_per_layer + stream + 1) * apart;
}

int fixed(double value, int fraction) {
  return static_cast<int>(std::clamp(std::round(std::ldexp(value, fraction)), 1.0, 32767.0));
}

void fill(std::vector<std::int16_t>& words, std::uint64_t seed, int amplitude) {
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = reference::seeded_word(seed, i, amplitude);
}

bool has_weights(const ProgramLayer& layer) {
  return layer.kind == LayerKind::convolution || layer.kind == LayerKind::fully_connected;
}

std::size_t taps_of(const ProgramLayer& layer) {
  return static_cast<std::size_t>(layer.in.channels / layer.groups) * static_cast<std::size_t>(layer.kernel_height) *
         static_cast<std::size_t>(layer.kernel_width);
}

LayerParameters seeded_parameters(const ProgramLayer& layer, std::size_t index, std::uint64_t seed) {
  LayerParameters parameters;
  if (!has_weights(layer)) return parameters;
  const std::size_t taps = taps_of(layer);
  parameters.weights.resize(taps * static_cast<std::size_t>(layer.out.channels));
  parameters.bias.resize(static_cast<std::size_t>(layer.out.channels));
  fill(parameters.weights, stream_seed(seed, index, Stream::weights),
       fixed(std::sqrt(3.0 / static_cast<double>(taps)), layer.weights_fraction));
  fill(parameters.bias, stream_seed(seed, index, Stream::biases), fixed(1, layer.out_fraction));
  return parameters;
}

std::optional<InputPlace> place_of(const Program& program, int region) {
  for (std::size_t i = 0; i < program.layers.size(); ++i) {
    const ProgramLayer& layer = program.layers[i];
    if (layer.in.region == region) return InputPlace{layer.in, static_cast<int>(i), false};
    if (layer.bypass.region == region) return InputPlace{layer.bypass, static_cast<int>(i), true};
  }
  return std::nullopt;
}

/// Blocks that don't fit are left out: simulator and verifier refuse them.
void write_code(std::span<std::int16_t> dram, const Program& program) {
  const auto size = static_cast<std::int64_t>(program.code.size());
  for (const CodeBlock& block : program.blocks) {
    if (block.first < 0 || block.count < 0 || std::int64_t{block.first} + block.count > size) continue;
    if (block.dram_word < 0 || block.dram_word > program.dram_words - std::int64_t{block.count} * instruction_words)
      continue;
    for (int i = 0; i < block.count; ++i) {
      const EncodedInstruction word = program.code[static_cast<std::size_t>(block.first + i)];
      const auto at = static_cast<std::size_t>(block.dram_word + std::int64_t{i} * instruction_words);
      dram[at] = static_cast<std::int16_t>(word & 0xffffU);
      dram[at + 1] = static_cast<std::int16_t>(word >> 16);
    }
  }
}

FixedTensor computed(const ProgramLayer& layer, const LayerParameters& parameters, const FixedTensor& in,
                     const FixedTensor* bypass) {
  const network::Shape out{layer.out.channels, {layer.out.height, layer.out.width}};
  const reference::FixedWindow window{{layer.kernel_height, layer.kernel_width},
                                      {layer.stride_height, layer.stride_width},
                                      {layer.dilation_height, layer.dilation_width},
                                      layer.padding_top,
                                      layer.padding_left};
  if (layer.kind == LayerKind::max_pool) return reference::max_pool(window, in, out, layer.relu);
  if (layer.kind == LayerKind::average_pool)
    return reference::average_pool({window, layer.count_padding, layer.weights_fraction, layer.fraction, layer.relu},
                                   in, out);
  return reference::convolve({window, layer.groups, layer.fraction, layer.relu}, in, parameters.weights,
                             parameters.bias, bypass, out);
}

}  // namespace

std::vector<InputPlace> input_places(const Program& program) {
  std::vector<InputPlace> places;
  for (std::size_t region = 0; region < program.regions.size(); ++region)
    if (program.regions[region].kind == RegionKind::input)
      if (const auto place = place_of(program, static_cast<int>(region))) places.push_back(*place);
  return places;
}

ProgramData seeded_data(const Program& program, std::uint64_t seed) {
  ProgramData data;
  for (std::size_t i = 0; i < program.layers.size(); ++i)
    data.parameters.push_back(seeded_parameters(program.layers[i], i, seed));
  for (const InputPlace& place : input_places(program)) {
    const ProgramLayer& layer = program.layers[static_cast<std::size_t>(place.layer)];
    FixedTensor input(network::Shape{place.maps.channels, {place.maps.height, place.maps.width}});
    fill(input.values, stream_seed(seed, data.inputs.size(), Stream::inputs),
         fixed(1, place.bypass ? layer.out_fraction : layer.in_fraction));
    data.inputs.push_back(std::move(input));
  }
  return data;
}

std::vector<std::int16_t> dram_image(const Program& program, const ProgramData& data) {
  std::vector<std::int16_t> dram(static_cast<std::size_t>(program.dram_words));
  write_code(dram, program);
  for (std::size_t i = 0; i < program.layers.size(); ++i)
    write_kernels(dram, program, program.layers[i], data.parameters[i]);
  std::size_t next = 0;
  for (const InputPlace& place : input_places(program)) write_maps(dram, program, place.maps, data.inputs[next++]);
  return dram;
}

std::vector<FixedTensor> reference_outputs(const Program& program, const ProgramData& data,
                                           const std::stop_token& stop) {
  // Layers hand their maps on through DRAM, as regions may hold parts of several layers and be used again.
  std::vector<std::int16_t> dram = dram_image(program, data);
  std::vector<FixedTensor> outputs;
  for (std::size_t i = 0; i < program.layers.size(); ++i) {
    throw_if_stopped(stop);
    const ProgramLayer& layer = program.layers[i];
    const FixedTensor in = read_maps(dram, program, layer.in);
    std::optional<FixedTensor> bypass;
    if (layer.bypass.region >= 0) bypass = read_maps(dram, program, layer.bypass);
    outputs.push_back(computed(layer, data.parameters[i], in, bypass ? &*bypass : nullptr));
    write_maps(dram, program, layer.out, outputs.back());
  }
  return outputs;
}

}  // namespace convscope::snowflake
