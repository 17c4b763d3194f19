#include "core/nmp/generate/code_writer.h"

#include <cassert>
#include <limits>

namespace convscope::nmp {
namespace {

constexpr int word_bytes_of_code = 4;
constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

}  // namespace

CodeWriter::Label CodeWriter::label() {
  labels_.push_back(nowhere);
  return static_cast<Label>(labels_.size()) - 1;
}

void CodeWriter::place(Label label) {
  labels_[static_cast<std::size_t>(label)] = code_.size();
}

void CodeWriter::add(Register to, Register a, int value) {
  write({.operation = Operation::addi, .rd = to, .rs1 = a, .immediate = value});
}

void CodeWriter::and_(Register to, Register a, int value) {
  write({.operation = Operation::andi, .rd = to, .rs1 = a, .immediate = value});
}

void CodeWriter::shift_left(Register to, Register a, int bits) {
  write({.operation = Operation::slli, .rd = to, .rs1 = a, .immediate = bits});
}

// addi extends its sign: what lui loads makes up for it.
void CodeWriter::constant(Register to, std::uint32_t value) {
  const std::uint32_t upper = (value + 0x800U) & 0xfffff000U;
  const auto low = static_cast<std::int32_t>(value - upper);
  if (upper == 0) return add(to, 0, low);
  write({.operation = Operation::lui, .rd = to, .immediate = static_cast<std::int32_t>(upper)});
  if (low != 0) add(to, to, low);
}

void CodeWriter::wide_constant(Register to, std::uint32_t value) {
  const std::uint32_t upper = (value + 0x800U) & 0xfffff000U;
  write({.operation = Operation::lui, .rd = to, .immediate = static_cast<std::int32_t>(upper)});
  add(to, to, static_cast<std::int32_t>(value - upper));
}

void CodeWriter::load(Register to, Register entry, int field) {
  write({.operation = Operation::lw, .rd = to, .rs1 = entry, .immediate = field * word_bytes_of_code});
}

void CodeWriter::branch(Operation operation, Register a, Register b, Label label) {
  fixups_.push_back({code_.size(), label});
  write({.operation = operation, .rs1 = a, .rs2 = b});
}

void CodeWriter::branch_if_equal(Register a, Register b, Label label) {
  branch(Operation::beq, a, b, label);
}

void CodeWriter::branch_if_not_equal(Register a, Register b, Label label) {
  branch(Operation::bne, a, b, label);
}

void CodeWriter::jump(Label label) {
  branch(Operation::jal, 0, 0, label);
}

void CodeWriter::configure(int even, Register first, Register second) {
  write({.operation = Operation::cfg, .rs1 = first, .rs2 = second, .funct7 = static_cast<std::uint8_t>(even / 2)});
}

void CodeWriter::load_box(const TransferFunction& function, Register dram, Register local, int semaphore) {
  write({.operation = Operation::load_3d,
         .rd = static_cast<Register>(semaphore),
         .rs1 = dram,
         .rs2 = local,
         .funct7 = funct7_of(function)});
}

void CodeWriter::store_box(int shape, Register dram, Register local, int semaphore) {
  write({.operation = Operation::store_3d,
         .rd = static_cast<Register>(semaphore),
         .rs1 = dram,
         .rs2 = local,
         .funct7 = funct7_of({shape, false})});
}

void CodeWriter::compute(Computation computation, Register weights, Register output, int semaphore) {
  Instruction instruction = instruction_of(computation);
  instruction.rd = static_cast<Register>(semaphore);
  instruction.rs1 = has_weights(computation) ? weights : Register{0};
  instruction.rs2 = output;
  write(instruction);
}

void CodeWriter::fetch(int shape, Register dram, Register local) {
  write({.operation = Operation::fetch, .rs1 = dram, .rs2 = local, .funct7 = funct7_of({shape, false})});
}

void CodeWriter::wait(int semaphore, Register posts) {
  write({.operation = Operation::wait, .rd = static_cast<Register>(semaphore), .rs1 = posts});
}

void CodeWriter::post(int semaphore, Register tlts) {
  write({.operation = Operation::post, .rd = static_cast<Register>(semaphore), .rs1 = tlts});
}

void CodeWriter::post_to_tles(int semaphore, Register tlts, Register tles) {
  write({.operation = Operation::post, .rd = static_cast<Register>(semaphore), .rs1 = tlts, .rs2 = tles, .funct7 = 1});
}

void CodeWriter::insert(const std::vector<EncodedInstruction>& code) {
  for (const EncodedInstruction word : code) write(decode(word).value());
}

void CodeWriter::begin(CodeRange::Kind kind) {
  const int first = static_cast<int>(code_.size());
  if (!ranges_.empty()) ranges_.back().count = first - ranges_.back().first;
  if (!ranges_.empty() && ranges_.back().count == 0) ranges_.pop_back();
  ranges_.push_back({kind, first, 0});
}

void CodeWriter::finish(Program& program) {
  begin(CodeRange::Kind::end);
  ranges_.pop_back();
  for (const Fixup& fixup : fixups_) {
    const std::size_t target = labels_[static_cast<std::size_t>(fixup.label)];
    assert(target != nowhere);
    code_[fixup.instruction].immediate =
        (static_cast<std::int32_t>(target) - static_cast<std::int32_t>(fixup.instruction)) * word_bytes_of_code;
  }
  program.code.clear();
  for (const Instruction& instruction : code_) program.code.push_back(encode(instruction));
  program.ranges = ranges_;
}

}  // namespace convscope::nmp
