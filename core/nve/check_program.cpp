#include "core/nve/check_program.h"

#include <algorithm>
#include <climits>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/base/cancellation.h"
#include "core/nve/host/strip_input.h"
#include "core/nve/simulate/simulator.h"
#include "core/reference/image_file.h"

namespace convscope::nve {
namespace {

using reference::Tensor;

// What a layer computes on its data, for the maps and the rows of the strips that are compared.
struct Expected {
  std::map<int, int> position;  // of a map in the sums
  Tensor<std::int32_t> sums;    // before activation

  std::int32_t sum(int map, int row, int column) const { return sums.at(position.at(map), row, column); }
};

// Sums that are compared at most: those of all maps together.
constexpr std::int64_t sums_cap = std::int64_t{1} << 27;

std::map<int, int> maps_of(const std::vector<Program>& programs) {
  std::map<int, int> position;
  for (const Program& program : programs)
    for (const OutputMap& map : program.maps) position.emplace(map.map, 0);
  int next = 0;
  for (auto& [map, at] : position) at = next++;
  return position;
}

// The layer with some of its maps only: a program of one may call it the millionth.
std::pair<network::Layer, reference::Coefficients<std::int16_t>> some_maps(const network::Layer& layer,
                                                                           const LayerData& data,
                                                                           const std::map<int, int>& position) {
  network::Layer some = layer;
  reference::Coefficients<std::int16_t> coefficients;
  some.dense = false;
  some.inputs.clear();
  some.out.maps = static_cast<int>(position.size());
  for (const auto& [map, at] : position) {
    some.inputs.push_back(layer.inputs_of(map));
    coefficients.weights.push_back(data.coefficients.weights[static_cast<std::size_t>(map)]);
    coefficients.bias.push_back(data.coefficients.bias[static_cast<std::size_t>(map)]);
  }
  return {std::move(some), std::move(coefficients)};
}

// The reference adds biases as they are.
void shift_biases(Expected& expected, const LayerData& data, int shift) {
  if (shift == 0) return;
  const auto pixels = static_cast<std::size_t>(expected.sums.shape.size.height) *
                      static_cast<std::size_t>(expected.sums.shape.size.width);
  for (const auto& [map, at] : expected.position) {
    const auto bias = static_cast<std::uint32_t>(data.coefficients.bias[static_cast<std::size_t>(map)]);
    const std::uint32_t more = (bias << shift) - bias;
    const std::size_t first = static_cast<std::size_t>(at) * pixels;
    for (std::size_t i = first; i < first + pixels; ++i)
      expected.sums.values[i] = static_cast<std::int32_t>(static_cast<std::uint32_t>(expected.sums.values[i]) + more);
  }
}

int compared_strips(const Program& program, int strips) {
  return strips > 0 ? std::min(strips, program.strips()) : program.strips();
}

int compared_rows(const Program& program, const Layout& layout, int strips) {
  if (!layout.plain()) return layout.whole.out.size.height;
  const std::int64_t rows = std::int64_t{compared_strips(program, strips)} * program.rows_per_strip();
  return static_cast<int>(std::min<std::int64_t>(rows, layout.whole.out.size.height));
}

// False, with a diagnostic, if the output is too large.
bool can_be_compared(const std::vector<Program>& programs, const Layout& layout, int strips, Diagnostics& diagnostics) {
  const network::Size size{compared_rows(programs.front(), layout, strips), layout.whole.out.size.width};
  const auto maps = static_cast<std::int64_t>(maps_of(programs).size());
  if (maps * size.height * size.width <= sums_cap) return true;
  diagnostics.error({programs.front().name, 0, {}},
                    fmt::format("an output of {} maps of {}x{} (width x height) pixels can't be compared", maps,
                                size.width, size.height),
                    fmt::format("at most {} pixels together", sums_cap), "simulate fewer strips");
  return false;
}

// The image with its border around it, as far as the kernel reaches, and the layer that takes it without padding.
std::pair<network::Layer, Tensor<std::uint8_t>> bordered(const network::Layer& layer, const LayerData& data) {
  network::Layer inner = layer;
  inner.padding = {};
  inner.in.size = {
      (layer.out.size.height - 1) * layer.stride.height + (layer.kernel.height - 1) * layer.dilation.height + 1,
      (layer.out.size.width - 1) * layer.stride.width + (layer.kernel.width - 1) * layer.dilation.width + 1};
  Tensor<std::uint8_t> image(inner.in);
  const network::Size size = data.image.shape.size;
  for (int map = 0; map < inner.in.maps; ++map)
    for (int row = 0; row < inner.in.size.height; ++row)
      for (int column = 0; column < inner.in.size.width; ++column) {
        const int y = row - layer.padding.top, x = column - layer.padding.left;
        const bool inside = y >= 0 && y < size.height && x >= 0 && x < size.width;
        image.at(map, row, column) = inside ? data.image.at(map, y, x) : data.border;
      }
  return {std::move(inner), std::move(image)};
}

Expected expect(const std::vector<Program>& programs, network::Layer layer, const LayerData& data, int rows) {
  Expected expected;
  expected.position = maps_of(programs);
  layer.out.size.height = std::min(layer.out.size.height, rows);
  const bool all = static_cast<int>(expected.position.size()) == layer.out.maps;
  std::optional<Tensor<std::uint8_t>> with_border;
  if (data.border != 0) {
    auto [inner, image] = bordered(layer, data);
    layer = std::move(inner);
    with_border = std::move(image);
  }
  const Tensor<std::uint8_t>& image = with_border ? *with_border : data.image;
  if (all) {
    expected.sums = reference::accumulate_fixed(layer, image, data.coefficients);
  } else {
    const auto [some, coefficients] = some_maps(layer, data, expected.position);
    expected.sums = reference::accumulate_fixed(some, image, coefficients);
  }
  shift_biases(expected, data, programs.front().bias_shift);
  return expected;
}

/// A part of a layer, as programs take it.
struct PartData {
  const Layout& layout;
  int number = 0;
  const Tensor<std::uint8_t>& image;
  const reference::Coefficients<std::int16_t>& coefficients;
  const LayerData& whole;
};

// Runs one program strip by strip against what is expected.
class Checker {
 public:
  Checker(const Program& program, const PartData& part, const Expected& expected, Tensor<std::uint8_t>* outputs,
          Diagnostics& diagnostics)
      : program_(program),
        part_(part),
        expected_(expected),
        given_(outputs),
        diagnostics_(diagnostics),
        first_lane_(program.first_lane()),
        rows_(program.rows_per_strip()) {
    for (const OutputMap& map : program.maps) outputs_.try_emplace(map.map, outputs_.size());
  }

