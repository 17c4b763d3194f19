#include "core/snowflake/host/layout.h"

#include <algorithm>

#include <fmt/format.h>

namespace convscope::snowflake {
namespace {

using reference::FixedTensor;

bool has_kernels(const ProgramLayer& layer) {
  return layer.kind == LayerKind::convolution || layer.kind == LayerKind::fully_connected;
}

std::int64_t rounded_up(std::int64_t words, int to) {
  return (words + to - 1) / to * to;
}

const Region& region_of(const Program& program, int index) {
  return program.regions[static_cast<std::size_t>(index)];
}

std::size_t first_word(const Program& program, const MapsPlace& place) {
  return static_cast<std::size_t>(region_of(program, place.region).first_word + place.offset);
}

/// Where in a tap's row the channels of the output's group begin.
int first_word_of_group(const ProgramLayer& layer, const KernelLayout& layout, int output) {
  const int group = output / (layer.out.channels / layer.groups);
  return group * (layer.in.channels / layer.groups) - first_input_channel(layer, layout, output);
}

class Checker {
 public:
  Checker(const Program& program, Diagnostics& diagnostics) : program_(program), diagnostics_(diagnostics) {}

  void check() {
    expect(program_.dram_words >= 0 && program_.dram_words <= most_words, "DRAM",
           fmt::format("{} words", program_.dram_words), fmt::format("at most {}", most_words));
    for (const Region& region : program_.regions)
      expect(region.first_word >= 0 && region.words >= 0 && region.first_word <= program_.dram_words &&
                 region.words <= program_.dram_words - region.first_word,
             "region '" + region.name + "'", "lies outside DRAM", fmt::format("{} words", program_.dram_words));
    if (!sound_) return;
    for (const ProgramLayer& layer : program_.layers) check(layer);
  }
  bool sound() const { return sound_; }

 private:
  static constexpr std::int64_t most_words = std::int64_t{1} << 30;
  static constexpr int most_size = 1 << 16;
  static constexpr int most_kernel = 1 << 12;  ///< also of a tile

  void check(const ProgramLayer& layer) {
    const std::string name = "layer '" + layer.name + "'";
    check(layer.in, name + ", input");
    check(layer.out, name + ", output");
    if (layer.bypass.region >= 0) check_bypass(layer, name);
    const auto in_range = [](int from, std::initializer_list<int> values) {
      return std::ranges::all_of(values, [&](int value) { return value >= from && value <= most_kernel; });
    };
    expect(in_range(1, {layer.kernel_height, layer.kernel_width, layer.stride_height, layer.stride_width,
                        layer.dilation_height, layer.dilation_width}) &&
               in_range(0, {layer.padding_top, layer.padding_left}),
           name, "has a kernel, stride, dilation or padding out of range", fmt::format("1 to {}", most_kernel));
    for (const int bits : {layer.fraction, layer.weights_fraction, layer.in_fraction, layer.out_fraction})
      expect(bits >= 0 && bits < 16, name, fmt::format("has {} bits of fraction", bits), "0 to 15");
    if (!sound_) return;
    if (layer.kind == LayerKind::max_pool || layer.kind == LayerKind::average_pool)
      expect(layer.in.channels == layer.out.channels, name, "pools to another number of channels", "the same");
    if (has_kernels(layer)) check_kernels(layer, name);
    if (layer.kind == LayerKind::average_pool) check_reciprocals(layer, name);
  }

  void check(const MapsPlace& place, const std::string& name) {
    const bool region = has_region(place.region);
    expect(region, name, fmt::format("has region {}", place.region), "one of the program's regions");
    const bool sizes = std::ranges::all_of(std::initializer_list<int>{place.height, place.width, place.channels},
                                           [](int size) { return size >= 1 && size <= most_size; });
    expect(sizes && place.pitch >= place.channels && place.pitch <= most_size, name, "has an impossible size",
           fmt::format("1 to {}, pitch at least channels", most_size));
    if (!region || !sizes) return;
    // The last pixel needs its channels only.
    const std::int64_t words = (std::int64_t{place.height} * place.width - 1) * place.pitch + place.channels;
    const std::int64_t room = region_of(program_, place.region).words;
    expect(place.offset >= 0 && place.offset <= room && words <= room - place.offset, name,
           "does not fit into its region", fmt::format("at most {} words", room));
  }

