#include "core/snowflake/code/instructions.h"

#include <algorithm>
#include <cassert>

namespace convscope::snowflake {
namespace {

constexpr std::int64_t movi_limit = std::int64_t{1} << 22, addi_limit = std::int64_t{1} << 16;

std::uint8_t field(int reg) {
  return static_cast<std::uint8_t>(reg);
}

[[maybe_unused]] bool branches(Opcode opcode) {
  return opcode == Opcode::ble || opcode == Opcode::bgt || opcode == Opcode::beq;
}

// The register that a later instruction can depend on; 0 if none.
int written(const Instruction& i) {
  const bool scalar = i.opcode == Opcode::mov || i.opcode == Opcode::movi || i.opcode == Opcode::add ||
                      i.opcode == Opcode::addi || i.opcode == Opcode::mul || i.opcode == Opcode::muli;
  return scalar ? i.rd : 0;
}

bool reads(const Instruction& i, int reg) {
  switch (i.opcode) {
    case Opcode::movi:
      return false;
    case Opcode::mov:
    case Opcode::addi:
    case Opcode::muli:
    case Opcode::vmov:
      return i.rs1 == reg;
    case Opcode::add:
    case Opcode::mul:
    case Opcode::ble:
    case Opcode::bgt:
    case Opcode::beq:
      return i.rs1 == reg || i.rs2 == reg;
    case Opcode::max:
      return i.rd == reg || i.rs1 == reg;
    case Opcode::mac:
    case Opcode::ld:
      return i.rd == reg || i.rs1 == reg || i.rs2 == reg;
  }
  return false;
}

int dependent_pairs(const std::vector<Instruction>& list, std::size_t from) {
  int pairs = 0;
  for (std::size_t a = from; a < list.size(); ++a)
    for (std::size_t b = a + 1; b < list.size(); ++b)
      if (written(list[a]) != 0 && reads(list[b], written(list[a]))) ++pairs;
  return pairs;
}

}  // namespace

Instruction nop() {
  return mov(0, 0);
}
Instruction mov(int rd, int from, int shift) {
  return {Opcode::mov, false, field(rd), field(from), field(shift), 0};
}
Instruction movi(int rd, std::int32_t value) {
  return {Opcode::movi, false, field(rd), 0, 0, value};
}
Instruction addi(int rd, int from, std::int32_t value) {
  return {Opcode::addi, false, field(rd), field(from), 0, value};
}
Instruction add(int rd, int a, int b) {
  return {Opcode::add, false, field(rd), field(a), field(b), 0};
}
Instruction muli(int rd, int from, std::int32_t value) {
  return {Opcode::muli, false, field(rd), field(from), 0, value};
}
Instruction bias(int at, bool independent) {
  return {Opcode::vmov, false, 0, field(at), 0, independent ? 0 : 1};
}
Instruction bypass(int at, int select) {
  return {Opcode::vmov, true, 0, field(at), 0, select};
}
Instruction load(int buffer, int dram, int words, const LoadField& load, bool all_cus) {
  return {Opcode::ld, all_cus, field(buffer), field(dram), field(words), immediate_of(load)};
}
Instruction branch(Opcode opcode, int a, int b, std::ptrdiff_t offset) {
  return {opcode, false, 0, field(a), field(b), static_cast<std::int32_t>(offset)};
}

void Code::set(int rd, std::int64_t value) {
  if (value >= -movi_limit && value < movi_limit) return put(movi(rd, static_cast<std::int32_t>(value)));
  put(movi(rd, static_cast<std::int32_t>(value >> 16)));
  put(mov(rd, rd, 16));
  if ((value & 0xffff) != 0) put(addi(rd, rd, static_cast<std::int32_t>(value & 0xffff)));
}

void Code::add(int rd, int from, std::int64_t value) {
  do {
    const auto step = std::clamp(value, -addi_limit, addi_limit - 1);
    put(addi(rd, from, static_cast<std::int32_t>(step)));
    value -= step;
    from = rd;
  } while (value != 0);
}

void Code::nops(int count) {
  list_.insert(list_.end(), static_cast<std::size_t>(count), nop());
}

Code::Loop Code::prepare(int counter, int times) {
  Loop loop{counter, times};
  reset(loop);
  return loop;
}

void Code::reset(Loop& loop) {
  loop.resets.push_back(list_.size());
  put(movi(loop.counter, loop.value));
}

void Code::open(Loop& loop) {
  loop.start = list_.size();
  put(addi(loop.counter, loop.counter, -1));
}

// Instructions at the end that may go behind the branch: none before the barrier, at most one dependent pair.
int Code::movable(std::size_t from) const {
  const std::size_t first = std::max(from, barrier_);
  auto count = static_cast<int>(std::min(list_.size() - first, static_cast<std::size_t>(delay_slots_)));
  while (count > 0 && dependent_pairs(list_, list_.size() - static_cast<std::size_t>(count)) > 1) --count;
  return count;
}

void Code::close(Loop& loop) {
  const int moved = movable(loop.start);
  const std::size_t at = list_.size() - static_cast<std::size_t>(moved);
  list_.insert(
      list_.begin() + static_cast<std::ptrdiff_t>(at),
      branch(Opcode::bgt, loop.counter, 0, static_cast<std::ptrdiff_t>(loop.start) - static_cast<std::ptrdiff_t>(at)));
  for (CodeRange& mark : marks_)
    if (static_cast<std::size_t>(mark.first) > at) ++mark.first;
  nops(delay_slots_ - moved);
  barrier_ = list_.size();
  // A branch before the count-down sees one more.
  if (at > loop.start) return;
  --loop.value;
  for (const std::size_t reset : loop.resets) list_[reset].immediate = loop.value;
}

void Code::mark(CodeRange::Kind kind, int window) {
  marks_.push_back({kind, static_cast<int>(list_.size()), 0, 0, 0, window});
}

std::size_t Code::skip_if(Opcode opcode, int a, int b) {
  assert(branches(opcode));
  put(branch(opcode, a, b, 0));
  nops(delay_slots_);
  barrier_ = list_.size();
  return list_.size() - 1 - static_cast<std::size_t>(delay_slots_);
}

void Code::land(std::size_t skip) {
  list_[skip].immediate = static_cast<std::int32_t>(list_.size() - skip);
  barrier_ = list_.size();
}

}  // namespace convscope::snowflake
