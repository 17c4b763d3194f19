#include "core/nmp/architecture/instruction.h"

#include <gtest/gtest.h>

#include "core/nmp/architecture/assembly.h"
#include "core/nmp/architecture/configuration.h"
#include "random_problems.h"

namespace convscope::nmp {
namespace {

std::uint32_t word_of(const std::string& line) {
  Diagnostics diagnostics;
  const auto words = assemble(line, "line", diagnostics);
  EXPECT_TRUE(words && words->size() == 1) << line << ": " << diagnostics.text();
  return words && !words->empty() ? words->front() : 0;
}

struct Known {
  const char* text;
  std::uint32_t word;
};

// As LLVM 14's assembler has them, which shares nothing with ours.
TEST(NmpInstructions, AreRiscV) {
  for (const Known& known : {Known{"addi x0, x0, 0", 0x00000013},
                             {"lui x5, 0x12345", 0x123452b7},
                             {"auipc x1, 0xfffff", 0xfffff097},
                             {"jal x0, .-4", 0xffdff06f},
                             {"jal x1, .+2048", 0x001000ef},
                             {"jalr x0, 0(x1)", 0x00008067},
                             {"beq x0, x0, .+8", 0x00000463},
                             {"bgeu x6, x7, .-4096", 0x80737063},
                             {"lw x5, 8(x2)", 0x00812283},
                             {"lhu t0, -2(sp)", 0xffe15283},
                             {"sw x5, 12(x2)", 0x00512623},
                             {"sb a0, -1(a1)", 0xfea58fa3},
                             {"srai x1, x1, 4", 0x4040d093},
                             {"slli x3, x4, 31", 0x01f21193},
                             {"add x3, x1, x2", 0x002081b3},
                             {"sub x3, x1, x2", 0x402081b3},
                             {"and x31, x30, x29", 0x01df7fb3},
                             {"ecall", 0x00000073}})
    EXPECT_EQ(word_of(known.text), known.word) << known.text;
}

TEST(NmpInstructions, CustomWordsAreThoseOfInsn) {
  for (const auto& [text, insn] :
       {std::pair{"nmp_load3d 1, x6, x7, 1, multicast", ".insn r CUSTOM_0, 1, 0x50, x1, x6, x7"},
        {"nmp_load3d 1, x6, x7, 1, multicast, ring", ".insn r CUSTOM_0, 1, 0x58, x1, x6, x7"},
        {"nmp_load 1, x6, x7, 1, ring", ".insn r CUSTOM_0, 0, 0x18, x1, x6, x7"},
        {"nmp_load 0, x6, x7, 3", ".insn r CUSTOM_0, 0, 0x30, x0, x6, x7"},
        {"nmp_store3d 4, x2, x7, 2", ".insn r CUSTOM_0, 3, 0x20, x4, x2, x7"},
        {"nmp_store 4, x2, x7, 0", ".insn r CUSTOM_0, 2, 0, x4, x2, x7"},
        {"nmp_conv2d 3, x8, x9", ".insn r CUSTOM_1, 0, 0, x3, x8, x9"},
        {"nmp_pool 3, x9, max", ".insn r CUSTOM_1, 1, 0, x3, x0, x9"},
        {"nmp_pool 3, x9, inside", ".insn r CUSTOM_1, 1, 2, x3, x0, x9"},
        {"nmp_veop 3, x8, x9, minimum", ".insn r CUSTOM_1, 2, 4, x3, x8, x9"},
        {"nmp_activation 3, x9, slope", ".insn r CUSTOM_1, 3, 1, x3, x0, x9"},
        {"nmp_pool 3, x9, nearest", ".insn r CUSTOM_1, 1, 3, x3, x0, x9"},
        {"nmp_veop 3, x8, x9, add-spread", ".insn r CUSTOM_1, 2, 8, x3, x8, x9"},
        {"nmp_veop 3, x8, x9, slope-spread", ".insn r CUSTOM_1, 2, 13, x3, x8, x9"},
        {"nmp_activation 3, x9, affine", ".insn r CUSTOM_1, 3, 2, x3, x0, x9"},
        {"nmp_activation 3, x9, table", ".insn r CUSTOM_1, 3, 4, x3, x0, x9"},
        {"nmp_percept 3, x8, x9", ".insn r CUSTOM_1, 4, 0, x3, x8, x9"},
        {"nmp_cfg C62, x8, x9", ".insn r CUSTOM_2, 0, 31, x0, x8, x9"},
        {"nmp_wait 5, x8", ".insn r CUSTOM_3, 0, 0, x5, x8, x0"},
        {"nmp_post 15, x8", ".insn r CUSTOM_3, 1, 0, x15, x8, x0"},
        {"nmp_post 15, x8, x9", ".insn r CUSTOM_3, 1, 1, x15, x8, x9"},
        {"nmp_sync", ".insn r CUSTOM_3, 2, 0, x0, x0, x0"}}) {
    EXPECT_EQ(word_of(text), word_of(insn)) << text;
    EXPECT_EQ(instruction_text(word_of(insn)), text);
  }
  EXPECT_EQ(word_of("nmp_load3d 1, x6, x7, 1, multicast"), 0xa073108bU);
}

TEST(NmpInstructions, HaveOneWordEach) {
  RandomProblems random(3);
  int legal = 0;
  for (int i = 0; i < 200'000; ++i) {
    std::uint32_t word = 0;
    for (int part = 0; part < 4; ++part) word = word << 8 | static_cast<std::uint32_t>(random.pick(256));
    // Opcodes that are there, or nearly all words would be none.
    static constexpr std::uint32_t opcodes[] = {0x37, 0x17, 0x6f, 0x67, 0x63, 0x03, 0x23,
                                                0x13, 0x33, 0x73, 0x0b, 0x2b, 0x5b, 0x7b};
    if (i % 8 != 0) word = (word & ~0x7fU) | opcodes[random.pick(14)];
    const auto instruction = decode(word);
    if (!instruction) {
      EXPECT_TRUE(instruction_text(word).starts_with(".word")) << word;
      continue;
    }
    ++legal;
    ASSERT_EQ(encode(*instruction), word);
    ASSERT_EQ(word_of(instruction_text(word)), word) << instruction_text(word);
  }
  EXPECT_GT(legal, 20'000);
}

TEST(NmpInstructions, RefusesWordsThatSayMoreThanTheyMean) {
  for (const std::uint32_t word :
       {0x00000000U, 0xffffffffU, 0x00000173U /* ecall with rd */, 0x0000100fU /* fence */, 0x00100073U /* ebreak */,
        0x02208133U /* mul */, word_of("nmp_sync") | 1U << 7, word_of("nmp_wait 5, x8") | 1U << 20,
        word_of("nmp_wait 5, x8") | 16U << 7, word_of("nmp_store 4, x2, x7, 0") | 64U << 25,
        word_of("nmp_load 4, x2, x7, 0") | 1U << 25, word_of("nmp_pool 3, x9, max") | 1U << 15,
        word_of("nmp_pool 3, x9, nearest") + (1U << 25), word_of("nmp_veop 3, x8, x9, minimum") + (1U << 25),
        word_of("nmp_veop 3, x8, x9, slope-spread") + (1U << 25), word_of("nmp_activation 3, x9, table") + (1U << 25),
        0x00002063U /* branch, funct3 2 */})
    EXPECT_FALSE(decode(word)) << std::hex << word;
}

TEST(NmpInstructions, ConfigurationRoundTrips) {
  ConvolutionSettings s;
  s.in_rows = 17;
  s.in_columns = 300;
  s.out_rows = 7;
  s.out_columns = 65535;
  s.zeros_left = 3;
  s.zeros_top = 255;
  s.channels = 5;
  s.units = 9;
  s.kernel_width = 7;
  s.kernel_height = 1;
  s.stride_x = 2;
  s.stride_y = 4;
  s.dilation_x = 3;
  s.dilation_y = 6;
  s.maps_per_unit = 2;
  s.filter_pitch = 1000;
  s.first = false;
  s.last = true;
  s.bias = 96;
  s.in_address = 0x10000020;
  s.element_bytes = 1;
  s.depthwise = true;
  s.shift = 21;
  s.guard = 6;
  s.partial_sum_bytes = 4;
  s.clamp_low = -5;
  s.clamp_high = 127;
  Configuration configuration{};
  set(configuration, s);
  std::string why;
  EXPECT_EQ(convolution_settings(configuration, s.computation, why), s) << why;
  EXPECT_EQ(mac_cycles(s, 8), 5 * 18 * (7 * 65535 * 7 / 8 + 1));
}

TEST(NmpInstructions, RefusesConfigurationsThatMakeNoConvolution) {
  ConvolutionSettings s;
  s.in_rows = s.in_columns = s.out_rows = s.out_columns = s.channels = s.units = 1;
  Configuration good{};
  set(good, s);
  std::string why;
  ASSERT_TRUE(convolution_settings(good, Computation::convolution, why)) << why;
  for (const auto& [position, value] : {std::pair{registers::in_size, 0x10000U},
                                        {registers::out_size, 1U},
                                        {registers::zeros, 1U},
                                        {registers::channels_units, 1U},
                                        {registers::kernel, 0x00010101U},
                                        {registers::dilation_maps, 0x101U},
                                        {registers::first_last, 4U},
                                        {registers::format, 0x03000001U},
                                        {registers::format, 0x02010001U},
                                        {registers::format, 0x01000001U},
                                        {registers::format, 0x02003001U},
                                        {registers::format, 0x02000005U},
                                        {registers::clamp_low, 1U},
                                        {registers::in_size, 0xffffffffU},
                                        {registers::out_size, 0xffffffffU}}) {
    Configuration wrong = good;
    wrong[static_cast<std::size_t>(position)] = value;
    why.clear();
    EXPECT_FALSE(convolution_settings(wrong, Computation::convolution, why)) << "C" << position << " = " << value;
    EXPECT_FALSE(why.empty());
  }
}

/// Why these settings make no such computation, with a register changed; empty if they do.
std::string why_none(ConvolutionSettings s, int position, std::uint32_t value) {
  Configuration configuration{};
  set(configuration, s);
  configuration[static_cast<std::size_t>(position)] = value;
  std::string why;
  convolution_settings(configuration, s.computation, why);
  return why;
}

TEST(NmpInstructions, RefuseConfigurationsThatAComputationDoesntHave) {
  ConvolutionSettings s;
  s.in_rows = s.in_columns = s.out_rows = s.out_columns = s.channels = s.units = 1;
  s.depthwise = true;
  s.computation = Computation::affine;
  EXPECT_EQ(why_none(s, registers::offset, 0xffff8000U), "");
  EXPECT_NE(why_none(s, registers::offset, 0xffff7fffU), "");
  EXPECT_NE(why_none(s, registers::slope, 0x8000U), "");
  EXPECT_NE(why_none(s, registers::in_size, 0), "");
  s.computation = Computation::copy;
  EXPECT_EQ(why_none(s, registers::offset, 0xffff7fffU), "");  // nobody looks at it
  s.computation = Computation::max_pool;
  EXPECT_EQ(why_none(s, registers::in_size, 0), "");
  s.computation = Computation::nearest;
  s.out_rows = 3;
  s.out_columns = 2;
  s.stride_y = 4;
  s.stride_x = 2;
  s.zeros_top = 1;
  EXPECT_EQ(why_none(s, registers::bias, 0), "");
  EXPECT_NE(why_none(s, registers::zeros, packed_bytes(0, 0, 1, 1)), "");  // a column more than IN has
  EXPECT_NE(why_none(s, registers::zeros, packed_bytes(0, 0, 0, 4)), "");
  EXPECT_NE(why_none(s, registers::out_size, packed_halves(4, 2)), "");
  EXPECT_NE(why_none(s, registers::kernel, packed_bytes(2, 1, 2, 4)), "");
  EXPECT_NE(why_none(s, registers::dilation_maps, packed_bytes(2, 1, 0, 0) | packed_halves(0, 1)), "");
}

}  // namespace
}  // namespace convscope::nmp
