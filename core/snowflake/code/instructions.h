#pragma once
// Instructions by name, constants of any size, and loops whose delay slots are filled.
// Source: "Compiling Deep Learning Models …", sections 4 and 5.2.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/snowflake/architecture/instruction.h"
#include "core/snowflake/architecture/program.h"

namespace convscope::snowflake {

Instruction nop();
Instruction mov(int rd, int from, int shift = 0);
Instruction movi(int rd, std::int32_t value);
Instruction addi(int rd, int from, std::int32_t value);
Instruction add(int rd, int a, int b);
Instruction muli(int rd, int from, std::int32_t value);
Instruction bias(int at, bool independent);
Instruction bypass(int at, int select);
Instruction load(int buffer, int dram, int words, const LoadField& field, bool all_cus);
Instruction branch(Opcode opcode, int a, int b, std::ptrdiff_t offset);

/// Straight code that grows, with the places up to which nothing may be moved.
class Code {
 public:
  explicit Code(int delay_slots) : delay_slots_(delay_slots) {}

  void put(const Instruction& instruction) { list_.push_back(instruction); }
  /// rd = any value of 32 bit: one instruction up to 23 bits, else three.
  void set(int rd, std::int64_t value);
  /// rd = from + value, in as many steps as the immediate's 17 bits ask for.
  void add(int rd, int from, std::int64_t value);
  void nops(int count);

  /// A loop of `times` turns by counter `counter`, which the caller sets by `counters` and nobody else touches.
  /// Its first instruction counts down; `close` puts the branch before the last instructions, which fill its slots.
  struct Loop {
    int counter = 0;
    int value = 0;  ///< what the counter starts from: `close` decides whether the branch comes before the count-down
    std::size_t start = 0;
    std::vector<std::size_t> resets = {};  ///< instructions that set the counter
  };
  Loop prepare(int counter, int times);  ///< sets the counter
  void reset(Loop& loop);                ///< sets it once more, for a loop within a loop
  void open(Loop& loop);
  void close(Loop& loop);

  /// A branch forward over what follows, its slots empty; `land` tells where it goes.
  std::size_t skip_if(Opcode opcode, int a, int b);
  void land(std::size_t skip);

  /// What follows is of this kind, until the next mark.
  void mark(CodeRange::Kind kind, int window = 0);

  std::size_t size() const { return list_.size(); }
  const std::vector<Instruction>& list() const { return list_; }
  const std::vector<CodeRange>& marks() const { return marks_; }

 private:
  int movable(std::size_t from) const;

  int delay_slots_;
  std::vector<Instruction> list_;
  std::vector<CodeRange> marks_;  ///< count, layer and tile are not filled
  std::size_t barrier_ = 0;       ///< instructions before it stay where they are
};

}  // namespace convscope::snowflake
