#include "core/snowflake/code/block_code.h"

#include <algorithm>

#include "core/snowflake/code/block_writer.h"
#include "core/snowflake/code/load_code.h"
#include "core/snowflake/code/part_code.h"
#include "core/snowflake/code/unrolled_code.h"

namespace convscope::snowflake {
namespace {

constexpr int bank_overhead = 8;  // LD of the next bank, its length and address; jump

}  // namespace

int atom_limit(const ComputeMachine& machine) {
  // Branches reach 2,047 instructions back.
  return std::min(machine.instruction_bank - bank_overhead - machine.delay_slots, 2000);
}

std::vector<Atom> first_loads_code(const FirstLoads& loads, const ComputeMachine& machine) {
  std::vector<Atom> atoms;
  const auto add = [&](auto&& body) {
    Code code(machine.delay_slots);
    code.mark(CodeRange::Kind::loads);
    body(code);
    atoms.push_back(atom_of(code));
  };
  if (loads.fillers) add([&](Code& code) { put_fillers(code, machine.queue); });
  const auto maps = [&](std::size_t first, std::size_t end) {
    const auto at = [&](std::size_t i) { return loads.maps.begin() + static_cast<std::ptrdiff_t>(i); };
    for (std::size_t i = first; i < end; i += 3)
      add([&](Code& code) { put_map_loads(code, {at(i), at(std::min(i + 3, end))}); });
  };
  maps(0, loads.early);
  for (const PlacedKernels& kernels : loads.kernels) add([&](Code& code) { put_placed_loads(code, kernels, machine); });
  maps(loads.early, loads.maps.size());
  return atoms;
}

std::vector<Atom> block_code(const Block& block, const ComputeMachine& machine) {
  if (!block.parts.empty()) return part_code(block, machine);
  const Code whole = BlockWriter(block, machine).whole();
  if (static_cast<int>(whole.size()) <= atom_limit(machine)) return {atom_of(whole)};
  return unrolled_code(block, machine);
}

}  // namespace convscope::snowflake
