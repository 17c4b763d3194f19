#include <algorithm>
#include <array>
#include <map>

#include "core/nve/verify/verify_program.h"
#include "core/nve/verify/verify_support.h"

namespace convscope::nve {
namespace {

using verification::memory_fields;
using verification::Report;
using verification::Section;

bool in_range(int position, std::size_t size) {
  return position >= 0 && static_cast<std::size_t>(position) < size;
}

/// One item for each operation, and the half of each output as its ACT says.
void verify_counts(const Section& section, const std::vector<Instruction>& all, Report& report) {
  std::size_t writes = 0, outputs = 0;
  for (int i = section.begin; i < section.begin + section.size; ++i) {
    const Instruction& instruction = all[static_cast<std::size_t>(i)];
    for (Field field : memory_fields) writes += instruction.memory(field).kind == MemoryKindOfAccess::write;
    if (!instruction.activate) continue;
    if (outputs < section.traffic->outputs.size() && section.traffic->outputs[outputs].half != instruction.half)
      report.at(i, "ACT", fmt::format("half {}", instruction.half),
                fmt::format("half {}, as the section's output {}", section.traffic->outputs[outputs].half, outputs));
    ++outputs;
  }
  if (writes != section.traffic->stream.size())
    report.error(section.name, fmt::format("{} writes", writes),
                 fmt::format("{}, as the words in its stream", section.traffic->stream.size()));
  if (outputs != section.traffic->outputs.size())
    report.error(section.name, fmt::format("{} ACTs", outputs),
                 fmt::format("{}, as its outputs", section.traffic->outputs.size()));
}

void verify_positions(const Program& program, const Section& section, Report& report) {
  for (const StreamWord& item : section.traffic->stream) {
    if (item.kind == StreamWord::Kind::unit || item.kind == StreamWord::Kind::ordered) {
      if (item.index < 0 || item.word < 0 || program.units < 1)
        report.error(section.name, fmt::format("stream names number {} of what passes take", item.index),
                     "0 or more, in a program whose passes have units");
      continue;
    }
    const bool pixels = item.kind == StreamWord::Kind::pixels;
    const std::size_t size = pixels ? program.inputs.size() : program.coefficient_words.size();
    if (!in_range(item.index, size) || item.word < 0)
      report.error(section.name, fmt::format("stream names {} {}", pixels ? "input" : "coefficient word", item.index),
                   fmt::format("a position below {}", size));
  }
  for (const OutputWord& item : section.traffic->outputs)
    if (!in_range(item.map, program.maps.size()) || !in_range(item.half, 2))
      report.error(section.name, fmt::format("output names map {}, half {}", item.map, item.half),
                   fmt::format("a map below {}, half 0 or 1", program.maps.size()));
}

/// Which columns of a half of a map leave: by column, by how much more often from there on than before. By map: several
/// positions may each give out some of its columns. As long as the program's outputs, not as wide as the map.
using Steps = std::map<std::int64_t, int>;
using Coverage = std::map<int, std::array<Steps, 2>>;

void cover(const Program& program, const Section& section, Coverage& coverage) {
  for (const OutputWord& item : section.traffic->outputs) {
    if (!in_range(item.map, program.maps.size()) || !in_range(item.half, 2)) continue;
    const int map = program.maps[static_cast<std::size_t>(item.map)].map;
    Steps& steps = coverage[map][static_cast<std::size_t>(item.half)];
    const std::int64_t begin = item.iteration, end = begin + section.repetitions;
    ++steps[std::clamp<std::int64_t>(begin, 0, program.out_width)];
    --steps[std::clamp<std::int64_t>(end, 0, program.out_width)];
  }
}

void verify_columns(const std::string& element, Steps steps, int width, Report& report) {
  for (const int border : {0, width}) steps.try_emplace(border, 0);
  int times = 0;
  for (const auto& [column, step] : steps) {
    times += step;
    if (times == 1 || column == width) continue;
    report.error(element, fmt::format("column {} leaves {} times", column, times), "once");
    return;
  }
}

/// A program may give out one half of its vectors only, but then of all maps.
void verify_coverage(const Program& program, Report& report) {
  Coverage coverage;
  for (const OutputMap& map : program.maps) coverage[map.map];
  for (const Section& section : verification::sections(program)) cover(program, section, coverage);
  for (std::size_t half : {0U, 1U}) {
    const bool used =
        std::any_of(coverage.begin(), coverage.end(), [&](const auto& map) { return !map.second[half].empty(); });
    for (const auto& [map, halves] : coverage) {
      if (!used) break;
      verify_columns(fmt::format("map {}, half {}", map, half), halves[half], program.out_width, report);
    }
  }
  for (const auto& [map, halves] : coverage)
    if (halves[0].empty() && halves[1].empty()) report.error(fmt::format("map {}", map), "no output", "its ACTs");
}

void verify_coefficient_writes(const Program& program, Report& report) {
  std::vector<bool> written(program.coefficient_words.size());
  for (const Section& section : verification::sections(program))
    for (const StreamWord& item : section.traffic->stream)
      if (item.kind == StreamWord::Kind::coefficients && in_range(item.index, written.size()))
        written[static_cast<std::size_t>(item.index)] = true;
  for (std::size_t word = 0; word < written.size(); ++word)
    if (!written[word]) report.error(fmt::format("coefficient word {}", word), "is never written", "a write");
}

}  // namespace

void verify_traffic(const DecodedProgram& decoded, Diagnostics& diagnostics) {
  const Program& program = decoded.program;
  const std::vector<Instruction>& all = decoded.instructions;
  Report report(program, diagnostics);
  if (!program.pass.outputs.empty())
    report.error("pass", fmt::format("{} ACTs in a pass", program.pass.outputs.size()),
                 "none: they belong to the head");
  for (const Section& section : verification::sections(program)) {
    if (verification::section_fits(section, all.size())) verify_counts(section, all, report);
    verify_positions(program, section, report);
  }
  if (program.out_width > 0) verify_coverage(program, report);
  verify_coefficient_writes(program, report);
}

}  // namespace convscope::nve
