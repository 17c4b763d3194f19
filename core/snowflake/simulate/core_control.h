#pragma once
// The control pipeline: issue, registers, branches, banks. Included by core.h.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/cancellation.h"

namespace convscope::snowflake::simulation {

template <typename Data, typename Observer>
bool Core<Data, Observer>::refuse(Cycle cycle, int instruction, std::string what) {
  if (!result_.refusal) result_.refusal = Refusal{cycle, instruction, std::move(what)};
  going_ = false;
  return false;
}

template <typename Data, typename Observer>
bool Core<Data, Observer>::issue_next(std::int64_t budget, const std::stop_token& stop) {
  constexpr std::int64_t poll_mask = (1 << 14) - 1;
  if ((instructions_ & poll_mask) == 0) throw_if_stopped(stop);
  if (!fetch()) return false;
  if (++instructions_ > budget)
    return refuse(cycle_, instruction_, fmt::format("still runs after {} instructions, the budget", budget));
  return issue();
}

template <typename Data, typename Observer>
bool Core<Data, Observer>::fetch() {
  const auto& bank = banks_[static_cast<std::size_t>(running_bank_)];
  const auto word = static_cast<std::size_t>(pc_);
  if (word >= bank.size() || bank[word] < 0)
    return refuse(cycle_, instruction_,
                  fmt::format("runs off the end: word {} of bank {} holds no instruction, "
                              "expected a jump or a halt before it",
                              pc_, running_bank_));
  instruction_ = bank[word];
  word_ = &code_[instruction_];
  return true;
}

template <typename Data, typename Observer>
auto Core<Data, Observer>::operands_ready(std::uint8_t a, std::uint8_t b, std::uint8_t c, std::uint8_t d,
                                          std::uint8_t e) const -> Cycle {
  return std::max(std::max(std::max(readable_[a], readable_[b]), std::max(readable_[c], readable_[d])), readable_[e]);
}

template <typename Data, typename Observer>
void Core<Data, Observer>::wait_control(Cycle until, ControlStall cause) {
  if (until <= cycle_) return;
  observer_.control_stalled(cycle_, until, cause, instruction_, word_->layer);
  layer(word_->layer).control_stall_cycles[static_cast<std::size_t>(cause)] += until - cycle_;
  cycle_ = until;
}

// Registers are 32 bit and wrap around.
template <typename Data, typename Observer>
bool Core<Data, Observer>::issue() {
  const CodeWord& word = *word_;
  if (!word.legal) return refuse(cycle_, instruction_, "illegal opcode, expected 0 to 12");
  const auto rs1 = static_cast<std::uint32_t>(value(word.rs1)), rs2 = static_cast<std::uint32_t>(value(word.rs2));
  const auto immediate = static_cast<std::uint32_t>(word.immediate);
  const auto scalar = [&](Cycle ready, std::uint32_t result) {
    wait_control(ready, ControlStall::raw);
    issue_scalar(static_cast<std::int32_t>(result));
    return true;
  };
  const auto compared = [&](bool holds) {
    wait_control(operands_ready(word.rs1, word.rs2), ControlStall::raw);
    return branch(holds);
  };
  switch (word.opcode) {
    case Opcode::mov:
      return scalar(readable_[word.rs1], rs1 << word.rs2);
    case Opcode::movi:
      return scalar(0, immediate);
    case Opcode::add:
      return scalar(operands_ready(word.rs1, word.rs2), rs1 + rs2);
    case Opcode::addi:
      return scalar(readable_[word.rs1], rs1 + immediate);
    case Opcode::mul:
      return scalar(operands_ready(word.rs1, word.rs2), rs1 * rs2);
    case Opcode::muli:
      return scalar(readable_[word.rs1], rs1 * immediate);
    case Opcode::mac:
    case Opcode::max:
    case Opcode::vmov:
      return dispatch();
    case Opcode::ble:
      return compared(value(word.rs1) <= value(word.rs2));
    case Opcode::bgt:
      return compared(value(word.rs1) > value(word.rs2));
    case Opcode::beq:
      return compared(value(word.rs1) == value(word.rs2));
    case Opcode::ld:
      return issue_load();
  }
  return false;
}

template <typename Data, typename Observer>
void Core<Data, Observer>::issue_scalar(std::int32_t value) {
  const std::uint8_t rd = word_->rd;
  if (rd != 0) {
    registers_[rd] = value;
    readable_[rd] = cycle_ + machine_.result_latency;
  }
  observer_.issued(cycle_, instruction_, word_->layer);
  observer_.register_written(rd, registers_[rd], readable_[rd]);
  next_word();
}

// Behind the last delay slot of a branch that is taken comes its target.
template <typename Data, typename Observer>
void Core<Data, Observer>::next_word() {
  ++result_.layers[static_cast<std::size_t>(word_->layer)].statistics.instructions;
  ++cycle_;
  ++pc_;
  if (slots_ == 0 || --slots_ > 0 || !taken_) return;
  pc_ = target_;
  if (changes_bank_) running_bank_ ^= 1;
  changes_bank_ = false;
}

template <typename Data, typename Observer>
bool Core<Data, Observer>::branch(bool taken) {
  if (slots_ > 0) return refuse(cycle_, instruction_, "branch in a delay slot");
  if (!check_slots()) return false;
  if (word_->halts) {
    halted_ = true;
  } else if (word_->mode) {
    if (!taken) return refuse(cycle_, instruction_, "jump to the other bank is not taken, expected that it always is");
    if (!jump()) return false;
  } else if (taken && (pc_ + word_->immediate < 0 || pc_ + word_->immediate >= machine_.instruction_bank)) {
    return refuse(cycle_, instruction_,
                  fmt::format("branch from word {} by {} leaves the bank", pc_, word_->immediate));
  }
  observer_.issued(cycle_, instruction_, word_->layer);
  taken_ = taken;
  target_ = word_->mode ? word_->immediate : pc_ + word_->immediate;
  changes_bank_ = word_->mode;
  // One more, as the branch itself counts down.
  slots_ = machine_.delay_slots + 1;
  next_word();
  return true;
}

// The target must be there before the jump is issued.
template <typename Data, typename Observer>
bool Core<Data, Observer>::jump() {
  const std::size_t other = static_cast<std::size_t>(running_bank_) ^ 1;
  if (!advance(cycle_)) return false;
  while (bank_loads_[other] > 0)
    if (!step_or_refuse("its bank's instructions")) return false;
  if (!advance(std::max(cycle_, now_cycle()))) return false;
  const Cycle before = cycle_;
  wait_control(now_cycle(), ControlStall::instruction_bank);
  bank_wait_ += cycle_ - before;
  const auto target = static_cast<std::size_t>(word_->immediate);
  if (word_->immediate >= 0 && target < banks_[other].size() && banks_[other][target] >= 0) return true;
  return refuse(cycle_, instruction_,
                fmt::format("jump to word {} of bank {}, which is not loaded", word_->immediate, other));
}

// At most one pair of a write and a read of the same register among the slots (paper, section 4).
template <typename Data, typename Observer>
bool Core<Data, Observer>::check_slots() {
  if (slots_checked_[static_cast<std::size_t>(instruction_)]) return true;
  slots_checked_[static_cast<std::size_t>(instruction_)] = true;
  const auto& bank = banks_[static_cast<std::size_t>(running_bank_)];
  const int end = std::min(pc_ + 1 + machine_.delay_slots, static_cast<int>(bank.size()));
  int pairs = 0;
  std::array<int, registers> writer{};
  for (int pc = pc_ + 1; pc < end && bank[static_cast<std::size_t>(pc)] >= 0; ++pc) {
    const CodeWord& slot = code_[bank[static_cast<std::size_t>(pc)]];
    if (!slot.legal) break;
    std::uint64_t writers = 0;
    for (const std::uint8_t source : sources(slot))
      if (writer[source] != 0) writers |= std::uint64_t{1} << (writer[source] - pc_);
    pairs += std::popcount(writers);
    if (is_scalar(slot.opcode) && slot.rd != 0) writer[slot.rd] = pc;
  }
  return pairs <= 1 || word_->halts ||
         refuse(cycle_, instruction_,
                fmt::format("{} pairs of instructions in its delay slots write and read the same register, "
                            "expected at most 1",
                            pairs));
}

}  // namespace convscope::snowflake::simulation
