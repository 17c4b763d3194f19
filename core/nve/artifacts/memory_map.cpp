#include <algorithm>

#include <fmt/format.h>

#include "core/nve/artifacts/program_view.h"

namespace convscope::nve {
namespace {

using artifact::OperationClass;

void add_coefficients(artifact::Memory& memory, const ProgramView& view) {
  const auto& first = view.scheduled.layout.first_coefficient_word;
  for (std::size_t map = 0; map + 1 < first.size(); ++map)
    memory.blocks.push_back({fmt::format("coefficients of map {}", view.group.maps[map]), OperationClass::coefficients,
                             first[map], first[map + 1] - first[map], 0, view.program.cycles_per_strip()});
}

// Ring place `column` holds every columns-th column of the image from its first write to the end of the strip.
void add_ring(artifact::Memory& memory, const ProgramView& view) {
  const BufferLayout& layout = view.scheduled.layout;
  const std::int64_t end = view.program.cycles_per_strip();
  for (int column = 0; column < layout.columns; ++column)
    for (std::size_t input = 0; input < view.group.inputs.size(); ++input)
      for (int bank = 0; bank < 2; ++bank) {
        const int words = layout.words_per_input[bank];
        if (words == 0) continue;
        const std::int64_t from = static_cast<std::int64_t>(column / layout.step) * view.program.repeat_size;
        memory.blocks.push_back({fmt::format("input {}, ring column {}", view.group.inputs[input], column),
                                 OperationClass::pixels,
                                 layout.base[bank] + column * layout.pitch + static_cast<int>(input) * words, words,
                                 std::min(from, end), end});
      }
}

// Words that stay, and three slots that passes take in turn.
void add_looped(artifact::Memory& memory, const ProgramView& view) {
  const BufferLayout& layout = view.scheduled.layout;
  const std::int64_t end = view.program.cycles_per_strip();
  memory.blocks.push_back({"coefficients that stay", OperationClass::coefficients, 0, layout.base[0], 0, end});
  for (const int bank : {0, 1})
    for (int slot = 0; slot < layout.columns && layout.capacity[bank] > 0; ++slot)
      memory.blocks.push_back({fmt::format("ring slot {}{}", slot, bank == 0 ? "" : " for port B"),
                               OperationClass::pixels, layout.base[bank] + slot * layout.pitch, layout.pitch, 0, end});
}

artifact::Memory instruction_buffer(const Program& p) {
  artifact::Memory memory{"instruction buffer", p.machine.instruction_buffer_words, 0, instruction_bits(p.machine), {}};
  memory.used = static_cast<std::int64_t>(p.words.size());
  const std::int64_t start = p.initial_size;
  memory.blocks = {
      {"initial", OperationClass::write, 0, p.prologue_begin, 0, p.prologue_begin},
      {"prologue", OperationClass::other, p.prologue_begin, p.initial_size - p.prologue_begin, p.prologue_begin, start},
      {"steady state", OperationClass::multiply_accumulate, start, p.repeat_size, start, p.cycles_per_strip()},
  };
  return memory;
}

}  // namespace

std::shared_ptr<const artifact::MemoryMap> make_memory_map(const ProgramView& view) {
  auto map = std::make_shared<artifact::MemoryMap>();
  artifact::Memory local{"local buffer",
                         view.program.machine.local_buffer_words,
                         view.scheduled.layout.used_words(),
                         view.program.machine.port_bits,
                         {}};
  if (view.scheduled.looped()) {
    add_looped(local, view);
  } else {
    add_coefficients(local, view);
    add_ring(local, view);
  }
  map->memories = {std::move(local), instruction_buffer(view.program)};
  return map;
}

}  // namespace convscope::nve
