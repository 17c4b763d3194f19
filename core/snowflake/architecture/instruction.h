#pragma once
// The 13 instructions of the control pipeline and their 32-bit encoding (docs/snowflake-encoding.md).
// Source: "Compiling Deep Learning Models …", section 4; the bit positions are ours.

#include <cstdint>
#include <optional>

namespace convscope::snowflake {

using EncodedInstruction = std::uint32_t;

/// In the order of their codes, 0 to 12; 13 to 15 are illegal.
enum class Opcode : std::uint8_t { mov, movi, add, addi, mul, muli, mac, max, vmov, ble, bgt, beq, ld };
inline constexpr int opcode_count = 13;

/// A decoded instruction. Fields that its form doesn't have are zero.
///   MOV   rd = rs1 << rs2 (the field's value); ADD, MUL rd = rs1 op rs2; ADDI, MULI rd = rs1 op imm17;
///   MOVI  rd = imm23;   BLE, BGT, BEQ rs1 ? rs2: imm12 from the branch, or mode 1: word imm12 of the other bank
///   MAC   rd: output word in DRAM, rs1: maps word, rs2: kernel word; `write_back`, `length` in words (1-2048);
///         mode 0 cooperative, 1 independent.   MAX alike without rs2
///   VMOV  rd unused, rs1: buffer word, imm12: which word each vMAC takes; mode 0 bias, 1 bypass
///   LD    rd: buffer word, rs1: DRAM word, rs2: words; imm12: unit, target, CU, vMAC; mode 1: to all CUs
struct Instruction {
  Opcode opcode = Opcode::mov;
  bool mode = false;
  std::uint8_t rd = 0, rs1 = 0, rs2 = 0;
  std::int32_t immediate = 0;  ///< sign-extended where the form is signed: ADDI, MULI, MOVI, branches
  bool operator==(const Instruction&) const = default;
};

/// Reserved registers.
inline constexpr int configuration_register = 26;  ///< see Configuration
inline constexpr int cu_stride_register = 27;      ///< words of output from one CU to the next
inline constexpr int next_bank_register = 28;      ///< DRAM word of the instructions that come next

/// MAC's and MAX's immediate.
struct VectorField {
  bool write_back = false;
  int length = 1;  ///< words of the trace
};
VectorField vector_field(std::int32_t immediate);
std::int32_t immediate_of(const VectorField& field);

enum class LoadTarget : std::uint8_t { maps, kernels, instructions };
/// LD's immediate: unit [1:0], target [3:2], CU [5:4] and [9:8] above them, vMAC [7:6] and [11:10] above them.
struct LoadField {
  int unit = 0;
  LoadTarget target = LoadTarget::maps;
  int cu = 0, vmac = 0;
};
std::optional<LoadField> load_field(std::int32_t immediate);  ///< nothing if the target is illegal
std::int32_t immediate_of(const LoadField& field);

/// Register 26: ReLU [0], lanes [1], CU mask [7:4] and [15:12] above them, fraction bits [11:8], hop [31:16].
struct Configuration {
  bool relu = false;
  bool lanes = false;    ///< a maps vector times one weight: average pooling
  std::uint8_t cus = 0;  ///< bit c: CU c writes
  int fraction = 0;      ///< n of Qm.n
  int hop = 0;           ///< MAX: vectors from one pixel's vector to the next's
};
Configuration configuration(std::uint32_t value);
std::uint32_t value_of(const Configuration& configuration);

EncodedInstruction encode(const Instruction& instruction);   ///< fields must be in their ranges (asserts)
std::optional<Instruction> decode(EncodedInstruction word);  ///< nothing for illegal opcodes
bool operator_in_range(const Instruction& instruction);      ///< whether `encode` takes it

}  // namespace convscope::snowflake
