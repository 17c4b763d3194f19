#include "tests/core/snowflake/hand_program.h"

namespace convscope::snowflake {

HandProgram::HandProgram(std::int64_t dram_words, Machine machine) {
  program.name = "by hand";
  program.machine = machine;
  program.dram_words = dram_words;
}

int HandProgram::emit(Opcode opcode, bool mode, int rd, int rs1, int rs2, int immediate) {
  program.code.push_back(encode({opcode, mode, static_cast<std::uint8_t>(rd), static_cast<std::uint8_t>(rs1),
                                 static_cast<std::uint8_t>(rs2), immediate}));
  return static_cast<int>(program.code.size()) - 1;
}

void HandProgram::nop(int count) {
  for (int i = 0; i < count; ++i) emit(Opcode::mov, false, 0, 0, 0, 0);
}

int HandProgram::mac(int rd, int maps, int kernels, int length, bool write_back, bool independent) {
  return emit(Opcode::mac, independent, rd, maps, kernels, immediate_of(VectorField{write_back, length}));
}

int HandProgram::max(int rd, int maps, int length, bool write_back) {
  return emit(Opcode::max, false, rd, maps, 0, immediate_of(VectorField{write_back, length}));
}

int HandProgram::load(LoadTarget target, int rd, int rs1, int rs2, int unit, int cu, int vmac, bool to_all) {
  return emit(Opcode::ld, to_all, rd, rs1, rs2, immediate_of(LoadField{unit, target, cu, vmac}));
}

int HandProgram::configure(const Configuration& configuration) {
  return set(configuration_register, static_cast<std::int32_t>(value_of(configuration)));
}

void HandProgram::end_block(std::int64_t dram_word) {
  const int count = static_cast<int>(program.code.size()) - block_first_;
  program.blocks.push_back({block_first_, count, dram_word});
  block_first_ += count;
}

Program& HandProgram::finished() {
  if (program.blocks.empty()) end_block(0);
  return program;
}

Configuration writing(int cus, int fraction) {
  Configuration configuration;
  configuration.cus = static_cast<std::uint8_t>((1 << cus) - 1);
  configuration.fraction = fraction;
  return configuration;
}

}  // namespace convscope::snowflake
