#include "core/snowflake/code/block_code.h"

#include <algorithm>
#include <cstdlib>

#include "core/snowflake/code/load_code.h"
#include "core/snowflake/code/registers.h"
#include "core/snowflake/code/window_code.h"

namespace convscope::snowflake {
namespace {

constexpr int buffer_word = reg::scratch[0];  // where kernels are loaded to
constexpr int bank_overhead = 8;              // LD of the next bank, its length and address; jump

Atom atom_of(const Code& code) {
  Atom atom{code.list(), code.marks()};
  for (std::size_t i = 0; i < atom.ranges.size(); ++i) {
    const int end = i + 1 < atom.ranges.size() ? atom.ranges[i + 1].first : static_cast<int>(atom.list.size());
    atom.ranges[i].count = end - atom.ranges[i].first;
  }
  std::erase_if(atom.ranges, [](const CodeRange& range) { return range.count == 0; });
  return atom;
}

bool alternates(const Block& block) {
  return block.load_tiles || block.other_bank != block.bank;
}

int vectors(const std::vector<Strip>& strips) {
  int sum = 0;
  for (const Strip& strip : strips) sum += strip.rows * strip.vectors();
  return sum;
}

Strip rows_of(const Block& block, const Strip& strip, int first, int rows) {
  Strip part = strip;
  part.rows = rows;
  part.maps += first * block.y_step.maps;
  part.out += first * block.y_step.out;
  part.bypass += first * block.y_step.bypass;
  return part;
}

// The fewest rows with as many vectors as the queue holds, and the others.
struct Parts {
  std::vector<Strip> before, after;
};
Parts cut(const Block& block, int queue) {
  Parts parts;
  int count = 0;
  for (const Strip& strip : block.strips) {
    const int per_row = strip.vectors();
    const int needed = count >= queue ? 0 : std::min(strip.rows, (queue - count + per_row - 1) / per_row);
    if (needed > 0) parts.before.push_back(rows_of(block, strip, 0, needed));
    if (needed < strip.rows) parts.after.push_back(rows_of(block, strip, needed, strip.rows - needed));
    count += needed * per_row;
  }
  return parts;
}

bool one_configuration(const Block& block) {
  const std::uint32_t wanted = block.biases ? block.bias_configuration : block.strips[0].configuration;
  return std::all_of(block.strips.begin(), block.strips.end(),
                     [&](const Strip& strip) { return strip.configuration == wanted; });
}

int bank_sum(const Block& block) {
  return block.bank + block.other_bank;
}

class BlockWriter {
 public:
  BlockWriter(const Block& block, const ComputeMachine& machine) : block_(block), machine_(machine) {}

  void setup(Code& code, int turn, int slot) const {
    code.mark(CodeRange::Kind::setup);
    code.set(cu_stride_register, block_.cu_stride);
    const int steps = turn * block_.slots + slot;
    code.set(reg::slot_maps, block_.maps_base + steps * block_.slot_step.maps);
    code.set(reg::slot_out, block_.out_base + steps * block_.slot_step.out);
    if (block_.bypass_select >= 0) code.set(reg::slot_bypass, block_.bypass_base + steps * block_.slot_step.bypass);
    code.set(reg::bank, turn % 2 == 1 && alternates(block_) ? block_.other_bank : block_.bank);
  }

  void slot_setup(Code& code, int slot) const {
    const int at = block_.first_slot + slot;
    code.add(reg::slot_kernels, reg::bank, std::int64_t{at} * block_.kernel_words);
    if (block_.biases) code.add(reg::bias, reg::bank, block_.bias_at + std::int64_t{slot} * block_.bias_words);
  }

  void biases(Code& code, bool configure) const {
    if (!block_.biases) return;
    if (configure) code.set(configuration_register, block_.bias_configuration);
    code.put(bias(reg::bias, block_.kind == VectorKind::independent));
  }

  void strips(Code& code, const std::vector<Strip>& list, bool configure, int first_window) const {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (configure) code.set(configuration_register, list[i].configuration);
      put_strip(code, block_, list[i], first_window + static_cast<int>(i));
    }
  }

  bool loads() const {
    return block_.load_tiles || block_.next.has_value() || !block_.map_loads.empty() || !block_.ring_loads.empty();
  }

  void placed_loads(Code& code, const PlacedKernels& kernels) const { put_placed_loads(code, kernels, machine_); }

  // Where the block's kernel begins, when nothing reads that any more.
  void late_fillers(Code& code) const {
    code.mark(CodeRange::Kind::loads);
    if (block_.late_fillers > 0) put_fillers(code, block_.late_fillers);
  }

  void kernel_loads(Code& code, const KernelLoad& load, bool go_on) const {
    code.put(muli(buffer_word, reg::bank, -1));
    code.add(buffer_word, buffer_word, bank_sum(block_));
    put_kernel_loads(code, load, machine_, buffer_word, go_on);
  }

  void last_kernel_loads(Code& code) const {
    set_kernel_pointers(code, *block_.next);
    kernel_loads(code, *block_.next, false);
  }

