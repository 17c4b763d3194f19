#include "core/snowflake/verify/verify_code.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/snowflake/verify/verify_memory.h"

namespace convscope::snowflake::verification {
namespace {

constexpr int most_selectors = 4;

Operation halting() {
  Operation operation;
  operation.opcode = Opcode::beq;
  operation.halt = true;
  return operation;
}

bool is_branch(Opcode opcode) {
  return opcode == Opcode::ble || opcode == Opcode::bgt || opcode == Opcode::beq;
}

/// Operands of a load against the machine: they have room for more units, CUs and vMACs than it may have.
void check_load(const LoadField& field, bool all, const Machine& machine, int address, Report& report) {
  const auto below = [&](const char* what, int value, int limit) {
    if (value >= limit)
      report.at(address, Rule::illegal_operand, fmt::format("LD names {} {}", what, value),
                fmt::format("0 to {}", limit - 1));
  };
  below("load unit", field.unit, machine.load_units);
  if (field.target != LoadTarget::instructions && !all) below("CU", field.cu, machine.cus);
  if (field.target == LoadTarget::kernels) below("vMAC", field.vmac, machine.vmacs);
}

Operation complete(const Instruction& instruction, const Machine& machine, int address, Report& report) {
  Operation operation{instruction, {}, {}, is_branch(instruction.opcode), false};
  operation.halt = instruction == Instruction{Opcode::beq, false, 0, 0, 0, 0};
  operation.branch = operation.branch && !operation.halt;
  if (instruction.opcode == Opcode::mac || instruction.opcode == Opcode::max)
    operation.vector = vector_field(instruction.immediate);
  if (instruction.opcode == Opcode::vmov && instruction.immediate >= (instruction.mode ? most_selectors : 2))
    report.at(address, Rule::illegal_operand, fmt::format("VMOV with selector {}", instruction.immediate),
              instruction.mode ? "0 to 3" : "0 (a vector) or 1 (a word)");
  if (instruction.opcode != Opcode::ld) return operation;
  const auto field = load_field(instruction.immediate);
  if (!field) {
    report.at(address, Rule::illegal_operand, "LD with target 3", "0 maps, 1 kernels or 2 instructions");
    return halting();
  }
  operation.load = *field;
  check_load(*field, instruction.mode, machine, address, report);
  return operation;
}

// ---- pairs in the delay slots

int written_register(const Operation& operation) {
  return operation.opcode <= Opcode::muli ? operation.rd : 0;
}

/// With the reserved registers that a vector instruction takes along; 0 for none.
std::vector<int> read_registers(const Operation& operation) {
  const bool stores = operation.vector.write_back;
  const int output = stores ? operation.rd : 0, stride = stores ? cu_stride_register : 0;
  switch (operation.opcode) {
    case Opcode::movi:
      return {};
    case Opcode::mov:
    case Opcode::addi:
    case Opcode::muli:
      return {operation.rs1};
    case Opcode::mac:
      return {output, operation.rs1, operation.rs2, configuration_register, stride};
    case Opcode::max:
      return {output, operation.rs1, configuration_register, stride};
    case Opcode::vmov:
      return {operation.rs1, configuration_register};
    case Opcode::ld:
      return {operation.rd, operation.rs1, operation.rs2};
    default:
      return {operation.rs1, operation.rs2};
  }
}

class BranchCheck {
 public:
  BranchCheck(const Program& program, const std::vector<Operation>& code, Report& report)
      : program_(program), code_(code), report_(report) {}

  void block(const CodeBlock& block) {
    for (int address = block.first; address < block.first + block.count; ++address)
      if (code_[static_cast<std::size_t>(address)].branch) branch(address, block);
  }

 private:
  const Operation& at(int address) const { return code_[static_cast<std::size_t>(address)]; }

  void branch(int address, const CodeBlock& block) {
    const int end = block.first + block.count, last_slot = address + program_.machine.delay_slots;
    const Operation& branch = at(address);
    const int target = address + branch.immediate;
    if (!branch.mode && (target < block.first || target >= end))
      report_.at(address, Rule::branch_leaves_block, fmt::format("branch to instruction {}", target),
                 fmt::format("{} to {}, the block's", block.first, end - 1), "jump to the other bank with mode 1");
    if (branch.mode && (branch.immediate < 0 || branch.immediate >= program_.machine.instruction_bank))
      report_.at(address, Rule::branch_leaves_block, fmt::format("jump to word {} of a bank", branch.immediate),
                 fmt::format("0 to {}", program_.machine.instruction_bank - 1));
    if (last_slot >= end)
      return report_.at(address, Rule::branch_leaves_block, fmt::format("delay slots end at instruction {}", last_slot),
                        fmt::format("at most {}, the block's last", end - 1), "fill the slots with nops");
    slots(address, last_slot, branch.mode);
  }

