#pragma once
// Writes instructions one after the other, with labels that may be placed later.

#include <cstdint>
#include <vector>

#include "core/nmp/architecture/program.h"

namespace convscope::nmp {

/// A register of the core, 0 to 31.
using Register = std::uint8_t;

class CodeWriter {
 public:
  /// A place that branches name; a function's end may place it.
  using Label = int;
  Label label();
  void place(Label label);

  void add(Register to, Register a, Register b) { write({.operation = Operation::add, .rd = to, .rs1 = a, .rs2 = b}); }
  void add(Register to, Register a, int value);
  void and_(Register to, Register a, Register b) {
    write({.operation = Operation::and_, .rd = to, .rs1 = a, .rs2 = b});
  }
  void or_(Register to, Register a, Register b) { write({.operation = Operation::or_, .rd = to, .rs1 = a, .rs2 = b}); }
  void xor_(Register to, Register a, Register b) {
    write({.operation = Operation::xor_, .rd = to, .rs1 = a, .rs2 = b});
  }
  void and_(Register to, Register a, int value);
  void shift_left(Register to, Register a, int bits);
  /// One instruction, or two.
  void constant(Register to, std::uint32_t value);
  /// Always two instructions.
  void wide_constant(Register to, std::uint32_t value);
  /// Word `field` of the table entry that `entry` points to.
  void load(Register to, Register entry, int field);
  void branch_if_equal(Register a, Register b, Label label);
  void branch_if_not_equal(Register a, Register b, Label label);
  void jump(Label label);
  void halt() { write({.operation = Operation::ecall}); }

  /// C[`even`] and the next.
  void configure(int even, Register first, Register second);
  void load_box(const TransferFunction& function, Register dram, Register local, int semaphore);
  void store_box(int shape, Register dram, Register local, int semaphore);
  /// `weights` is not looked at where there is no W.
  void compute(Computation computation, Register weights, Register output, int semaphore);
  /// A row to the data RAM.
  void fetch(int shape, Register dram, Register local);
  void wait(int semaphore, Register posts);
  void post(int semaphore, Register tlts);
  void post_to_tles(int semaphore, Register tlts, Register tles);
  void sync() { write({.operation = Operation::sync}); }

  /// Code whose branches stay within it.
  void insert(const std::vector<EncodedInstruction>& code);

  /// What follows is for `kind`, until the next.
  void begin(CodeRange::Kind kind);
  /// Instructions with their branches resolved; all labels must have been placed.
  void finish(Program& program);

 private:
  struct Fixup {
    std::size_t instruction = 0;
    Label label = 0;
  };
  void write(const Instruction& instruction) { code_.push_back(instruction); }
  void branch(Operation operation, Register a, Register b, Label label);

  std::vector<Instruction> code_;
  std::vector<std::size_t> labels_;  // where they stand
  std::vector<Fixup> fixups_;
  std::vector<CodeRange> ranges_;
};

}  // namespace convscope::nmp
