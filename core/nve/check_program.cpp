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

// What a layer computes on an image, for the maps and the rows of the strips that are compared.
struct Expected {
  Tensor<std::uint8_t> in;
  reference::Coefficients<std::int16_t> coefficients;  // of the whole layer
  reference::Activation activation;
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
std::pair<network::Layer, reference::Coefficients<std::int16_t>> part(const network::Layer& layer,
                                                                      const Expected& expected) {
  network::Layer some = layer;
  reference::Coefficients<std::int16_t> coefficients;
  some.dense = false;
  some.inputs.clear();
  some.out.maps = static_cast<int>(expected.position.size());
  for (const auto& [map, at] : expected.position) {
    some.inputs.push_back(layer.inputs_of(map));
    coefficients.weights.push_back(expected.coefficients.weights[static_cast<std::size_t>(map)]);
    coefficients.bias.push_back(expected.coefficients.bias[static_cast<std::size_t>(map)]);
  }
  return {std::move(some), std::move(coefficients)};
}

// The reference adds biases as they are.
void shift_biases(Expected& expected, int shift) {
  if (shift == 0) return;
  const auto pixels = static_cast<std::size_t>(expected.sums.shape.size.height) *
                      static_cast<std::size_t>(expected.sums.shape.size.width);
  for (const auto& [map, at] : expected.position) {
    const auto bias = static_cast<std::uint32_t>(expected.coefficients.bias[static_cast<std::size_t>(map)]);
    const std::uint32_t more = (bias << shift) - bias;
    const std::size_t first = static_cast<std::size_t>(at) * pixels;
    for (std::size_t i = first; i < first + pixels; ++i)
      expected.sums.values[i] = static_cast<std::int32_t>(static_cast<std::uint32_t>(expected.sums.values[i]) + more);
  }
}

// Nothing, with a diagnostic, if the input can't be had or the output is too large.
std::optional<Expected> expect(const std::vector<Program>& programs, network::Layer layer, const SimulationInput& input,
                               int rows, Diagnostics& diagnostics) {
  Expected expected;
  expected.position = maps_of(programs);
  layer.out.size.height = std::min(layer.out.size.height, rows);
  const auto maps = static_cast<std::int64_t>(expected.position.size());
  const std::int64_t pixels = std::int64_t{layer.out.size.height} * layer.out.size.width;
  if (maps * pixels > sums_cap) {
    diagnostics.error({programs.front().name, 0, {}},
                      fmt::format("an output of {} maps of {}x{} (width x height) pixels can't be compared", maps,
                                  layer.out.size.width, layer.out.size.height),
                      fmt::format("at most {} pixels together", sums_cap), "simulate fewer strips");
    return std::nullopt;
  }
  auto image = reference::load_image(input.image, layer.in, diagnostics);
  if (!image) return std::nullopt;
  expected.in = *std::move(image);
  expected.coefficients = reference::seeded_coefficients(layer, input.coefficients_seed);
  expected.activation = reference::sigmoid_activation(programs.front().activation_shift);
  if (maps == layer.out.maps) {
    expected.sums = reference::accumulate_fixed(layer, expected.in, expected.coefficients);
  } else {
    const auto [some, coefficients] = part(layer, expected);
    expected.sums = reference::accumulate_fixed(some, expected.in, coefficients);
  }
  shift_biases(expected, programs.front().bias_shift);
  return expected;
}

// Runs one program strip by strip against what is expected.
class Checker {
 public:
  Checker(const Program& program, const Expected& expected, Diagnostics& diagnostics)
      : program_(program),
        expected_(expected),
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
    const StripInput input(program_, expected_.in, expected_.coefficients, strip);
    Host host;
    host.supply = [&](const StreamWord& item, std::int64_t repetition, std::span<std::uint8_t> word) {
      input.supply(item, repetition, word);
    };
    std::span<const std::uint32_t> sums;
    host.accept_sums = [&](const OutputWord&, std::int64_t, std::span<const std::uint32_t> given) { sums = given; };
    host.accept = [&](const OutputWord& item, std::int64_t repetition, std::span<const std::uint8_t> pixels) {
      accept(item, repetition, input.first_row(item), sums, pixels);
    };
    const StripRun ran = run_strip(program_, expected_.activation.table, host, stop);
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
      const std::int32_t wanted = expected_.sum(map, row, static_cast<int>(column));
      ++compared_;
      compare("is", pixels[i], reference::activated(expected_.activation, wanted), map, row, column);
      compare("has an accumulator of", static_cast<std::int32_t>(sums[i]), wanted, map, row, column);
    }
  }

  // The pixel first: an accumulator tells more where the activation saturates.
  void compare(const char* what, std::int32_t value, std::int32_t wanted, int map, int row, std::int64_t column) {
    if (value != wanted)
      fail(fmt::format("map {}, row {}, column {} {} {}, but the reference gives {}", map, row, column, what, value,
                       wanted));
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
  const Expected& expected_;
  Diagnostics& diagnostics_;
  int first_lane_, rows_;
  int strip_ = 0;
  std::map<int, std::size_t> outputs_;  // maps that the program gives out; one may stand at several positions
  std::vector<char> seen_;
  std::int64_t compared_ = 0;
  bool mismatch_ = false;
};

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

ProgramCheck check_programs(const std::vector<Program>& programs, const network::Layer& layer,
                            const SimulationInput& input, const std::stop_token& stop, Diagnostics& diagnostics) {
  ProgramCheck result;
  if (programs.empty()) return result;
  const Program& first = programs.front();
  const int count = input.strips > 0 ? std::min(input.strips, first.strips()) : first.strips();
  const auto rows = static_cast<int>(std::min<std::int64_t>(std::int64_t{count} * first.rows_per_strip(), INT_MAX));
  const auto expected = expect(programs, layer, input, rows, diagnostics);
  if (!expected) return result;
  result.ran = result.matches = true;
  for (const Program& program : programs) {
    Checker checker(program, *expected, diagnostics);
    for (int strip = 0; strip < count && result.ran; ++strip) {
      throw_if_stopped(stop);
      result.ran = checker.run(strip, stop, result);
    }
    result.matches = result.matches && result.ran && checker.matches();
    if (!result.ran) break;
  }
  return result;
}

}  // namespace convscope::nve