  void slots(int address, int last, bool jump) {
    int pairs = 0;
    for (int slot = address + 1; slot <= last; ++slot) {
      const Operation& operation = at(slot);
      if (operation.branch || operation.halt)
        report_.at(slot, Rule::branch_in_slot, fmt::format("branch in a delay slot of instruction {}", address),
                   fmt::format("none before instruction {}", last + 1));
      if (jump && operation.opcode == Opcode::ld && operation.load.target == LoadTarget::instructions)
        report_.at(slot, Rule::load_in_jump_slot, fmt::format("instructions are loaded behind jump {}", address),
                   "loads into the idle bank before or after a jump, as its slots change which one is idle");
      pairs += pairs_with(slot, address);
    }
    if (pairs > 1)
      report_.at(address, Rule::raw_pairs, fmt::format("{} pairs of write and read in the delay slots", pairs),
                 "at most one", "move one of them before the branch");
  }

  /// Registers that a slot reads and a slot before it wrote.
  int pairs_with(int slot, int branch) const {
    std::vector<int> read = read_registers(at(slot));
    std::sort(read.begin(), read.end());
    read.erase(std::unique(read.begin(), read.end()), read.end());
    return static_cast<int>(std::count_if(read.begin(), read.end(), [&](int number) {
      bool written = false;
      for (int before = branch + 1; before < slot; ++before) written |= written_register(at(before)) == number;
      return number != 0 && written;
    }));
  }

  const Program& program_;
  const std::vector<Operation>& code_;
  Report& report_;
};

/// Stretches that should not overlap, sorted; `words` of 0 touch nothing.
struct Stretch {
  std::int64_t first = 0, words = 0;
  std::size_t block = 0;
};

void check_apart(std::vector<Stretch> stretches, const char* what, Report& report) {
  std::sort(stretches.begin(), stretches.end(), [](const Stretch& a, const Stretch& b) { return a.first < b.first; });
  for (std::size_t i = 1; i < stretches.size(); ++i)
    if (stretches[i - 1].first + stretches[i - 1].words > stretches[i].first)
      report.error(
          fmt::format("block {}", stretches[i].block), Rule::block_place,
          fmt::format("{} from {} are those of block {} too", what, stretches[i].first, stretches[i - 1].block),
          "blocks apart from each other");
}

}  // namespace

std::vector<Operation> decode_all(const Program& program, Report& report) {
  std::vector<Operation> code;
  code.reserve(program.code.size());
  for (std::size_t i = 0; i < program.code.size(); ++i) {
    const EncodedInstruction word = program.code[i];
    const int address = static_cast<int>(i);
    const auto instruction = decode(word);
    if (!instruction) {
      report.at(address, Rule::illegal_opcode, fmt::format("opcode {} in 0x{:08x}", word >> 28, word),
                fmt::format("0 to {}", opcode_count - 1));
      code.push_back(halting());
      continue;
    }
    if (encode(*instruction) != word)
      report.at(address, Rule::stray_bits,
                fmt::format("0x{:08x} has bits where opcode {} has no field", word, word >> 28),
                fmt::format("0x{:08x}", encode(*instruction)));
    code.push_back(complete(*instruction, program.machine, address, report));
  }
  return code;
}

void check_blocks(const Program& program, Report& report) {
  if (program.blocks.empty())
    return report.error("program", Rule::block_place, "no block", "block 0, which a run starts with");
  const RegionIndex regions(program, kind_bit(RegionKind::instructions));
  std::vector<Stretch> in_code, in_dram;
  for (std::size_t i = 0; i < program.blocks.size(); ++i) {
    const CodeBlock& block = program.blocks[i];
    const std::string element = fmt::format("block {}", i);
    if (block.count < 1 || block.count > program.machine.instruction_bank)
      report.error(element, Rule::block_size, fmt::format("{} instructions", block.count),
                   fmt::format("1 to {}, an instruction bank", program.machine.instruction_bank), "split the block");
    if (block.first < 0 || block.first + std::int64_t{block.count} > static_cast<std::int64_t>(program.code.size()))
      report.error(element, Rule::block_place, fmt::format("instructions from {}", block.first),
                   fmt::format("inside the {} of the code", program.code.size()));
    if (!regions.any(block.dram_word, std::int64_t{instruction_words} * block.count))
      report.error(element, Rule::block_place, fmt::format("lies at word {} of DRAM", block.dram_word),
                   "inside a region of kind instructions");
    in_code.push_back({block.first, block.count, i});
    in_dram.push_back({block.dram_word, std::int64_t{instruction_words} * block.count, i});
  }
  check_apart(std::move(in_code), "instructions", report);
  check_apart(std::move(in_dram), "words of DRAM", report);
}

void check_branches(const Program& program, const std::vector<Operation>& code, Report& report) {
  BranchCheck check(program, code, report);
  for (const CodeBlock& block : program.blocks) check.block(block);
}

}  // namespace convscope::snowflake::verification
