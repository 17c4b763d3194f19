// The problem that NVE's passes build is complete: a scheduler that knows nothing of the machine takes the whole, and
// what it returns becomes a program that is verified and runs bit-exactly.

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "core/nve/check_program.h"
#include "core/nve/passes/bind_program.h"
#include "core/nve/passes/coefficient_packing.h"
#include "core/nve/passes/loop_problem.h"
#include "core/nve/verify/verify_program.h"
#include "core/schedule/bounds/bounds.h"
#include "core/schedule/verify/verify.h"
#include "tests/core/nve/iterative_modulo.h"
#include "tests/core/nve/layers.h"

namespace convscope::nve::test {
namespace {

Machine roomy() {
  Machine machine;
  machine.instruction_buffer_words = machine.local_buffer_words = 4096;
  return machine;
}

struct CompleteProblem {
  std::vector<std::vector<int>> packing;
  Loop loop;
};

CompleteProblem problem_of(const MapGroup& group, const Window& window, bool packed, const Machine& machine) {
  CompleteProblem result;
  std::vector<std::shared_ptr<const Body>> bodies;
  for (const auto& inputs : group.structure.maps) {
    const int connections = static_cast<int>(inputs.size());
    result.packing.push_back(word_starts(pack_coefficients(window, connections, machine, packed)));
    bodies.push_back(std::make_shared<const Body>(build_body(window, connections, result.packing.back(), machine)));
  }
  result.loop = loop_problem(bodies, group.structure, window, machine);
  return result;
}

int count(const Loop& loop, LoopOperationKind kind) {
  return static_cast<int>(std::count_if(loop.operations.begin(), loop.operations.end(),
                                        [&](const LoopOperation& operation) { return operation.kind == kind; }));
}

TEST(CompleteProblem, HasEveryOperationBeforeAnythingIsPlaced) {
  const network::Layer layer = sample("filter_3x3").layers.front();
  const auto [packing, loop] = problem_of(make_group(layer.inputs, {0}), window_of(layer), true, Machine{});
  EXPECT_TRUE(loop.cycles.empty());
  EXPECT_EQ(loop.initiation_interval, 0);
  EXPECT_EQ(count(loop, LoopOperationKind::mac), 9);
  EXPECT_EQ(count(loop, LoopOperationKind::write_pixels), 3);
  EXPECT_EQ(count(loop, LoopOperationKind::activate), 2);
  EXPECT_EQ(loop.problem.operations.size(), loop.operations.size());
  EXPECT_EQ(schedule::resource_bound(loop.problem), 10);  // ten vector operations
  EXPECT_LE(schedule::recurrence_bound(loop.problem), 10);
}

// A generic schedule of the whole, at its own interval, through allocation, encoding, verifier and simulator.
void expect_program_from_any_schedule(const network::Layer& layer, const std::vector<int>& maps, bool packed,
                                      const Machine& machine) {
  const MapGroup group = make_group(layer.inputs, maps);
  const Window window = window_of(layer);
  CompleteProblem complete = problem_of(group, window, packed, machine);
  schedule::Budget budget(20'000'000);
  const schedule::Result result = iterative_modulo(complete.loop.problem, 8, budget);
  ASSERT_TRUE(result) << result.failure().message;
  const auto violations = schedule::verify(complete.loop.problem, result.schedule());
  ASSERT_TRUE(violations.empty()) << violations.front().text;
  const StructureProgram program =
      make_program(complete.loop, result.schedule(), group.structure, window, complete.packing, false, machine);
  ASSERT_EQ(program.reason, "");
  const Program bound = bind_program(program, group, frame_of(layer), layer.name, machine);
  Diagnostics diagnostics;
  EXPECT_TRUE(verify_program(bound, diagnostics)) << diagnostics.text();
  const auto checked = check_programs({bound}, layer, {"seed:7", 3, 1}, {}, diagnostics);
  EXPECT_TRUE(checked.ran && checked.matches) << diagnostics.text();
}

TEST(CompleteProblem, AnotherSchedulerTakesTheSampleLayers) {
  for (const char* network : {"filter_3x3", "face_detection", "speed_sign"})
    for (const network::Layer& layer : sample(network).layers)
      for (const bool packed : {false, true}) {
        SCOPED_TRACE(testing::Message() << network << " " << layer.name << (packed ? " packed" : ""));
        expect_program_from_any_schedule(layer, {0}, packed, roomy());
      }
}

TEST(CompleteProblem, AnotherSchedulerTakesFusedMaps) {
  const network::Layer layer = sample("face_detection").layers[1];
  expect_program_from_any_schedule(layer, {0, 1}, true, roomy());
  expect_program_from_any_schedule(sample("speed_sign").layers[0], {0, 1, 2}, true, roomy());
}

TEST(CompleteProblem, AnotherSchedulerTakesOtherMachines) {
  std::mt19937_64 random(12);
  const auto pick = [&](std::initializer_list<int> values) { return *(values.begin() + random() % values.size()); };
  for (int i = 0; i < 48; ++i) {
    Machine machine = roomy();
    machine.memory = static_cast<MemoryKind>(i % 3);
    machine.port_bits = pick({64, 128});
    machine.weight_registers = pick({2, 4});
    machine.write_to_read = pick({1, 2, 5});
    machine.read_to_set = pick({1, 2, 3});
    machine.set_to_use = pick({1, 2});
    machine.output_latency = pick({1, 3, 6});
    const int stride = pick({1, 2, 3});
    const network::Layer layer =
        make_layer(pick({1, 3, 4}), pick({1, 2, 5}), stride, {33, 19}, {{0, 1}, {1, 2}, {0}}, 3);
    SCOPED_TRACE(testing::Message() << i << ": kernel " << layer.kernel.height << "x" << layer.kernel.width
                                    << ", stride " << stride << ", memory " << i % 3);
    expect_program_from_any_schedule(layer, i % 2 == 0 ? std::vector<int>{0, 1, 2} : std::vector<int>{2}, true,
                                     machine);
  }
}

}  // namespace
}  // namespace convscope::nve::test
