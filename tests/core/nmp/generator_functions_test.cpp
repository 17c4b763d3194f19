// What the generator of programs decides before it writes code: number formats, pieces of ranges, biases, memories.

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include <gtest/gtest.h>

#include "core/nmp/architecture/program.h"
#include "core/nmp/generate/layer_plan.h"
#include "core/nmp/generate/seeded_biases.h"

namespace convscope::nmp {
namespace {

Convolution sized(int channels, int kernel) {
  Convolution c;
  c.channels = channels;
  c.rows.kernel = c.columns.kernel = kernel;
  c.units = 6;
  return c;
}

TEST(NmpGenerator, GuardBitsAreThoseThatPartialSumsHaveRoomFor) {
  EXPECT_EQ(guard_bits(15, 2, 2), 0) << "no wider than an element";
  EXPECT_EQ(guard_bits(15, 2, 4), 14) << "two bits are left for larger sums";
  EXPECT_EQ(guard_bits(9, 2, 4), 9) << "never more than there are fraction bits";
  EXPECT_EQ(guard_bits(7, 1, 2), 6);
  EXPECT_EQ(guard_bits(0, 1, 4), 0);
}

TEST(NmpGenerator, SumsOfMoreProductsAreShiftedFurther) {
  Machine machine;
  machine.element_bytes = 2;
  machine.partial_sum_bytes = 4;
  const NumberFormat one = random_format(sized(1, 1), machine);
  EXPECT_EQ(one, (NumberFormat{15, 14}));
  // The spread grows with the root of the number of products: four times as many, one bit.
  EXPECT_EQ(random_format(sized(4, 1), machine).shift, one.shift + 1);
  EXPECT_EQ(random_format(sized(16, 1), machine).shift, one.shift + 2);
  EXPECT_EQ(random_format(sized(1, 4), machine).shift, one.shift + 2);
  machine.element_bytes = 1;
  EXPECT_EQ(random_format(sized(1, 1), machine).shift, 7);
}

TEST(NmpGenerator, PiecesOfARangeCoverItOnce) {
  const Range whole{3, 10};
  int next = whole.begin;
  for (int index = 0; index < 4; ++index) {
    const Range piece = piece_of(whole, 4, index);
    EXPECT_EQ(piece.size, index == 2 ? 2 : index < 2 ? 4 : 0) << index;
    if (piece.size == 0) continue;
    EXPECT_EQ(piece.begin, next);
    next = piece.end();
  }
  EXPECT_EQ(next, whole.end());
  EXPECT_EQ(piece_of(whole, 4, std::int64_t{1} << 40).size, 0);
}

TEST(NmpGenerator, BiasesAreAlwaysTheSameAndStayInHalfTheRange) {
  const Convolution convolution = sized(8, 3);
  const NumberFormat format{18, 14};
  const auto biases = seeded_biases(convolution, format, 2);
  EXPECT_EQ(biases.size(), 6u);
  EXPECT_EQ(biases, seeded_biases(convolution, format, 2));
  for (const std::int32_t bias : biases) EXPECT_LE(std::abs(std::int64_t{bias}), std::int64_t{1} << 30);
  EXPECT_GT(*std::max_element(biases.begin(), biases.end()), *std::min_element(biases.begin(), biases.end()));
  // Half of the largest result of 8 bits, 127, with no fraction bits.
  for (const std::int32_t bias : seeded_biases(convolution, {0, 0}, 1)) EXPECT_LE(std::abs(bias), 64);
}

TEST(NmpGenerator, MemoriesOfTwoTilesAreWholeInPrograms) {
  Machine machine;
  machine.input_bytes = 100;
  machine.weight_bytes = 200;
  machine.output_bytes = 300;
  machine.doubled.weights = true;
  const Machine whole = whole_machine(machine);
  EXPECT_EQ(memory_bytes(whole, Memory::input), 100);
  EXPECT_EQ(memory_bytes(whole, Memory::weights), 400);
  EXPECT_EQ(memory_bytes(whole, Memory::output), 300);
  EXPECT_EQ(memory_bytes(whole, Memory::data), data_ram_bytes);
  EXPECT_EQ(whole_machine(whole), whole) << "once";
  machine.double_buffering = true;
  EXPECT_EQ(memory_bytes(whole_machine(machine), Memory::input), 200);
}

}  // namespace
}  // namespace convscope::nmp
