// The pieces that looped programs are made of: head and pass, their problem, cost, division of maps, and scales.

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "core/nve/architecture/instruction.h"
#include "core/nve/passes/issue_operation.h"
#include "core/nve/passes/looped_problem.h"
#include "core/nve/passes/plan_looped.h"
#include "core/schedule/verify/verify.h"
#include "tests/core/nve/wide_machine.h"

namespace convscope::nve::test {
namespace {

using Kind = LoopOperationKind;

/// A pointwise layer's program of 16 maps, and a 3x3 layer's with a pass of one unit.
struct Shaped {
  LoopedShape shape;
  Window window;
};

std::vector<Shaped> shapes(const SchedulingMachine& machine) {
  std::vector<Shaped> found;
  for (const Window& window : {Window{1, 1, 1, 1}, Window{3, 3, 1, 1}, Window{3, 3, 2, 2}})
    for (int lead = 1; lead < 4 * machine.coefficients_per_set(); ++lead) {
      const LoopedShape shape{8, 16, window.kernel_height == 1 ? 4 : 1, lead};
      if (!place_looped(shape, window, machine) || !LoopedLayout(shape, window, machine).fits()) continue;
      found.push_back({shape, window});
      break;
    }
  return found;
}

std::int64_t vector_operations(const LoopedStretch& stretch) {
  return std::count_if(stretch.operations.begin(), stretch.operations.end(),
                       [](const LoopOperation& o) { return o.kind == Kind::mac || o.kind == Kind::set_bias; });
}

TEST(LoopResources, AreTheIssueFieldsAndThePortsOutput) {
  const auto resources = loop_resources();
  ASSERT_EQ(resources.size(), static_cast<std::size_t>(field_count) + 1);
  std::set<std::string> names;
  for (const schedule::Resource& each : resources) {
    EXPECT_EQ(each.capacity, 1) << each.name;
    names.insert(each.name);
  }
  EXPECT_EQ(names.size(), resources.size());
  const std::vector<int> fields = interval_fields();
  EXPECT_EQ(fields.size(), static_cast<std::size_t>(field_count) - 1);
  EXPECT_EQ(std::count(fields.begin(), fields.end(), static_cast<int>(Field::act)), 0);
  EXPECT_EQ(std::count(fields.begin(), fields.end(), port_a_output), 0);
}

TEST(CoefficientOrder, GoesDownColumnsAndPhaseByPhaseWhereTheyAreApart) {
  EXPECT_EQ(coefficient_order({2, 2, 1, 1}, 1), (std::vector<int>{0, 1, 2, 3, 4}));
  Window apart{3, 1, 2, 1};
  apart.polyphase = true;
  EXPECT_EQ(coefficient_order(apart, 2), (std::vector<int>{0, 1, 3, 2, 4, 6, 5}));
  auto sorted = coefficient_order({5, 3, 2, 2, true}, 4);
  std::sort(sorted.begin(), sorted.end());
  for (int i = 0; i < 1 + 4 * 15; ++i) EXPECT_EQ(sorted[static_cast<std::size_t>(i)], i);
}

TEST(IssueOnRegisters, SaysWhatEachKindDoesAndLeavesMemoryToOthers) {
  const auto issued = [](Kind kind) {
    LoopOperation operation;
    operation.kind = kind;
    operation.group = 5;
    Instruction instruction;
    EXPECT_TRUE(issue_on_registers(operation, instruction));
    return instruction;
  };
  EXPECT_EQ(issued(Kind::set_weights).weight, WeightOperation::set);
  EXPECT_EQ(issued(Kind::shift_weights).weight, WeightOperation::shift);
  EXPECT_EQ(issued(Kind::set_image).image, ImageOperation::set);
  EXPECT_EQ(issued(Kind::set_image).image_group, 5);
  EXPECT_EQ(issued(Kind::set_shift_image).image, ImageOperation::set_shift);
  EXPECT_EQ(issued(Kind::shift_image).image, ImageOperation::shift);
  EXPECT_EQ(issued(Kind::set_bias).vector, VectorOperation::set_bias);
  EXPECT_EQ(issued(Kind::mac).vector, VectorOperation::mac);
  for (const Kind kind : {Kind::read_coefficients, Kind::read_pixels, Kind::write_pixels, Kind::activate}) {
    LoopOperation operation;
    operation.kind = kind;
    Instruction instruction;
    EXPECT_FALSE(issue_on_registers(operation, instruction));
    EXPECT_EQ(instruction, Instruction{});
  }
}

// A sum of 16 maps takes an operation for each of their weights, and the head two more for each bias.
TEST(PlaceLooped, MultipliesEachWeightOfAPassOnce) {
  const Machine machine = wide_machine();
  const auto tested = shapes(machine);
  ASSERT_EQ(tested.size(), 3U);
  for (const auto& [shape, window] : tested) {
    const auto body = place_looped(shape, window, machine);
    ASSERT_TRUE(body);
    const std::int64_t products = std::int64_t{shape.maps} * shape.units * window.kernel_height;
    EXPECT_EQ(vector_operations(body->pass), products);
    EXPECT_EQ(vector_operations(body->head), products + shape.maps);
    EXPECT_GE(body->pass.length, products);
    EXPECT_LE(body->ahead, body->pass.length);
  }
  EXPECT_FALSE(place_looped({8, 16, 4, 0}, {1, 1, 1, 1}, machine)) << "nothing is read ahead of the first product";
}

TEST(LoopedProblem, IsMetByTheBodyAndByNoneThatIsShorter) {
  const Machine machine = wide_machine();
  for (const auto& [shape, window] : shapes(machine)) {
    const auto body = place_looped(shape, window, machine);
    for (const bool with_pass : {true, false}) {
      const LoopedProblem made = looped_problem(*body, with_pass, machine);
      const auto operations = body->head.operations.size() + (with_pass ? body->pass.operations.size() : 0);
      EXPECT_EQ(made.loop.operations.size(), operations);
      EXPECT_EQ(std::set<int>(made.number.begin(), made.number.end()).size(), operations) << "each has one number";
      schedule::Schedule schedule{made.loop.cycles, made.loop.initiation_interval};
      EXPECT_TRUE(schedule::verify(made.loop.problem, schedule).empty());
      schedule.initiation_interval = vector_operations(body->head) - 1;
      if (with_pass) schedule.initiation_interval += vector_operations(body->pass);
      EXPECT_FALSE(schedule::verify(made.loop.problem, schedule).empty()) << "the multiplier is full";
    }
  }
}

// Against the words of the program, and its parts as often as they run.
TEST(LoopedCost, IsThatOfTheProgram) {
  const Machine machine = wide_machine();
  for (const auto& [shape, window] : shapes(machine)) {
    const auto body = place_looped(shape, window, machine);
    const StructureProgram made = make_looped(shape, window, 8, 0, machine);
    const Program& program = made.emitted.program;
    constexpr int columns = 7;
    const LoopedCost cost = looped_cost(shape, *body, window, columns, machine);
    EXPECT_EQ(cost.instructions, made.instructions());
    const std::int64_t iteration = program.head_size() + std::int64_t{program.passes} * program.pass_size;
    EXPECT_EQ(cost.cycles, program.initial_size + program.final_size + columns * iteration);
    const auto brought = static_cast<std::int64_t>(program.repeat.stream.size()) +
                         static_cast<std::int64_t>(program.passes * program.pass.stream.size());
    EXPECT_EQ(cost.words, static_cast<std::int64_t>(program.initial.stream.size()) + columns * brought);
  }
}

// Counted in the words of the head and the pass, as decoded.
TEST(UsesOfIteration, AreThoseOfItsInstructions) {
  const Machine machine = wide_machine();
  for (const auto& [shape, window] : shapes(machine)) {
    const StructureProgram made = make_looped(shape, window, 8, 0, machine);
    ASSERT_GT(made.passes, 1);
    const Program& program = made.emitted.program;
    const std::vector<std::int64_t> uses = uses_of_iteration(made);
    std::int64_t products = 0, memory = 0;
    for (int i = 0; i < program.repeat_size; ++i) {
      const int address = program.initial_size + i;
      const EncodedWord& word = program.words[static_cast<std::size_t>(address)];
      const Instruction each = decode(word, machine).value_or(Instruction{});
      const int times = i < program.head_size() ? 1 : program.passes;
      products += each.vector == VectorOperation::none ? 0 : times;
      memory += each.mema.kind == MemoryKindOfAccess::none ? 0 : times;
    }
    EXPECT_EQ(uses[static_cast<std::size_t>(Field::vmac)], products);
    EXPECT_EQ(uses[static_cast<std::size_t>(Field::mema)], memory);
  }
}

class Division : public testing::Test {
 protected:
  std::vector<LoopedGroup> divided(int inputs, int maps, const SchedulingMachine& machine, int cores = 1) {
    return divide_looped({cache_, stop_}, inputs, maps, 1, {{3, 3, 1, 1}}, {}, cores, machine);
  }
  target::NoCache cache_;
  std::stop_token stop_;
};

TEST_F(Division, GivesEachMapToOneGroupThatTheAccumulatorsHold) {
  for (const int accumulators : {4, 16})
    for (const int maps : {1, 15, 16, 17, 40}) {
      const auto groups = divided(12, maps, wide_machine(accumulators));
      int sum = 0;
      for (const LoopedGroup& group : groups) {
        EXPECT_LE(group.shape.maps, accumulators);
        EXPECT_EQ(group.shape.inputs, 12);
        sum += group.shape.maps;
      }
      EXPECT_EQ(sum, maps);
      const auto fewest = static_cast<std::size_t>((maps + accumulators - 1) / accumulators);
      EXPECT_GE(groups.size(), fewest);
      EXPECT_LE(groups.size(), fewest + 1) << "more than one beyond the fewest is never tried";
    }
}

TEST_F(Division, HasNoGroupWhereNoneFits) {
  Machine small = wide_machine();
  small.instruction_buffer_words = 8;
  EXPECT_TRUE(divided(12, 16, small).empty());
}

TEST_F(Division, ProgramsAreThoseOfTheirScale) {
  const Machine machine = wide_machine();
  const auto groups = divided(12, 16, machine);
  ASSERT_EQ(groups.size(), 1U);
  const SumScale scale = scale_sums(12 * 9, machine);
  const auto program = looped_program({cache_, stop_}, groups[0].shape, groups[0].window, 12 * 9, machine);
  const StructureProgram made =
      make_looped(groups[0].shape, groups[0].window, scale.activation_shift, scale.bias_shift, machine);
  EXPECT_EQ(program->emitted.program.words, made.emitted.program.words);
  EXPECT_EQ(program->emitted.program.activation_shift, scale.activation_shift);
  EXPECT_EQ(program->emitted.program.bias_shift, scale.bias_shift);
}

// Sums grow with the root of their products: four times as many, one bit more.
TEST(ScaleSums, GivesABitToFourTimesTheProducts) {
  Machine machine = wide_machine();
  machine.bias_shift = 7;
  EXPECT_EQ(scale_sums(9, machine).activation_shift, 8);
  for (int bits = 1; bits <= 7; ++bits) {
    EXPECT_EQ(scale_sums(9 << 2 * bits, machine).activation_shift, 8 + bits);
    EXPECT_EQ(scale_sums((9 << 2 * bits) + 1, machine).bias_shift, std::min(bits + 1, 7));
  }
  machine.bias_shift = 0;
  EXPECT_EQ(scale_sums(100'000, machine).activation_shift, 8) << "the machine shifts no bias";
}

// The largest sum of pixels times such a weight and a bias fits 32 bits, and one of the next weight doesn't.
TEST(LargestWeight, IsTheLastWithWhichNoSumOverflows) {
  for (const std::int64_t products : {9, 576, 4608, 40'000})
    for (const int shift : {0, 5}) {
      const std::int64_t most = largest_weight(products, {8 + shift, shift});
      const auto sum = [&](std::int64_t weight) { return products * 255 * weight + (std::int64_t{32768} << shift); };
      EXPECT_LE(sum(most), INT32_MAX);
      EXPECT_GT(sum(most + 1), INT32_MAX);
    }
  EXPECT_EQ(largest_weight(std::int64_t{1} << 40, {}), 0);
}

}  // namespace
}  // namespace convscope::nve::test
