#include "core/snowflake/code/part_code.h"

#include <algorithm>
#include <cstdlib>

#include "core/snowflake/code/block_writer.h"
#include "core/snowflake/code/load_code.h"

namespace convscope::snowflake {
namespace {

// Kernels that stream through the banks: while a part is computed with, the next one is loaded. A single output has too
// few vector instructions to wait by, so fillers come first.
class PartWriter {
 public:
  PartWriter(const Block& block, const ComputeMachine& machine)
      : block_(block), machine_(machine), writer_(block, machine) {}

  Code setup() const {
    Code code(machine_.delay_slots);
    writer_.setup(code, 0, 0);
    code.mark(CodeRange::Kind::loads);
    put_fillers(code, machine_.queue);
    put_map_loads(code, block_.map_loads);
    set_kernel_pointers(code, block_.tile_load);
    code.put(mov(buffer_word, reg::bank));
    load_part(code, 0);
    return code;
  }

  // `last_turn`: nothing if a loop's counter tells.
  void put(Code& code, std::size_t number, std::optional<bool> last_turn) const {
    const KernelPart& part = block_.parts[number];
    code.mark(CodeRange::Kind::loads);
    put_fillers(code, machine_.queue);
    put_next(code, number, last_turn);
    const std::uint32_t configuration = block_.strips[0].configuration;
    code.set(configuration_register, part.last ? block_.bias_configuration : configuration);
    code.put(mov(reg::slot_kernels, reg::bank));
    if (part.last) {
      code.add(reg::bias, reg::bank, block_.bias_at - block_.tile_load.words * static_cast<int>(number));
      code.put(bias(reg::bias, false));
      if (block_.bias_configuration != configuration) code.set(configuration_register, configuration);
    }
    put_strip(code, block_, part.strips[0], 0);
    if (part.last) writer_.slot_steps(code);
    code.put(muli(reg::bank, reg::bank, -1));
    code.add(reg::bank, reg::bank, bank_sum(block_));
  }

 private:
  // By pointers that stand at the part, into the word that buffer_word holds; they go on to the part behind it.
  void load_part(Code& code, std::size_t part) const {
    KernelLoad load = block_.tile_load;
    load.words = block_.parts[part].words;
    put_kernel_loads(code, load, machine_, buffer_word, true);
    put_map_loads(code, block_.parts[part].maps);
    // They stand at the same part of the next tile.
    const std::int64_t length = block_.tile_load.words, at = length * static_cast<int>(part);
    const bool last = part + 1 == block_.parts.size();
    for (int i = 0; i < kernel_pointers(load); ++i) {
      const int pointer = reg::kernel_load[static_cast<std::size_t>(i)];
      step(code, pointer, last ? -at : length - block_.tile_load_step);
    }
  }

  // Kernels of many words: a constant is shorter than many immediates.
  static void step(Code& code, int pointer, std::int64_t value) {
    constexpr std::int64_t few_immediates = std::int64_t{1} << 18;
    if (std::abs(value) < few_immediates) return code.add(pointer, pointer, value);
    code.set(reg::scratch[2], value);
    code.put(add(pointer, pointer, reg::scratch[2]));
  }

  void put_next(Code& code, std::size_t number, std::optional<bool> last_turn) const {
    const bool wraps = number + 1 == block_.parts.size();
    if (wraps && last_turn.value_or(false)) return;
    std::optional<std::size_t> skip;
    if (wraps && !last_turn) skip = code.skip_if(Opcode::ble, reg::tile, reg::zero);
    code.put(muli(buffer_word, reg::bank, -1));
    code.add(buffer_word, buffer_word, bank_sum(block_));
    load_part(code, wraps ? 0 : number + 1);
    if (skip) code.land(*skip);
  }

  const Block& block_;
  const ComputeMachine& machine_;
  BlockWriter writer_;
};

}  // namespace

std::vector<Atom> part_code(const Block& block, const ComputeMachine& machine) {
  const PartWriter writer(block, machine);
  Code whole = writer.setup();
  Code::Loop tile{};
  if (block.tiles > 1) {
    tile = whole.prepare(reg::tile, block.tiles);
    whole.open(tile);
  }
  const std::optional<bool> told = block.tiles > 1 ? std::nullopt : std::optional(true);
  for (std::size_t part = 0; part < block.parts.size(); ++part) writer.put(whole, part, told);
  if (block.tiles > 1) whole.close(tile);
  if (static_cast<int>(whole.size()) <= atom_limit(machine)) return {atom_of(whole)};
  std::vector<Atom> atoms{atom_of(writer.setup())};
  for (int turn = 0; turn < block.tiles; ++turn)
    for (std::size_t part = 0; part < block.parts.size(); ++part) {
      Code code(machine.delay_slots);
      writer.put(code, part, turn + 1 == block.tiles);
      if (static_cast<int>(code.size()) > atom_limit(machine)) return {};
      atoms.push_back(atom_of(code));
    }
  return atoms;
}

}  // namespace convscope::snowflake
