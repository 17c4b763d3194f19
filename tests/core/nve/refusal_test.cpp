// A layer that isn't mapped names the smallest machine that would take it: that one does, and no smaller one.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/artifact/explanation.h"
#include "tests/core/nve/layers.h"

namespace convscope::nve::test {
namespace {

/// What the explanation names, by its words.
struct Named {
  const char* before;
  const char* after;
  int Machine::*parameter;
  bool doubles;  ///< the size before it is half of it, not one less
};
const Named parameters[] = {{"image register extension of ", " pixels", &Machine::image_extension, false},
                            {"ports of ", " bits", &Machine::port_bits, true},
                            {"instruction buffer of ", " words", &Machine::instruction_buffer_words, true},
                            {"local buffer of ", " words", &Machine::local_buffer_words, true}};

int value_in(const std::string& text, const Named& named) {
  const std::size_t at = text.find(named.before);
  return at == std::string::npos ? 0 : std::stoi(text.substr(at + std::string(named.before).size()));
}

// Follows the explanation to the machine; returns how many parameters it named.
int follow(const network::Layer& layer, const Switches& switches, const Machine& machine) {
  const auto refused = compile(layer, switches, machine);
  EXPECT_FALSE(refused->mapped());
  const auto explanation = refused->explanation();
  if (explanation->rejected.size() != 1) {
    ADD_FAILURE() << refused->reason() << ": " << explanation->rejected.size() << " machines";
    return 0;
  }
  const auto& offer = explanation->rejected.front();
  SCOPED_TRACE(refused->reason() + ": " + offer.name + ": " + offer.reason);
  Machine larger = machine;
  int count = 0;
  for (const Named& named : parameters)
    if (const int value = value_in(offer.name, named); value > 0) larger.*named.parameter = value, ++count;
  const auto compiled = compile(layer, switches, larger);
  EXPECT_TRUE(compiled->mapped()) << compiled->reason();
  if (!compiled->mapped()) return count;
  EXPECT_NE(offer.reason.find(fmt::format("{:.2f} MAC/instruction in {:.0f} cycles",
                                          figure(*compiled, "mac_per_instruction"), compiled->metrics().cycles.value)),
            std::string::npos);
  EXPECT_EQ(offer.seconds.value, compiled->metrics().seconds.value);
  for (const Named& named : parameters) {
    if (larger.*named.parameter == machine.*named.parameter) continue;
    Machine smaller = larger;
    smaller.*named.parameter = named.doubles ? smaller.*named.parameter / 2 : smaller.*named.parameter - 1;
    EXPECT_FALSE(compile(layer, switches, smaller)->mapped()) << named.before;
  }
  return count;
}

TEST(Refusal, NamesTheSmallestImageRegister) {
  for (const Switches& switches : {none, fusion, thesis_layout, optimal}) {
    EXPECT_GE(follow(make_layer(9, 3, 1, {16, 16}, {{0}}, 1), switches, {}), 1);
    network::Layer dilated = make_layer(3, 3, 1, {16, 16}, {{0}}, 1);
    dilated.dilation = {5, 1};
    dilated.in.size.height = 26;
    EXPECT_GE(follow(dilated, switches, {}), 2);  // 11 rows: wider ports, too
  }
  Machine short_register;
  short_register.image_extension = 2;
  EXPECT_EQ(follow(make_layer(5, 5, 1, {16, 16}, {{0}}, 1), optimal, short_register), 1);
}

TEST(Refusal, NamesTheSmallestBuffers) {
  Machine small;
  small.instruction_buffer_words = small.local_buffer_words = 64;
  for (const Switches& switches : {none, fusion, thesis_layout, optimal}) {
    EXPECT_GE(follow(make_layer(6, 6, 1, {16, 16}, {{0, 1, 2, 3}, {1, 2, 3, 4}}, 5), switches, small), 2);
    EXPECT_EQ(follow(make_layer(9, 9, 1, {16, 16}, {{0, 1, 2, 3, 4, 5, 6, 7}}, 8), switches, {}), 2);
  }
}

TEST(Refusal, NamesNoMachineWhereNoneWouldDo) {
  EXPECT_TRUE(compile(make_layer(40, 3, 1, {16, 16}, {{0}}, 1), optimal)->explanation()->rejected.empty());
  network::Layer pool = make_layer(2, 2, 2, {16, 16}, {{0}}, 1);
  pool.operator_name = "MaxPool";
  EXPECT_TRUE(compile(pool, optimal)->explanation()->rejected.empty());
}

// By rule, and not because the verifier finds a program of it wrong.
TEST(Refusal, NamesStridesThatNoLaneReaches) {
  for (const Switches& switches : {none, fusion, thesis_layout}) {
    EXPECT_TRUE(compile(make_layer(3, 3, 8, {16, 16}, {{0}}, 1), switches)->mapped());
    for (const int stride : {9, 16, 64})
      EXPECT_THAT(
          compile(make_layer(3, 3, stride, {16, 16}, {{0}}, 1), switches)->reason(),
          testing::HasSubstr(fmt::format("the vertical stride is {}; neighbouring lanes take pixels that lie up "
                                         "to 8 apart",
                                         stride)));
  }
  for (const int stride : {9, 16, 64})
    EXPECT_TRUE(compile(make_layer(3, 3, stride, {16, 16}, {{0}}, 1), optimal)->mapped());
}

// A program that no file can hold is none.
TEST(Refusal, NamesSizesThatProgramsDoNotHave) {
  for (const Switches& switches : {none, optimal}) {
    EXPECT_THAT(compile(make_layer(3, 3, 65, {4, 4}, {{0}}, 1), switches)->reason(),
                testing::HasSubstr("stride 65x65"));
    EXPECT_THAT(compile(make_layer(1, 1025, 1, {4, 4}, {{0}}, 1), switches)->reason(),
                testing::HasSubstr("kernels and dilations up to 1024"));
    EXPECT_THAT(compile(make_layer(1, 1, 1, {1, 1 << 21}, {{0}}, 1), switches)->reason(),
                testing::HasSubstr("maps of up to 1048576"));
  }
}

}  // namespace
}  // namespace convscope::nve::test