  void check_bypass(const ProgramLayer& layer, const std::string& name) {
    check(layer.bypass, name + ", bypass");
    expect(layer.bypass.height == layer.out.height && layer.bypass.width == layer.out.width &&
               layer.bypass.channels == layer.out.channels,
           name, "has a bypass of another size", "that of its output");
  }

  void check_kernels(const ProgramLayer& layer, const std::string& name) {
    expect(layer.groups >= 1 && layer.groups <= most_size && layer.in.channels % layer.groups == 0 &&
               layer.out.channels % layer.groups == 0,
           name, fmt::format("has {} groups", layer.groups), "a divisor of input and output channels");
    expect(layer.kernels.vmacs >= 1 && layer.kernels.vmacs <= most_kernel && layer.kernels.kernels_per_vmac >= 1 &&
               layer.kernels.kernels_per_vmac <= most_kernel,
           name, "has an impossible kernel tile", "at least one kernel of one vMAC");
    expect(layer.kernels.span >= 0 && layer.kernels.span <= most_size, name,
           fmt::format("has taps of {} channels", layer.kernels.span), fmt::format("0 to {}", most_size));
    if (!sound_) return;
    const KernelLayout layout(layer, program_.machine.macs);
    // In floating point: a hostile program's product may not fit.
    check_kernel_words(layer, static_cast<double>(layout.part_words) * layout.tiles * layout.vmacs, name);
    if (!sound_) return;
    if (layout.taps_apart) check_span(layer, layout, name);
  }

  void check_span(const ProgramLayer& layer, const KernelLayout& layout, const std::string& name) {
    const int channels = layer.in.channels / layer.groups;
    for (int output = 0; output < layer.out.channels && sound_; ++output)
      expect(first_word_of_group(layer, layout, output) + channels <= layer.kernels.span, name,
             fmt::format("has taps of {} channels", layer.kernels.span),
             fmt::format("{}, for output channel {}", first_word_of_group(layer, layout, output) + channels, output));
  }

  void check_reciprocals(const ProgramLayer& layer, const std::string& name) {
    check_kernel_words(layer, 1.0 * layer.kernel_height * layer.kernel_width, name);
  }

  void check_kernel_words(const ProgramLayer& layer, double words, const std::string& name) {
    const bool region = has_region(layer.kernels.region);
    expect(region, name, fmt::format("has kernel region {}", layer.kernels.region), "one of the program's regions");
    if (!region) return;
    const std::int64_t room = region_of(program_, layer.kernels.region).words;
    expect(words <= static_cast<double>(room), name, fmt::format("needs {:.0f} words of kernels", words),
           fmt::format("at most {}", room));
  }

  bool has_region(int index) const { return index >= 0 && static_cast<std::size_t>(index) < program_.regions.size(); }

  void expect(bool holds, const std::string& element, const std::string& what, const std::string& expected) {
    if (holds) return;
    sound_ = false;
    diagnostics_.error({program_.name, 0, element}, what, expected);
  }

