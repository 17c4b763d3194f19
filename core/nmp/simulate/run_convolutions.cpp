// What a run does with convolutions.

#include <algorithm>

#include <fmt/format.h>

#include "core/nmp/simulate/elements.h"
#include "core/nmp/simulate/machine_run.h"

namespace convscope::nmp::simulation {
namespace {

/// Elements of IN with the zeros around it that a convolution may see at most.
constexpr std::int64_t most_seen = std::int64_t{1} << 25;

/// Elements of IN and zeros that the outputs see, of all maps; at least `most_seen` if there are more.
std::int64_t seen(const ConvolutionSettings& s) {
  const auto along = [](int outputs, int stride, int taps, int dilation) {
    return std::int64_t{outputs} * stride + std::int64_t{taps - 1} * dilation + 1;
  };
  const std::int64_t pixels = along(s.out_rows, s.stride_y, s.kernel_height, s.dilation_y) *
                              along(s.out_columns, s.stride_x, s.kernel_width, s.dilation_x);
  return pixels > most_seen ? most_seen + 1 : pixels * s.in_maps();
}

}  // namespace

void MachineRun::give_convolution(int tlt, double now) {
  Tlt& t = at(tlt);
  const Instruction& i = *t.core.next();
  std::string why;
  const auto settings = convolution_settings(t.core.configuration(), computation_of(i), why);
  if (!settings) return refuse(tlt, now, why);
  const auto out = local_address(t.core.x(i.rs2)), in = local_address(settings->in_address);
  const auto weights = has_weights(settings->computation) ? local_address(t.core.x(i.rs1))
                                                          : std::optional(LocalAddress{Memory::weights, 0});
  if (!in || in->memory != Memory::input || !weights || weights->memory != Memory::weights || !out ||
      out->memory != Memory::output)
    return refuse(tlt, now,
                  fmt::format("IN is at 0x{:08x}, W at 0x{:08x}, OUT at 0x{:08x}; expected MB0, MB1 and MB2",
                              settings->in_address, t.core.x(i.rs1), t.core.x(i.rs2)));
  GivenConvolution given;
  given.run.tle = tle_of(tlt);
  given.run.tlt = tlt % machine_.tlts;
  given.run.instruction = t.core.position();
  given.run.issued = now;
  given.run.settings = *settings;
  given.run.weights = *weights;
  given.run.out = *out;
  given.run.semaphore = i.rd;
  if (!convolution_fits(tlt, given.run, now) || !take_biases(tlt, given, now)) return;
  if (t.convolutions.size() >= mac_queue) return hold_up(tlt, Tlt::State::queues, now);
  t.convolutions.push_back(std::move(given));
  if (shows_cycles_) observer_.convolution_given(t.convolutions.back().run);
  if (t.convolutions.size() == 1) start_convolution(tlt, now);
  after(tlt, now);
}

bool MachineRun::convolution_fits(int tlt, const ConvolutionRun& run, double now) {
  const ConvolutionSettings& s = run.settings;
  const LocalAddress in{Memory::input, s.in_address & 0x0fffffffU};
  if (!in_memory(tlt, in, s.in_bytes(), "IN", now) || !in_memory(tlt, run.weights, s.weight_bytes(), "W", now) ||
      !in_memory(tlt, run.out, std::max(s.bytes_read(), s.bytes_written()), "OUT", now))
    return false;
  if (seen(s) > most_seen) {
    refuse(tlt, now, fmt::format("its outputs see more than {} inputs and zeros", most_seen));
    return false;
  }
  return !has_data_ || spend(mac_count(s) + seen(s), tlt, now);
}

bool MachineRun::take_biases(int tlt, GivenConvolution& given, double now) {
  const ConvolutionSettings& s = given.run.settings;
  if (s.computation == Computation::table) return take_table(tlt, given, now);
  if (!s.first || !multiplies(s.computation)) return true;
  const std::int64_t end = s.bias + 4 * s.filters();
  if (s.bias % 4 != 0 || end > data_ram_bytes) {
    refuse(tlt, now,
           fmt::format("biases (C{}) are bytes {} to {} of the data RAM; expected a multiple of 4, less than {}",
                       registers::bias, s.bias, end - 1, data_ram_bytes));
    return false;
  }
  if (!has_data_) return true;
  for (std::int64_t filter = 0; filter < s.filters(); ++filter) {
    const auto word = at(tlt).core.data_word(s.bias + static_cast<std::uint32_t>(4 * filter));
    given.biases.push_back(static_cast<std::int32_t>(word.value_or(0)));
  }
  return true;
}

bool MachineRun::take_table(int tlt, GivenConvolution& given, double now) {
  const std::uint32_t first = given.run.settings.table;
  constexpr std::int64_t bytes = 4 * table_words;
  if (first % 4 != 0 || first + bytes > data_ram_bytes) {
    refuse(tlt, now,
           fmt::format("its table (C{}) is bytes {} to {} of the data RAM; expected a multiple of 4, less than {}",
                       registers::slope, first, first + bytes - 1, data_ram_bytes));
    return false;
  }
  if (!has_data_) return true;
  for (std::uint32_t i = 0; i <= table_segments; ++i) {
    const std::uint32_t word = at(tlt).core.data_word(first + i / 2 * 4).value_or(0);
    given.biases.push_back(static_cast<std::int16_t>(i % 2 == 0 ? word & 0xffffU : word >> 16));
  }
  return true;
}

void MachineRun::start_convolution(int tlt, double now) {
  ConvolutionRun& run = at(tlt).convolutions.front().run;
  const std::int64_t cycles = mac_cycles(run.settings, machine_.macs_per_cycle);
  run.begin = now;
  run.end = now + taken(static_cast<double>(cycles) / (machine_.clock_hz * machine_.mac_efficiency));
  events_.plan(run.end, Happening::convolution_ends, tlt);
}

void MachineRun::end_convolution(int tlt, double now) {
  Tlt& t = at(tlt);
  const GivenConvolution given = std::move(t.convolutions.front());
  t.convolutions.pop_front();
  const ConvolutionSettings& s = given.run.settings;
  TltRun& counts = run_of(tlt);
  ++counts.convolutions;
  counts.macs += mac_count(s);
  counts.mac_seconds += given.run.end - given.run.begin;
  if (has_data_) {
    const auto from = [&](LocalAddress place) { return std::span(t.memory(place.memory)).subspan(place.byte); };
    const ConvolutionTiles tiles{from({Memory::input, s.in_address & 0x0fffffffU}), from(given.run.weights),
                                 from(given.run.out), given.biases};
    std::string wrong;
    if (multiplies(s.computation))
      wrong = convolver_.convolve(s, tiles);
    else
      compute_elements(s, tiles);
    if (!wrong.empty()) {
      result_.refusal = Refusal{now, given.run.tle, given.run.tlt, given.run.instruction, wrong};
      return;
    }
  }
  observer_.convolved(given.run);
  if (!t.convolutions.empty()) start_convolution(tlt, now);
  const bool has_room = t.state == Tlt::State::queues && is_computation(t.core.next()->operation);
  if (has_room) {
    released(tlt, now);
    act(tlt, now);
  }
  if (!result_.refusal) add_post(tlt, given.run.semaphore, now);
}

}  // namespace convscope::nmp::simulation
