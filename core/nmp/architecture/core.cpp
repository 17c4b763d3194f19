#include "core/nmp/architecture/core.h"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "core/nmp/architecture/program.h"

namespace convscope::nmp {
namespace {

std::int32_t as_signed(std::uint32_t value) {
  return static_cast<std::int32_t>(value);
}

/// Bytes that a load or store of the data RAM moves.
std::uint32_t access_size(Operation operation) {
  switch (operation) {
    case Operation::lb:
    case Operation::lbu:
    case Operation::sb:
      return 1;
    case Operation::lh:
    case Operation::lhu:
    case Operation::sh:
      return 2;
    default:
      return 4;
  }
}

/// The operation with registers that one with an immediate is like.
Operation like_registers(Operation operation) {
  switch (operation) {
    case Operation::slti:
      return Operation::slt;
    case Operation::sltiu:
      return Operation::sltu;
    case Operation::xori:
      return Operation::xor_;
    case Operation::ori:
      return Operation::or_;
    case Operation::andi:
      return Operation::and_;
    case Operation::slli:
      return Operation::sll;
    case Operation::srli:
      return Operation::srl;
    case Operation::srai:
      return Operation::sra;
    case Operation::addi:
      return Operation::add;
    default:
      return operation;
  }
}

std::uint32_t result_of(Operation operation, std::uint32_t left, std::uint32_t right) {
  switch (operation) {
    case Operation::sub:
      return left - right;
    case Operation::sll:
      return left << (right & 31U);
    case Operation::slt:
      return as_signed(left) < as_signed(right) ? 1 : 0;
    case Operation::sltu:
      return left < right ? 1 : 0;
    case Operation::xor_:
      return left ^ right;
    case Operation::srl:
      return left >> (right & 31U);
    case Operation::sra:
      return static_cast<std::uint32_t>(as_signed(left) >> (right & 31U));
    case Operation::or_:
      return left | right;
    case Operation::and_:
      return left & right;
    default:
      return left + right;
  }
}

}  // namespace

DecodedCode decode(const std::vector<EncodedInstruction>& code) {
  DecodedCode decoded;
  decoded.reserve(code.size());
  for (const EncodedInstruction word : code) decoded.push_back(decode(word));
  return decoded;
}

Core::Core(const DecodedCode& code, const std::vector<std::uint32_t>& data)
    : code_(&code), data_(static_cast<std::size_t>(data_ram_bytes)) {
  for (std::size_t i = 0; i < std::min(data.size(), data_.size() / 4); ++i)
    for (std::size_t byte = 0; byte < 4; ++byte) data_[4 * i + byte] = static_cast<std::uint8_t>(data[i] >> (8 * byte));
}

std::int64_t Core::run(std::int64_t limit) {
  stopped_ = nullptr;
  for (std::int64_t count = 0; count < limit; ++count) {
    if (pc_ / 4 >= code_->size()) {
      refusal_ = fmt::format("the code ends before instruction {}; expected an ecall before", pc_ / 4);
      return count;
    }
    const std::optional<Instruction>& instruction = (*code_)[pc_ / 4];
    if (!instruction) {
      refusal_ = "the word is no instruction";
      return count;
    }
    const Operation operation = instruction->operation;
    if ((is_custom(operation) && operation != Operation::cfg) || operation == Operation::ecall) {
      stopped_ = &*instruction;
      return count;
    }
    step(*instruction);
    if (!refusal_.empty()) return count;
  }
  return limit;
}

std::optional<std::uint32_t> Core::data_word(std::uint32_t byte) const {
  if (byte % 4 != 0 || byte >= data_.size()) return std::nullopt;
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4; ++i) word |= std::uint32_t{data_[byte + i]} << (8 * i);
  return word;
}

bool Core::taken(const Instruction& i) const {
  const std::uint32_t left = x(i.rs1), right = x(i.rs2);
  switch (i.operation) {
    case Operation::beq:
      return left == right;
    case Operation::bne:
      return left != right;
    case Operation::blt:
      return as_signed(left) < as_signed(right);
    case Operation::bge:
      return as_signed(left) >= as_signed(right);
    case Operation::bltu:
      return left < right;
    default:
      return left >= right;
  }
}

void Core::step(const Instruction& i) {
  const auto immediate = static_cast<std::uint32_t>(i.immediate);
  const std::uint32_t pc = pc_;
  pc_ += 4;
  switch (format_of(i.operation)) {
    case Format::u:
      return set(i.rd, immediate + (i.operation == Operation::auipc ? pc : 0));
    case Format::j:
      set(i.rd, pc + 4);
      pc_ = pc + immediate;
      break;
    case Format::b:
      if (taken(i)) pc_ = pc + immediate;
      break;
    case Format::s:
      store(i);
      break;
    case Format::i:
    case Format::shift:
      if (i.operation == Operation::jalr) {
        const std::uint32_t target = (x(i.rs1) + immediate) & ~1U;
        set(i.rd, pc + 4);
        pc_ = target;
        if (target % 4 != 0) refusal_ = fmt::format("it jumps to byte {}, which is between two instructions", target);
      } else if (i.operation >= Operation::lb && i.operation <= Operation::lhu) {
        load(i);
      } else {
        arithmetic(i, immediate);
      }
      break;
    case Format::r:
      if (i.operation == Operation::cfg) {
        configuration_[2 * std::size_t{i.funct7}] = x(i.rs1);
        configuration_[2 * std::size_t{i.funct7} + 1] = x(i.rs2);
      } else {
        arithmetic(i, x(i.rs2));
      }
      break;
    case Format::none:
      break;
  }
  if (!refusal_.empty()) pc_ = pc;
}

void Core::arithmetic(const Instruction& i, std::uint32_t right) {
  set(i.rd, result_of(like_registers(i.operation), x(i.rs1), right));
}

bool Core::in_data(std::uint32_t address, std::uint32_t size, const char* what) {
  if (address % size == 0 && address < data_.size()) return true;
  refusal_ = fmt::format("it {} {} bytes at 0x{:x}; expected a multiple of {} within the data RAM's {} bytes", what,
                         size, address, size, data_.size());
  return false;
}

void Core::load(const Instruction& i) {
  const std::uint32_t address = x(i.rs1) + static_cast<std::uint32_t>(i.immediate), size = access_size(i.operation);
  if (!in_data(address, size, "reads")) return;
  std::uint32_t value = 0;
  for (std::uint32_t byte = 0; byte < size; ++byte) value |= std::uint32_t{data_[address + byte]} << (8 * byte);
  if (i.operation == Operation::lb) value = static_cast<std::uint32_t>(std::int32_t{static_cast<std::int8_t>(value)});
  if (i.operation == Operation::lh) value = static_cast<std::uint32_t>(std::int32_t{static_cast<std::int16_t>(value)});
  set(i.rd, value);
}

void Core::store(const Instruction& i) {
  const std::uint32_t address = x(i.rs1) + static_cast<std::uint32_t>(i.immediate), size = access_size(i.operation);
  if (!in_data(address, size, "writes")) return;
  for (std::uint32_t byte = 0; byte < size; ++byte)
    data_[address + byte] = static_cast<std::uint8_t>(x(i.rs2) >> (8 * byte));
}

void Core::set_data(std::uint32_t byte, std::span<const std::uint32_t> words) {
  assert(byte % 4 == 0 && byte + 4 * words.size() <= data_.size());
  for (const std::uint32_t word : words)
    for (unsigned shift = 0; shift < 32; shift += 8) data_[byte++] = static_cast<std::uint8_t>(word >> shift);
}

}  // namespace convscope::nmp
