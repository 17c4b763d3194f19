#include "core/nve/passes/estimate_program.h"

#include <algorithm>

#include "core/nve/passes/circular_packing.h"
#include "core/nve/passes/insert_writes.h"

namespace convscope::nve {
namespace {

int stored_words(const Window& window, const SchedulingMachine& machine) {
  const StoredColumn column = window.column(machine);
  int words = 0;
  for (int word = 0; word < column.words(); ++word) words += !window.half_vector || column.port(word) != 0;
  return words;
}

/// Counts of one program.
struct Counts {
  std::int64_t interval = 0;
  std::int64_t coefficients = 0;  ///< words
  std::int64_t column = 0;        ///< words that all inputs have in one column
  std::int64_t free = 0;          ///< slots of the writing port in an iteration
};

Counts counts_of(const Structure& structure, const Window& window, const SchedulingMachine& machine) {
  const PackedLoop packed = pack_circular(window, structure, machine);
  Counts counts{packed.interval, packed.words, std::int64_t{structure.inputs} * stored_words(window, machine), 0};
  std::int64_t loads = 0;
  if (write_field(machine) == Field::mema)
    for (const auto& inputs : structure.maps) {
      const StoredColumn column = window.column(machine);
      for (int word = 0; word < column.words(); ++word)
        if (column.port(word) == 0 && !window.half_vector)
          loads += static_cast<std::int64_t>(inputs.size()) * window.kernel_width;
    }
  const std::int64_t reads = write_field(machine) == Field::mema ? loads + packed.words : 0;
  counts.free = counts.interval - reads - counts.column * window.new_columns();
  return counts;
}

}  // namespace

std::optional<ProgramCost> estimate_program(const Structure& structure, const Window& window, const Switches& switches,
                                            const OutputSize& output, const SchedulingMachine& machine) {
  const Counts counts = counts_of(structure, window, machine);
  const std::int64_t resident = counts.column * std::max(window.initial_columns(), window.new_columns());
  if (counts.coefficients + resident > machine.local_buffer_words) return std::nullopt;
  const std::int64_t pipeline = machine.read_to_set + machine.set_to_use + machine.output_latency + 2;
  const std::int64_t writes = counts.coefficients + counts.column * window.initial_columns();
  const std::int64_t needed_at_once = std::min<std::int64_t>(writes, 4);
  if (pipeline + counts.interval > machine.instruction_buffer_words) return std::nullopt;
  std::int64_t before = pipeline + writes;
  const std::int64_t before_peeled = pipeline + std::max(needed_at_once, writes - counts.free);
  if (switches.peeling && before_peeled + 2 * counts.interval <= machine.instruction_buffer_words)
    before = before_peeled;
  const int rows = window.half_vector ? machine.lanes / 2 : machine.lanes;
  const std::int64_t strips = (output.rows + rows - 1) / rows;
  const std::int64_t columns = window.initial_columns() + std::int64_t{window.new_columns()} * output.columns;
  return ProgramCost{strips * (before + counts.interval * output.columns),
                     strips * (counts.coefficients + counts.column * columns), strips * counts.column * columns,
                     strips * structure.inputs * window.column(machine).phases() * columns};
}

}  // namespace convscope::nve
