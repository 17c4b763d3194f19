#include "random_program.h"

#include <algorithm>
#include <random>

#include <fmt/format.h>

#include "tests/core/arch/round_trip.h"

namespace convscope::snowflake::test {
namespace {

class Maker {
 public:
  explicit Maker(unsigned seed) : random_(seed) {}

  Program program() {
    Program made;
    made.name = fmt::format("program \"{}\" \\ {}", below(1000), below(2) ? "größer" : "");
    machine(made);
    made.dram_words = 1'000'000;
    const int regions = 1 + below(4), layers = 1 + below(3);
    for (int i = 0; i < regions; ++i) made.regions.push_back(region(layers));
    for (int i = 0; i < layers; ++i) made.layers.push_back(layer(regions));
    const int count = below(60);
    for (int i = 0; i < count; ++i) made.code.push_back(word());
    parts(made, layers);
    return made;
  }

 private:
  int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }

  void machine(Program& made) {
    arch::ParameterValues values(machine_description());
    const auto& parameters = values.description().parameters;
    for (std::size_t i = 0; i < parameters.size(); ++i)
      if (below(4) == 0 && parameters[i].name != "store_fifo")
        values.set_at(i, arch::random_value(parameters[i], random_));
    values.set_at(*values.description().find("store_fifo"), 8192);
    made.machine = machine_from(values);
  }

  Region region(int layers) {
    const int first = below(layers);
    return {
        fmt::format("maps {}", below(9)), static_cast<RegionKind>(below(6)), below(1000), 5000 + below(90'000), first,
        first + below(layers - first)};
  }

  MapsPlace maps(int regions) {
    const int channels = 1 + below(16);
    return {below(regions), below(100), 1 + below(12), 1 + below(12), channels, channels + below(16)};
  }

  ProgramLayer layer(int regions) {
    ProgramLayer made;
    made.name = fmt::format("conv{}", below(100));
    made.kind = static_cast<LayerKind>(below(4));
    made.in = maps(regions);
    made.out = maps(regions);
    if (below(2)) made.bypass = maps(regions);
    for (int* side : {&made.kernel_height, &made.kernel_width, &made.stride_height, &made.stride_width,
                      &made.dilation_height, &made.dilation_width, &made.groups})
      *side = 1 + below(3);
    made.padding_top = below(3);
    made.padding_left = below(3);
    made.relu = below(2);
    made.count_padding = below(2);
    for (int* bits : {&made.fraction, &made.weights_fraction, &made.in_fraction, &made.out_fraction}) *bits = below(16);
    made.kernels = {below(regions + 1) - 1, static_cast<KernelOrder>(below(2)), 1 + below(16), 1 + below(4), below(20)};
    return made;
  }

  /// Half of them as an assembler would make them, half any bits.
  EncodedInstruction word() {
    const auto any = static_cast<EncodedInstruction>(random_());
    const auto instruction = decode(any);
    return below(2) && instruction ? encode(*instruction) : any;
  }

  void parts(Program& made, int layers) {
    const int size = static_cast<int>(made.code.size());
    std::vector<int> cuts{0, size};
    for (int i = 0; i < 3; ++i) cuts.push_back(below(size + 1));
    std::sort(cuts.begin(), cuts.end());
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
      made.blocks.push_back({cuts[i], cuts[i + 1] - cuts[i], below(1000)});
      made.ranges.push_back({static_cast<CodeRange::Kind>(below(5)), cuts[i], below(cuts[i + 1] - cuts[i] + 1),
                             below(layers), below(5) - 1, below(5)});
    }
    if (below(2)) std::reverse(made.blocks.begin(), made.blocks.end());
  }

  std::mt19937_64 random_;
};

}  // namespace

Program random_program(unsigned seed) {
  return Maker(seed).program();
}

}  // namespace convscope::snowflake::test