  const Program& program_;
  Diagnostics& diagnostics_;
  bool sound_ = true;
};

/// Calls `move(word of DRAM, value of the tensor)` for every value.
template <typename Dram, typename Maps, typename Move>
void for_words(Dram dram, const Program& program, const MapsPlace& place, Maps& maps, const Move& move) {
  const std::size_t first = first_word(program, place);
  for (int c = 0; c < place.channels; ++c)
    for (int y = 0; y < place.height; ++y)
      for (int x = 0; x < place.width; ++x) {
        const std::size_t pixel =
            static_cast<std::size_t>(y) * static_cast<std::size_t>(place.width) + static_cast<std::size_t>(x);
        move(dram[first + pixel * static_cast<std::size_t>(place.pitch) + static_cast<std::size_t>(c)],
             maps.at(c, y, x));
      }
}

/// Where in its vMAC's part a kernel lies, and the channel of its rows' first word.
struct KernelSlot {
  int slot = 0, lane = 0, first_channel = 0;
};

void write_kernel(std::span<std::int16_t> part, const KernelLayout& layout, const ProgramLayer& layer,
                  const KernelSlot& place, std::span<const std::int16_t> weights, std::int16_t bias) {
  const int channels = layer.in.channels / layer.groups;
  auto weight = weights.begin();
  for (int c = place.first_channel; c < place.first_channel + channels; ++c)
    for (int y = 0; y < layer.kernel_height; ++y)
      for (int x = 0; x < layer.kernel_width; ++x, ++weight) {
        const std::int64_t row = layout.taps_apart ? std::int64_t{y} * layer.kernel_width + x : y;
        const std::int64_t word = layout.taps_apart ? c : std::int64_t{x} * layer.in.pitch + c;
        const std::int64_t at =
            place.slot * layout.kernel_words + (row * layout.row_words + word) * layout.lanes + place.lane;
        part[static_cast<std::size_t>(at)] = *weight;
      }
  part[static_cast<std::size_t>(layout.bias_first + std::int64_t{place.slot} * layout.lanes + place.lane)] = bias;
}

void write_reciprocals(std::span<std::int16_t> words, const ProgramLayer& layer) {
  const int counts = layer.kernel_height * layer.kernel_width;
  for (int count = 1; count <= counts; ++count)
    words[static_cast<std::size_t>(count - 1)] = reference::reciprocal(count, layer.weights_fraction);
}

}  // namespace

KernelLayout::KernelLayout(const ProgramLayer& layer, int macs) {
  const bool independent = layer.kernels.order == KernelOrder::independent;
  taps_apart = layer.kernels.span > 0;
  rows = layer.kernel_height * (taps_apart ? layer.kernel_width : 1);
  row_words = taps_apart ? layer.kernels.span : std::int64_t{layer.kernel_width} * layer.in.pitch;
  if (!independent) row_words = rounded_up(row_words, macs);
  lanes = independent ? macs : 1;
  slots = layer.kernels.kernels_per_vmac;
  vmacs = layer.kernels.vmacs;
  kernel_words = rows * row_words * lanes;
  bias_first = slots * kernel_words;
  part_words = rounded_up(bias_first + std::int64_t{slots} * lanes, macs);
  tiles = (layer.out.channels + kernels_per_tile() - 1) / kernels_per_tile();
}

int first_input_channel(const ProgramLayer& layer, const KernelLayout& layout, int output) {
  const int together = layout.vmacs * layout.lanes;
  const int outputs = layer.out.channels / layer.groups, inputs = layer.in.channels / layer.groups;
  const bool whole = layer.kernels.span == layer.in.pitch;  // then rows go over all of the input
  if (!layout.taps_apart || whole || (outputs % together != 0 && together % outputs != 0)) return 0;
  return output / together * together / outputs * inputs;
}

bool check_layers(const Program& program, Diagnostics& diagnostics) {
  Checker checker(program, diagnostics);
  checker.check();
  return checker.sound();
}

FixedTensor read_maps(std::span<const std::int16_t> dram, const Program& program, const MapsPlace& place) {
  FixedTensor maps(network::Shape{place.channels, {place.height, place.width}});
  for_words(dram, program, place, maps, [](std::int16_t word, std::int16_t& value) { value = word; });
  return maps;
}

void write_maps(std::span<std::int16_t> dram, const Program& program, const MapsPlace& place, const FixedTensor& maps) {
  for_words(dram, program, place, maps, [](std::int16_t& word, std::int16_t value) { word = value; });
}

void write_kernels(std::span<std::int16_t> dram, const Program& program, const ProgramLayer& layer,
                   const LayerParameters& parameters) {
  if (layer.kernels.region < 0) return;
  const Region& region = region_of(program, layer.kernels.region);
  const auto words = dram.subspan(static_cast<std::size_t>(region.first_word), static_cast<std::size_t>(region.words));
  if (layer.kind == LayerKind::average_pool) return write_reciprocals(words, layer);
  if (!has_kernels(layer)) return;
  const KernelLayout layout(layer, program.machine.macs);
  const int channels = layer.in.channels / layer.groups, per_tile = layout.kernels_per_tile();
  const std::size_t taps = static_cast<std::size_t>(channels) * static_cast<std::size_t>(layer.kernel_height) *
                           static_cast<std::size_t>(layer.kernel_width);
  for (int output = 0; output < layer.out.channels; ++output) {
    const int lane = output % layout.lanes, vmac = output / layout.lanes % layout.vmacs;
    const std::int64_t part = std::int64_t{output / per_tile} * layout.vmacs + vmac;
    const int first = first_word_of_group(layer, layout, output);
    const auto index = static_cast<std::size_t>(output);
    write_kernel(
        words.subspan(static_cast<std::size_t>(part * layout.part_words), static_cast<std::size_t>(layout.part_words)),
        layout, layer, {output % per_tile / (layout.lanes * layout.vmacs), lane, first},
        std::span(parameters.weights).subspan(index * taps, taps), parameters.bias[index]);
  }
}

}  // namespace convscope::snowflake
