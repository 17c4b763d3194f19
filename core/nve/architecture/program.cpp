#include "core/nve/architecture/program.h"

#include <algorithm>
#include <array>

namespace convscope::nve {
namespace {

/// How often an output belongs to a column of the map when its section runs `repetitions` times.
std::int64_t useful_columns(const Program& program, const OutputWord& output, int repetitions) {
  const int first = std::max(0, -output.iteration);
  const int last = std::min(repetitions, program.out_width - output.iteration);
  return std::max(0, last - first);
}

std::int64_t section_macs(const Program& program, const SectionTraffic& section, int repetitions) {
  std::int64_t macs = 0;
  for (const OutputWord& output : section.outputs) {
    const auto inputs = static_cast<std::int64_t>(program.maps[static_cast<std::size_t>(output.map)].inputs.size());
    macs += useful_columns(program, output, repetitions) * inputs;
  }
  return macs * program.kernel_height * program.kernel_width * program.machine.activation_lanes();
}

template <typename Count>
std::int64_t over_strip(const Program& program, Count count) {
  return count(program.initial) + (count(program.repeat) + count(program.pass) * program.passes) * program.iterations +
         count(program.final);
}

/// Which halves of its vectors the program gives out.
std::array<bool, 2> halves(const Program& program) {
  std::array<bool, 2> given{};
  for (const SectionTraffic* section : {&program.initial, &program.repeat, &program.final})
    for (const OutputWord& output : section->outputs) given[output.half != 0] = true;
  return given;
}

}  // namespace

int Program::first_lane() const {
  const auto given = halves(*this);
  return given[1] && !given[0] ? machine.lanes / 2 : 0;
}

int Program::rows_per_strip() const {
  const auto given = halves(*this);
  return given[0] == given[1] ? machine.lanes : machine.lanes / 2;
}

std::int64_t Program::macs_per_strip() const {
  return section_macs(*this, initial, 1) + section_macs(*this, repeat, iterations) + section_macs(*this, final, 1);
}

std::int64_t Program::words_in_per_strip() const {
  return over_strip(*this,
                    [](const SectionTraffic& section) { return static_cast<std::int64_t>(section.stream.size()); });
}

std::int64_t Program::words_out_per_strip() const {
  const auto outputs = over_strip(
      *this, [](const SectionTraffic& section) { return static_cast<std::int64_t>(section.outputs.size()); });
  return outputs * machine.words_per_activation();
}

}  // namespace convscope::nve