  // The next tile in each turn but the last, which loads what the next block starts with.
  void looped_kernel_loads(Code& code) const {
    if (!block_.load_tiles && !block_.next) return;
    if (block_.tiles == 1) return last_kernel_loads(code);
    const auto only = [&](Opcode skipped, auto&& body) {
      const std::size_t skip = code.skip_if(skipped, reg::tile, reg::zero);
      body();
      code.land(skip);
    };
    const bool alike = block_.load_tiles && block_.next && block_.next->words == block_.tile_load.words &&
                       block_.next->vmacs == block_.tile_load.vmacs && block_.next->stride == block_.tile_load.stride &&
                       block_.next->broadcast == block_.tile_load.broadcast;
    if (alike) {
      only(Opcode::bgt, [&] { set_kernel_pointers(code, *block_.next); });
      return kernel_loads(code, block_.tile_load, true);
    }
    if (block_.load_tiles) only(Opcode::ble, [&] { kernel_loads(code, block_.tile_load, true); });
    if (block_.next) only(Opcode::bgt, [&] { last_kernel_loads(code); });
  }

  void looped_loads(Code& code) const {
    code.mark(CodeRange::Kind::loads);
    std::optional<std::size_t> first_slot;
    if (block_.slots > 1) {
      code.set(reg::scratch[0], block_.slots - 2);
      first_slot = code.skip_if(Opcode::ble, reg::slot, reg::scratch[0]);
    }
    looped_kernel_loads(code);
    for (const PlacedKernels& kernels : block_.ring_loads) placed_loads(code, kernels);
    if (!block_.map_loads.empty() && block_.tiles > 1) {
      code.set(reg::scratch[0], block_.tiles - 2);
      const std::size_t skip = code.skip_if(Opcode::ble, reg::tile, reg::scratch[0]);
      put_map_loads(code, block_.map_loads);
      code.land(skip);
    } else {
      put_map_loads(code, block_.map_loads);
    }
    if (first_slot) code.land(*first_slot);
  }

  void own_loads(Code& code) const {
    code.mark(CodeRange::Kind::loads);
    put_fillers(code, machine_.queue);
    code.put(mov(buffer_word, reg::bank));
    put_kernel_loads(code, block_.tile_load, machine_, buffer_word, true);
  }

  void slot_steps(Code& code) const {
    code.add(reg::slot_out, reg::slot_out, block_.slot_step.out);
    if (block_.slot_step.maps != 0) code.add(reg::slot_maps, reg::slot_maps, block_.slot_step.maps);
    if (block_.bypass_select >= 0) code.add(reg::slot_bypass, reg::slot_bypass, block_.slot_step.bypass);
  }

  // Whether loads come first, behind fillers, as the block's own vectors are too few to wait by.
  bool fillers_first() const { return loads() && vectors(block_.strips) < machine_.queue; }

  void slot_body(Code& code, bool configure) const {
    const bool cuts = loads() && !fillers_first();
    const Parts parts = cuts ? cut(block_, machine_.queue) : Parts{block_.strips, {}};
    biases(code, configure);
    strips(code, parts.before, configure, 0);
    if (cuts) looped_loads(code);
    strips(code, parts.after, configure, static_cast<int>(parts.before.size()));
  }

  Code whole() const {
    Code code(machine_.delay_slots);
    setup(code, 0, 0);
    const bool configure = !one_configuration(block_) || block_.single || fillers_first();
    if (!configure) code.set(configuration_register, block_.strips[0].configuration);
    if (block_.single || (block_.load_tiles && block_.tiles > 1)) set_kernel_pointers(code, block_.tile_load);
    Code::Loop tile{}, slot{};
    code.mark(CodeRange::Kind::loop);
    if (block_.tiles > 1) {
      tile = code.prepare(reg::tile, block_.tiles);
      code.open(tile);
    }
    if (block_.single) own_loads(code);
    if (block_.slots > 1 && fillers_first()) code.set(reg::slot, block_.slots - 1);
    if (fillers_first()) {
      put_fillers(code, machine_.queue);
      looped_loads(code);
    }
    slot_setup(code, 0);
    if (block_.slots > 1) {
      slot = code.prepare(reg::slot, block_.slots);
      code.open(slot);
    }
    slot_body(code, configure);
    if (!block_.late_loads.empty()) late_fillers(code);
    for (const PlacedKernels& kernels : block_.late_loads) placed_loads(code, kernels);
    code.mark(CodeRange::Kind::loop);
    if (block_.tiles > 1 || block_.slots > 1) slot_steps(code);
    if (block_.slots > 1) {
      code.add(reg::slot_kernels, reg::slot_kernels, block_.kernel_words);
      if (block_.biases) code.add(reg::bias, reg::bias, block_.bias_words);
      code.close(slot);
    }
    if (block_.tiles > 1) {
      if (alternates(block_)) {
        code.put(muli(reg::bank, reg::bank, -1));
        code.add(reg::bank, reg::bank, bank_sum(block_));
      }
      code.close(tile);
    }
    return code;
  }

