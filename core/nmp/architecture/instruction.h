#pragma once
// A TLT's instructions: RV32I without fences, breakpoints and system registers, and the custom words of loads, stores,
// MACs, configuration and semaphores. docs/nmp-program.md has the encoding; the custom words are ours.

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace convscope::nmp {

using EncodedInstruction = std::uint32_t;

// clang-format off: by kind
enum class Operation : std::uint8_t {
  lui,
  auipc,
  jal,
  jalr,
  beq,
  bne,
  blt,
  bge,
  bltu,
  bgeu,
  lb,
  lh,
  lw,
  lbu,
  lhu,
  sb,
  sh,
  sw,
  addi,
  slti,
  sltiu,
  xori,
  ori,
  andi,
  slli,
  srli,
  srai,
  add,
  sub,
  sll,
  slt,
  sltu,
  xor_,
  srl,
  sra,
  or_,
  and_,
  ecall,
  load,
  load_3d,
  store,
  store_3d,
  fetch,  ///< custom-0
  conv2d,
  pool,
  veop,
  activation,
  percept,  ///< custom-1
  cfg,      ///< custom-2
  wait,
  post,
  sync  ///< custom-3
};
// clang-format on
inline constexpr int operation_count = static_cast<int>(Operation::sync) + 1;
std::string_view name_of(Operation operation);  ///< as text has it, e.g. "nmp_load3d"

/// Given to the MAC unit.
inline bool is_computation(Operation operation) {
  return operation >= Operation::conv2d && operation <= Operation::percept;
}

/// How an instruction's bits are divided, as the RISC-V manual names it.
enum class Format : std::uint8_t { r, i, shift, s, b, u, j, none };
Format format_of(Operation operation);
inline bool is_custom(Operation operation) {
  return operation >= Operation::load;
}

/// A decoded instruction. Fields that its format doesn't have are zero.
struct Instruction {
  Operation operation = Operation::addi;
  std::uint8_t rd = 0, rs1 = 0, rs2 = 0;
  std::uint8_t funct7 = 0;  ///< custom words alone
  std::int32_t immediate =
      0;  ///< I, S: bytes or a value; B, J: bytes from the instruction; U: the upper 20 bits, in place
  bool operator==(const Instruction&) const = default;
};

/// Whether a post goes to TLTs (mask in rs1) of the TLEs in rs2, not to those of the own TLE.
inline bool posts_to_tles(const Instruction& post) {
  return post.funct7 != 0;
}

/// Whether all fields are in their ranges, those of custom words included: `encode` takes no others.
bool in_range(const Instruction& instruction);
EncodedInstruction encode(const Instruction& instruction);   ///< asserts `in_range`
std::optional<Instruction> decode(EncodedInstruction word);  ///< nothing for words that the machine refuses

inline constexpr int semaphores = 16;      ///< of a TLT; rd of custom words
inline constexpr int transfer_shapes = 4;  ///< in C

/// funct7 of loads and stores.
struct TransferFunction {
  int shape = 0;           ///< 0 to 3: registers C[8 shape] on
  bool multicast = false;  ///< loads alone: to the TLTs of C[8 shape + 4]
  bool ring = false;       ///< loads alone: and around the ring, to the TLEs of C[8 shape + 5]
};
inline std::uint8_t funct7_of(const TransferFunction& function) {
  return static_cast<std::uint8_t>((function.multicast ? 64 : 0) | (function.shape & 3) << 4 | (function.ring ? 8 : 0));
}
inline TransferFunction transfer_function(std::uint8_t funct7) {
  return {funct7 >> 4 & 3, (funct7 & 64) != 0, (funct7 & 8) != 0};
}

/// What a MAC unit makes of its tiles: an operation of custom-1 and its variant (funct7).
enum class Computation : std::uint8_t {
  convolution,
  dot_product,          ///< a convolution to one pixel by `nmp_percept`: MACs lie along a filter's inputs
  max_pool,             ///< the greatest input of the window
  average_pool,         ///< zeros around the input count
  average_pool_inside,  ///< of the inputs that are there
  nearest,              ///< each input for several outputs side by side
  add,                  ///< element by element, IN and W
  subtract,
  multiply,
  maximum,
  minimum,
  add_spread,  ///< the same of IN and an element of W for each of its maps
  subtract_spread,
  multiply_spread,
  maximum_spread,
  minimum_spread,
  slope_spread,  ///< numbers below 0 times that element
  copy,          ///< of IN, clamped
  slope,         ///< numbers below 0 times C48
  affine,        ///< times C48, plus C49
  gate,          ///< IN times what `affine` makes of it, from 0 to 1
  table          ///< between two of 129 numbers in the data RAM
};
inline constexpr std::size_t computations = 22;
/// As files have them.
inline constexpr std::array<std::string_view, computations> computation_names{"convolution",
                                                                              "dot-product",
                                                                              "max-pool",
                                                                              "average-pool",
                                                                              "average-pool-inside",
                                                                              "nearest",
                                                                              "add",
                                                                              "subtract",
                                                                              "multiply",
                                                                              "maximum",
                                                                              "minimum",
                                                                              "add-spread",
                                                                              "subtract-spread",
                                                                              "multiply-spread",
                                                                              "maximum-spread",
                                                                              "minimum-spread",
                                                                              "slope-spread",
                                                                              "copy",
                                                                              "slope",
                                                                              "affine",
                                                                              "gate",
                                                                              "table"};
inline std::string_view name_of(Computation computation) {
  return computation_names[static_cast<std::size_t>(computation)];
}
/// Of an instruction that `is_computation`.
Computation computation_of(const Instruction& instruction);
/// Operation and funct7 of a computation; all else is 0.
Instruction instruction_of(Computation computation);
/// The last operand in text of operations that have variants, e.g. "max"; else empty.
std::string_view variant_of(Computation computation);

/// Sums of products with weights, from biases or partial sums on.
inline bool multiplies(Computation computation) {
  return computation <= Computation::dot_product;
}
inline bool is_pool(Computation computation) {
  return computation >= Computation::max_pool && computation <= Computation::average_pool_inside;
}
/// Of two operands, element by element.
inline bool is_pair(Computation computation) {
  return computation >= Computation::add && computation <= Computation::slope_spread;
}
/// Of these, W has one element for each map of IN.
inline bool is_spread(Computation computation) {
  return computation >= Computation::add_spread && computation <= Computation::slope_spread;
}
/// Whether C48 is a factor and C49 what is added.
inline bool is_affine(Computation computation) {
  return computation == Computation::affine || computation == Computation::gate;
}
inline constexpr int table_segments = 128;                  ///< of `table`: one number more
inline constexpr int table_words = table_segments / 2 + 1;  ///< in the data RAM: two numbers each, the lower half first
inline constexpr int gate_bits = 14;                        ///< fraction bits of what `gate` multiplies by
/// Whether there is a W: weights, or the second operand.
inline bool has_weights(Computation computation) {
  return multiplies(computation) || is_pair(computation);
}

/// Memories of a TLT, as bits [31:28] of a local address.
enum class Memory : std::uint8_t { data, input, weights, output };  ///< data RAM, MB0, MB1, MB2
inline constexpr int memories = 4;
std::string_view name_of(Memory memory);  ///< "data RAM", "MB0", …

struct LocalAddress {
  Memory memory = Memory::data;
  std::uint32_t byte = 0;  ///< below 2^28
  bool operator==(const LocalAddress&) const = default;
};
constexpr std::uint32_t encoded(LocalAddress address) {
  return static_cast<std::uint32_t>(address.memory) << 28 | address.byte;
}
/// Nothing where the memory is none.
std::optional<LocalAddress> local_address(std::uint32_t value);

}  // namespace convscope::nmp