  // False if the program was refused; a mismatch lets it go on.
  bool run(int strip, const std::stop_token& stop, ProgramCheck& result) {
    strip_ = strip;
    seen_.assign(outputs_.size() * static_cast<std::size_t>(program_.out_width) * 2, 0);
    if (rows_ < program_.machine.lanes)  // the other half never leaves
      for (std::size_t i = first_lane_ > 0 ? 0 : 1; i < seen_.size(); i += 2) seen_[i] = 1;
    const StripInput input(program_, part_.image, part_.coefficients, strip, part_.whole.border);
    Host host;
    host.supply = [&](const StreamWord& item, std::int64_t repetition, std::span<std::uint8_t> word) {
      input.supply(item, repetition, word);
    };
    std::span<const std::uint32_t> sums;
    host.accept_sums = [&](const OutputWord&, std::int64_t, std::span<const std::uint32_t> given) { sums = given; };
    host.accept = [&](const OutputWord& item, std::int64_t repetition, std::span<const std::uint8_t> pixels) {
      accept(item, repetition, input.first_row(item), sums, pixels);
    };
    const StripRun ran = run_strip(program_, part_.whole.activation.table, host, stop);
    if (ran.hazard) {
      report_hazard(*ran.hazard);
      return false;
    }
    if (std::find(seen_.begin(), seen_.end(), 0) != seen_.end()) fail("an output column was never produced");
    result.cycles += ran.cycles;
    result.macs += ran.macs;
    result.outputs += compared_;
    ++result.strips;
    compared_ = 0;
    return true;
  }
  bool matches() const { return !mismatch_; }

 private:
  void accept(const OutputWord& item, std::int64_t repetition, int first, std::span<const std::uint32_t> sums,
              std::span<const std::uint8_t> pixels) {
    const std::int64_t column = item.iteration + repetition;
    if (column < 0 || column >= program_.out_width) return;
    const int map = program_.maps[static_cast<std::size_t>(item.map)].map;
    seen_[(outputs_.at(map) * static_cast<std::size_t>(program_.out_width) + static_cast<std::size_t>(column)) * 2 +
          static_cast<std::size_t>(item.half)] = 1;
    for (std::size_t i = 0; i < pixels.size(); ++i) {
      const int row = first + static_cast<int>(i);
      if (row >= program_.out_height) break;
      const auto at = part_.layout.result(part_.number, row, static_cast<int>(column));
      if (!at) continue;
      const std::int32_t wanted = expected_.sum(map, at->height, at->width);
      ++compared_;
      compare("is", pixels[i], reference::activated(part_.whole.activation, wanted), map, *at);
      compare("has an accumulator of", static_cast<std::int32_t>(sums[i]), wanted, map, *at);
      if (given_ != nullptr) given_->at(map, at->height, at->width) = pixels[i];
    }
  }

  // The pixel first: an accumulator tells more where the activation saturates.
  void compare(const char* what, std::int32_t value, std::int32_t wanted, int map, const network::Size& at) {
    if (value != wanted)
      fail(fmt::format("map {}, row {}, column {} {} {}, but the reference gives {}", map, at.height, at.width, what,
                       value, wanted));
  }

