// Activations in fixed point: exactly the numbers that the documentation's rules give, and how far these are from the
// function itself.

#include "core/nmp/operators/functions.h"

#include <cmath>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/nmp/host/reference_output.h"

namespace convscope::nmp {
namespace {

using testing::HasSubstr;

network::Node node(const std::string& name) {
  network::Node node;
  node.operator_name = name;
  return node;
}

/// What the reference makes of every number of a width.
std::vector<std::int32_t> results(const Computing& computing, int element_bytes) {
  const int least = -(1 << (8 * element_bytes - 1)), count = 1 << (8 * element_bytes);
  ProgramLayer layer;
  layer.computation = computing.computation;
  layer.depthwise = true;
  layer.element_bytes = element_bytes;
  layer.slope = computing.slope;
  layer.offset = computing.offset;
  layer.table = computing.table;
  layer.shift = std::max(0, computing.shift);
  if (computing.rectifies) layer.clamp_high = -least - 1;
  const std::int64_t pitch = std::int64_t{count} * element_bytes;
  layer.in = {0, 0, 1, 1, count, pitch, pitch};
  layer.out = {0, 0, 1, 1, count, pitch, pitch};
  std::vector<std::uint8_t> dram(static_cast<std::size_t>(pitch));
  for (int i = 0; i < count; ++i) write_element(dram, std::int64_t{i} * element_bytes, element_bytes, least + i);
  return reference_output(layer, dram);
}

/// The largest amount that a function is off, where results are in range.
double largest_error(const std::string& name, int element_bytes) {
  const network::Node made = node(name);
  const auto computing = computing_of_function(made, element_bytes);
  const auto real = real_function(made, element_bytes);
  if (!computing || !real) return -1;
  const double in = std::ldexp(1.0, map_fraction(element_bytes)), out = std::ldexp(1.0, real->fraction_out);
  const int least = -(1 << (8 * element_bytes - 1));
  const double most = -least - 1;
  double largest = 0;
  const std::vector<std::int32_t> found = results(*computing, element_bytes);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double wanted = real->value((least + static_cast<double>(i)) / in);
    if (!std::isfinite(wanted)) continue;
    largest = std::max(largest, std::abs(found[i] / out - std::clamp(wanted, least / out, most / out)));
  }
  return largest;
}

// docs/nmp-program.md, "Functions", states these.
TEST(NmpFunctions, AreAsFarFromTheRealOnesAsDocumented) {
  const std::map<std::string, std::pair<double, double>> stated{{"Sigmoid", {0.00021, 0.0069}},
                                                                {"Tanh", {0.0016, 0.0076}},
                                                                {"Softsign", {0.0033, 0.0067}},
                                                                {"HardSigmoid", {2e-5, 0.0032}},
                                                                {"HardSwish", {0.00019, 0.032}},
                                                                {"Elu", {0.0020, 0.060}},
                                                                {"Selu", {0.011, 0.051}},
                                                                {"Swish", {0.0012, 0.047}},
                                                                {"Mish", {0.0015, 0.039}},
                                                                {"Gelu", {0.0017, 0.037}},
                                                                {"Softplus", {0.00065, 0.050}},
                                                                {"Abs", {0.00025, 0}},
                                                                {"Neg", {0, 0}}};
  for (const auto& [name, bounds] : stated)
    for (const int bytes : {2, 1}) {
      const double error = largest_error(name, bytes), bound = bytes == 2 ? bounds.first : bounds.second;
      EXPECT_LE(error, bound) << name << ' ' << bytes;
      EXPECT_GE(error, 0.5 * bound) << name << ' ' << bytes;
    }
}

TEST(NmpFunctions, KeepWhatFunctionsKeep) {
  for (const int bytes : {1, 2}) {
    const auto zero = static_cast<std::size_t>(1) << (8 * bytes - 1);
    for (const char* odd : {"Tanh", "Softsign", "HardSwish", "Swish", "Elu", "Abs"})
      EXPECT_EQ(results(*computing_of_function(node(odd), bytes), bytes)[zero], 0) << odd;
    EXPECT_EQ(results(*computing_of_function(node("Sigmoid"), bytes), bytes)[zero], 1 << (8 * bytes - 2));
    for (const char* rising : {"Sigmoid", "Tanh", "HardSigmoid", "Softplus", "Exp"}) {
      const auto values = results(*computing_of_function(node(rising), bytes), bytes);
      EXPECT_TRUE(std::is_sorted(values.begin(), values.end())) << rising;
    }
  }
}

TEST(NmpFunctions, TakeAttributes) {
  network::Node hard = node("HardSigmoid");
  hard.attributes.set("alpha", 0.5);
  hard.attributes.set("beta", 0.25);
  const auto steeper = results(*computing_of_function(hard, 2), 2);
  EXPECT_EQ(steeper[1 << 15], 1 << 13);
  EXPECT_EQ(steeper[(1 << 15) + (1 << 12)], 3 << 13);  // 1 gives 0.75
  network::Node elu = node("Elu");
  elu.attributes.set("alpha", 2.0);
  EXPECT_NEAR(results(*computing_of_function(elu, 2), 2).front(), -2 * 4096 * (1 - std::exp(-8)), 1);
}

TEST(NmpFunctions, AreOnlyThoseOfOneOperandAndKnown) {
  for (const char* other : {"Add", "Softmax", "LRN", "Relu", "PRelu", "Erosion"}) {
    EXPECT_FALSE(computing_of_function(node(other), 2)) << other;
    EXPECT_FALSE(real_function(node(other), 2)) << other;
  }
}

TEST(NmpFunctions, HaveFactorsAsExactAsWordsAre) {
  for (const double factor : {1.0, -1.0, 1.0 / 6, 0.003, -7.9, 300.0, 32767.0}) {
    const Computing computing = affine(factor, 0, 12, 12);
    EXPECT_TRUE(computing.missing.empty()) << factor;
    EXPECT_NEAR(computing.slope / std::ldexp(1.0, computing.shift), factor, std::abs(factor) / 16000) << factor;
  }
  EXPECT_EQ(affine(1, 3, 12, 12).offset, 3 << 12);
  EXPECT_EQ(affine(1, 100, 12, 12).offset, 32767);  // as far as words reach
  EXPECT_THAT(affine(40000, 0, 12, 12).missing, HasSubstr("factor"));
  EXPECT_THAT(affine(std::nan(""), 0, 12, 12).missing, HasSubstr("factor"));
  EXPECT_EQ(affine(0, 1, 12, 12).slope, 0);
}

}  // namespace
}  // namespace convscope::nmp
