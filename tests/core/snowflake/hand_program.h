#pragma once
// Programs written instruction by instruction, for tests of the simulator.

#include <cstdint>
#include <string>

#include "core/snowflake/architecture/program.h"

namespace convscope::snowflake {

/// Writes one block that is in bank 0 at the start. Registers keep what they got last: `set` emits MOVI (or MOVI and
/// ADDI) and nothing more, so the caller decides about RAW stalls with `nop`.
class HandProgram {
 public:
  explicit HandProgram(std::int64_t dram_words = 1 << 16, Machine machine = {});

  int emit(Opcode opcode, bool mode, int rd, int rs1, int rs2, int immediate);
  int set(int rd, int value) { return emit(Opcode::movi, false, rd, 0, 0, value); }
  int add(int rd, int rs1, int immediate) { return emit(Opcode::addi, false, rd, rs1, 0, immediate); }
  void nop(int count = 1);
  /// Enough NOPs for every result to be readable.
  void settle() { nop(program.machine.result_latency); }
  int mac(int rd, int maps, int kernels, int length, bool write_back, bool independent = false);
  int max(int rd, int maps, int length, bool write_back);
  int bias(int word, bool one = true) { return emit(Opcode::vmov, false, 0, word, 0, one ? 1 : 0); }
  int bypass(int word, int select) { return emit(Opcode::vmov, true, 0, word, 0, select); }
  int load(LoadTarget target, int rd, int rs1, int rs2, int unit, int cu = 0, int vmac = 0, bool to_all = false);
  int branch(Opcode opcode, int rs1, int rs2, int offset) { return emit(opcode, false, 0, rs1, rs2, offset); }
  int jump(int word) { return emit(Opcode::beq, true, 0, 0, 0, word); }
  int halt() { return emit(Opcode::beq, false, 0, 0, 0, 0); }
  /// Sets register 26.
  int configure(const Configuration& configuration);
  /// The instructions since the last call (or the beginning) are a block at `dram_word`.
  void end_block(std::int64_t dram_word);
  /// The program, with a first block if there is none and one layer for all instructions.
  Program& finished();

  Program program;

 private:
  int block_first_ = 0;
};

/// A configuration whose CUs 0 to cus - 1 write.
Configuration writing(int cus, int fraction = 0);

}  // namespace convscope::snowflake
