#include "core/snowflake/code/block_writer.h"

#include <algorithm>

#include "core/snowflake/code/load_code.h"

namespace convscope::snowflake {
namespace {

bool alternates(const Block& block) {
  return block.load_tiles || block.other_bank != block.bank;
}

int vectors(const std::vector<Strip>& strips) {
  int sum = 0;
  for (const Strip& strip : strips) sum += strip.rows * strip.vectors();
  return sum;
}

bool one_configuration(const Block& block) {
  const std::uint32_t wanted = block.biases ? block.bias_configuration : block.strips[0].configuration;
  return std::all_of(block.strips.begin(), block.strips.end(),
                     [&](const Strip& strip) { return strip.configuration == wanted; });
}

}  // namespace

Atom atom_of(const Code& code) {
  Atom atom{code.list(), code.marks()};
  for (std::size_t i = 0; i < atom.ranges.size(); ++i) {
    const int end = i + 1 < atom.ranges.size() ? atom.ranges[i + 1].first : static_cast<int>(atom.list.size());
    atom.ranges[i].count = end - atom.ranges[i].first;
  }
  std::erase_if(atom.ranges, [](const CodeRange& range) { return range.count == 0; });
  return atom;
}

int bank_sum(const Block& block) {
  return block.bank + block.other_bank;
}

Strip rows_of(const Block& block, const Strip& strip, int first, int rows) {
  Strip part = strip;
  part.rows = rows;
  part.maps += first * block.y_step.maps;
  part.out += first * block.y_step.out;
  part.bypass += first * block.y_step.bypass;
  return part;
}

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

void BlockWriter::setup(Code& code, int turn, int slot) const {
  code.mark(CodeRange::Kind::setup);
  code.set(cu_stride_register, block_.cu_stride);
  const int steps = turn * block_.slots + slot;
  code.set(reg::slot_maps, block_.maps_base + steps * block_.slot_step.maps);
  code.set(reg::slot_out, block_.out_base + steps * block_.slot_step.out);
  if (block_.bypass_select >= 0) code.set(reg::slot_bypass, block_.bypass_base + steps * block_.slot_step.bypass);
  code.set(reg::bank, turn % 2 == 1 && alternates(block_) ? block_.other_bank : block_.bank);
}

void BlockWriter::slot_setup(Code& code, int slot) const {
  const int at = block_.first_slot + slot;
  code.add(reg::slot_kernels, reg::bank, std::int64_t{at} * block_.kernel_words);
  if (block_.biases) code.add(reg::bias, reg::bank, block_.bias_at + std::int64_t{slot} * block_.bias_words);
}

void BlockWriter::biases(Code& code, bool configure) const {
  if (!block_.biases) return;
  if (configure) code.set(configuration_register, block_.bias_configuration);
  code.put(bias(reg::bias, block_.kind == VectorKind::independent));
}

void BlockWriter::strips(Code& code, const std::vector<Strip>& list, bool configure, int first_window) const {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (configure) code.set(configuration_register, list[i].configuration);
    put_strip(code, block_, list[i], first_window + static_cast<int>(i));
  }
}

bool BlockWriter::loads() const {
  return block_.load_tiles || block_.next.has_value() || !block_.map_loads.empty() || !block_.ring_loads.empty();
}

void BlockWriter::placed_loads(Code& code, const PlacedKernels& kernels) const {
  put_placed_loads(code, kernels, machine_);
}

void BlockWriter::late_fillers(Code& code) const {
  code.mark(CodeRange::Kind::loads);
  if (block_.late_fillers > 0) put_fillers(code, block_.late_fillers);
}

void BlockWriter::kernel_loads(Code& code, const KernelLoad& load, bool go_on) const {
  code.put(muli(buffer_word, reg::bank, -1));
  code.add(buffer_word, buffer_word, bank_sum(block_));
  put_kernel_loads(code, load, machine_, buffer_word, go_on);
}

void BlockWriter::last_kernel_loads(Code& code) const {
  set_kernel_pointers(code, *block_.next);
  kernel_loads(code, *block_.next, false);
}

void BlockWriter::looped_kernel_loads(Code& code) const {
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

void BlockWriter::looped_loads(Code& code) const {
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

void BlockWriter::own_loads(Code& code) const {
  code.mark(CodeRange::Kind::loads);
  put_fillers(code, machine_.queue);
  code.put(mov(buffer_word, reg::bank));
  put_kernel_loads(code, block_.tile_load, machine_, buffer_word, true);
}

void BlockWriter::slot_steps(Code& code) const {
  code.add(reg::slot_out, reg::slot_out, block_.slot_step.out);
  if (block_.slot_step.maps != 0) code.add(reg::slot_maps, reg::slot_maps, block_.slot_step.maps);
  if (block_.bypass_select >= 0) code.add(reg::slot_bypass, reg::slot_bypass, block_.slot_step.bypass);
}

bool BlockWriter::fillers_first() const {
  return loads() && vectors(block_.strips) < machine_.queue;
}

void BlockWriter::slot_body(Code& code, bool configure) const {
  const bool cuts = loads() && !fillers_first();
  const Parts parts = cuts ? cut(block_, machine_.queue) : Parts{block_.strips, {}};
  biases(code, configure);
  strips(code, parts.before, configure, 0);
  if (cuts) looped_loads(code);
  strips(code, parts.after, configure, static_cast<int>(parts.before.size()));
}

Code BlockWriter::whole() const {
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

}  // namespace convscope::snowflake