  // The first mismatch of a program is told in full; the rest would be noise.
  void fail(const std::string& text) {
    if (!mismatch_)
      diagnostics_.error({program_.name, 0, fmt::format("strip {}", strip_)}, text,
                         "the fixed-point reference's output");
    mismatch_ = true;
  }

  void report_hazard(const Hazard& hazard) {
    diagnostics_.error(
        {program_.name, 0,
         fmt::format("strip {}, cycle {}, address {}, {}", strip_, hazard.cycle, hazard.address, hazard.field)},
        hazard.text, "a program without hazards");
  }

  const Program& program_;
  const PartData& part_;
  const Expected& expected_;
  Tensor<std::uint8_t>* given_;
  Diagnostics& diagnostics_;
  int first_lane_, rows_;
  int strip_ = 0;
  std::map<int, std::size_t> outputs_;  // maps that the program gives out; one may stand at several positions
  std::vector<char> seen_;
  std::int64_t compared_ = 0;
  bool mismatch_ = false;
};

// Programs one after the other, each strip by strip; false if one was refused.
bool run_part(const std::vector<Program>& programs, const PartData& part, const Expected& expected, int strips,
              const std::stop_token& stop, Diagnostics& diagnostics, Tensor<std::uint8_t>* outputs,
              ProgramCheck& result) {
  for (const Program& program : programs) {
    Checker checker(program, part, expected, outputs, diagnostics);
    for (int strip = 0; strip < strips; ++strip) {
      throw_if_stopped(stop);
      if (!checker.run(strip, stop, result)) return false;
    }
    result.matches = result.matches && checker.matches();
  }
  return true;
}

}  // namespace

network::Layer layer_of(const Program& program) {
  network::Layer layer;
  layer.name = program.layer;
  layer.in = {program.in_maps, {program.in_height, program.in_width}};
  layer.kernel = {program.kernel_height, program.kernel_width};
  layer.stride = {program.stride_height, program.stride_width};
  layer.dilation = {program.dilation_height, program.dilation_width};
  layer.padding = {program.padding_top, program.padding_left, 0, 0};
  for (const OutputMap& map : program.maps) layer.out.maps = std::max(layer.out.maps, map.map + 1);
  layer.out.size = {program.out_height, program.out_width};
  layer.inputs.resize(static_cast<std::size_t>(layer.out.maps));
  for (const OutputMap& map : program.maps) {
    std::vector<int>& inputs = layer.inputs[static_cast<std::size_t>(map.map)];
    inputs.clear();  // each position of a map has them all
    for (int input : map.inputs) inputs.push_back(program.inputs[static_cast<std::size_t>(input)]);
  }
  return layer;
}

ProgramCheck run_programs(const std::vector<Program>& programs, const Layout& layout, const LayerData& data, int strips,
                          const std::stop_token& stop, Diagnostics& diagnostics, Tensor<std::uint8_t>* outputs) {
  ProgramCheck result;
  if (programs.empty()) return result;
  if (!can_be_compared(programs, layout, strips, diagnostics)) return result;
  const int count = compared_strips(programs.front(), strips);
  const Expected expected = expect(programs, layout.whole, data, compared_rows(programs.front(), layout, strips));
  if (outputs != nullptr) *outputs = Tensor<std::uint8_t>(layout.whole.out);
  std::optional<reference::Coefficients<std::int16_t>> cut;
  if (layout.blocks > 1) cut = part_coefficients(layout, data.coefficients);
  result.ran = result.matches = true;
  int left = strips > 0 ? strips : INT_MAX;
  for (int part = 0; part < layout.parts && left > 0 && result.ran; ++part, left -= std::min(left, count)) {
    const auto moved = layout.plain() ? Tensor<std::uint8_t>() : part_image(layout, data.image, part, data.border);
    const PartData of_part{layout, part, layout.plain() ? data.image : moved, cut ? *cut : data.coefficients, data};
    result.ran = run_part(programs, of_part, expected, std::min(count, left), stop, diagnostics, outputs, result);
  }
  result.matches = result.matches && result.ran;
  return result;
}

ProgramCheck check_programs(const std::vector<Program>& programs, const Layout& layout, const SimulationInput& input,
                            const std::stop_token& stop, Diagnostics& diagnostics) {
  if (programs.empty() || !can_be_compared(programs, layout, input.strips, diagnostics)) return {};
  auto image = reference::load_image(input.image, layout.whole.in, diagnostics);
  if (!image) return {};
  const LayerData data{*std::move(image), reference::seeded_coefficients(layout.whole, input.coefficients_seed),
                       reference::sigmoid_activation(programs.front().activation_shift)};
  return run_programs(programs, layout, data, input.strips, stop, diagnostics);
}

ProgramCheck check_programs(const std::vector<Program>& programs, const network::Layer& layer,
                            const SimulationInput& input, const std::stop_token& stop, Diagnostics& diagnostics) {
  return check_programs(programs, plain_layout(layer), input, stop, diagnostics);
}

}  // namespace convscope::nve
