#pragma once
// A program's instructions decoded once, with what the simulator needs of each at hand.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/snowflake/architecture/program.h"

namespace convscope::snowflake::simulation {

struct CodeWord {
  Opcode opcode = Opcode::mov;
  bool legal = false;
  bool mode = false;
  bool writes_back = false;  ///< MAC, MAX
  bool halts = false;        ///< BEQ r0, r0, 0
  std::uint8_t rd = 0, rs1 = 0, rs2 = 0;
  std::int32_t immediate = 0;
  std::int32_t length = 0;  ///< MAC, MAX: words
  std::int32_t layer = 0, tile = 0;
};

constexpr bool is_branch(Opcode opcode) {
  return opcode == Opcode::ble || opcode == Opcode::bgt || opcode == Opcode::beq;
}
constexpr bool is_vector(Opcode opcode) {
  return opcode == Opcode::mac || opcode == Opcode::max || opcode == Opcode::vmov;
}
/// Writes rd.
constexpr bool is_scalar(Opcode opcode) {
  return opcode <= Opcode::muli;
}

/// Registers that an instruction reads, unused places 0.
std::array<std::uint8_t, 5> sources(const CodeWord& word);

class DecodedCode {
 public:
  explicit DecodedCode(const Program& program);

  const CodeWord& operator[](int index) const { return words_[static_cast<std::size_t>(index)]; }
  /// Of the instruction at a DRAM word; nothing if none begins there.
  std::optional<int> index_at(std::int64_t dram_word) const;
  /// A block has instructions in [first, first + words).
  bool overlaps(std::int64_t first, std::int64_t words) const;

 private:
  std::vector<CodeWord> words_;
  std::vector<CodeBlock> blocks_;  ///< by DRAM word
};

}  // namespace convscope::snowflake::simulation