 private:
  const Block& block_;
  const ComputeMachine& machine_;
};

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

// The loop over tiles as one atom if it fits, else part by part.
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

// Everything written out: each turn, slot, strip and section of loads on its own.
class UnrolledWriter {
 public:
  UnrolledWriter(const Block& block, const ComputeMachine& machine)
      : block_(block), machine_(machine), writer_(block, machine) {}

  std::vector<Atom> atoms() {
    for (int turn = 0; turn < block_.tiles; ++turn)
      for (int slot = 0; slot < block_.slots; ++slot) put_slot(turn, slot);
    return fits_ ? std::move(atoms_) : std::vector<Atom>{};
  }

 private:
  Code fresh() const { return Code(machine_.delay_slots); }

  void add(const Code& code) {
    if (static_cast<int>(code.size()) > atom_limit(machine_)) fits_ = false;
    atoms_.push_back(atom_of(code));
  }

  void put_slot(int turn, int slot) {
    const bool loading = slot == 0 && needs_loads(turn), first = loading && writer_.fillers_first();
    Code code = fresh();
    writer_.setup(code, turn, slot);
    if (block_.single && slot == 0) {
      set_kernel_pointers(code, tile_load(turn));
      writer_.own_loads(code);
    }
    add(code);
    if (first) put_loads(turn, true);
    code = fresh();
    writer_.slot_setup(code, slot);
    writer_.biases(code, true);
    add(code);
    const Parts parts = loading && !first ? cut(block_, machine_.queue) : Parts{block_.strips, {}};
    put_strips(parts.before, 0);
    if (loading && !first) put_loads(turn, false);
    put_strips(parts.after, static_cast<int>(parts.before.size()));
    put_late_loads();
  }

  bool needs_loads(int turn) const {
    const bool last = turn + 1 == block_.tiles;
    return (last ? block_.next.has_value() : block_.load_tiles) || (turn == 0 && !block_.map_loads.empty()) ||
           !block_.ring_loads.empty();
  }

  void put_late_loads() {
    if (block_.late_loads.empty()) return;
    Code code = fresh();
    writer_.late_fillers(code);
    add(code);
    for (const PlacedKernels& kernels : block_.late_loads) put_placed(kernels);
  }

  void put_placed(const PlacedKernels& kernels) {
    Code code = fresh();
    code.mark(CodeRange::Kind::loads);
    writer_.placed_loads(code, kernels);
    add(code);
  }

  KernelLoad tile_load(int turn) const {
    KernelLoad load = block_.tile_load;
    load.dram += turn * block_.tile_load_step;
    return load;
  }

  void put_loads(int turn, bool fillers) {
    Code code = fresh();
    code.mark(CodeRange::Kind::loads);
    if (fillers) put_fillers(code, machine_.queue);
    add(code);
    const bool last = turn + 1 == block_.tiles;
    if (last ? block_.next.has_value() : block_.load_tiles) put_kernel_loads_of(last ? *block_.next : tile_load(turn));
    for (const PlacedKernels& kernels : block_.ring_loads) put_placed(kernels);
    if (turn == 0) put_map_loads_of(block_.map_loads);
  }

  void put_kernel_loads_of(const KernelLoad& load) {
    Code code = fresh();
    code.mark(CodeRange::Kind::loads);
    set_kernel_pointers(code, load);
    writer_.kernel_loads(code, load, false);
    add(code);
  }

  void put_map_loads_of(const std::vector<MapLoad>& loads) {
    for (std::size_t i = 0; i < loads.size(); i += 3) {
      Code code = fresh();
      code.mark(CodeRange::Kind::loads);
      put_map_loads(code, {loads.begin() + static_cast<std::ptrdiff_t>(i),
                           loads.begin() + static_cast<std::ptrdiff_t>(std::min(i + 3, loads.size()))});
      add(code);
    }
  }

  void put_strips(const std::vector<Strip>& strips, int first_window) {
    for (std::size_t i = 0; i < strips.size(); ++i) put_strip_atoms(strips[i], first_window + static_cast<int>(i));
  }

  Code strip_code(const Strip& strip, int window) const {
    Code code = fresh();
    writer_.strips(code, {strip}, true, window);
    return code;
  }

  // A strip whose rows don't fit as a loop is taken apart.
  void put_strip_atoms(const Strip& strip, int window) {
    const Code code = strip_code(strip, window);
    if (static_cast<int>(code.size()) <= atom_limit(machine_)) return add(code);
    if (strip.rows == 1 && strip.columns.size() == 1) return add(code);
    for (int row = 0; row < strip.rows; ++row) {
      Strip part = rows_of(block_, strip, row, 1);
      for (const ColumnWindow& column : strip.columns) {
        part.columns = {column};
        put_column_atoms(part, window);
        part.out += column.outputs * block_.x_step.out;
        part.bypass += column.outputs * block_.x_step.bypass;
      }
    }
  }

  void put_column_atoms(const Strip& part, int window) { add(strip_code(part, window)); }

  const Block& block_;
  const ComputeMachine& machine_;
  BlockWriter writer_;
  std::vector<Atom> atoms_;
  bool fits_ = true;
};

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
  return UnrolledWriter(block, machine).atoms();
}

}  // namespace convscope::snowflake
