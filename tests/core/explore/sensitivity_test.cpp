#include "core/explore/sensitivity/sensitivity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/catalogue/standard.h"
#include "spaces.h"

namespace convscope::explore::test {
namespace {

using testing::HasSubstr;

const Change& find(const std::vector<Change>& changes, const arch::MachineDescription& machine, const std::string& name,
                   Move move) {
  for (const Change& change : changes)
    if (machine.parameters[change.parameter].name == name && change.move == move) return change;
  ADD_FAILURE() << name << ": no " << move_name(move);
  return changes.front();
}

TEST(Sensitivity, MovesByStepsAndToLimits) {
  const arch::ParameterValues machine(catalogue::standard()->find_target("nve")->machine());
  const auto changes = possible_changes(machine, {});
  const auto to = [&](const char* name, Move move) { return find(changes, machine.description(), name, move).to; };
  EXPECT_EQ(to("lanes", Move::step_up), "32") << "powers of two double";
  EXPECT_EQ(to("lanes", Move::highest), "64");
  EXPECT_EQ(to("lanes", Move::step_down), "8");
  EXPECT_EQ(to("weight_registers", Move::step_up), "5");
  EXPECT_EQ(to("clock", Move::step_up), "110") << "a tenth of real parameters";
  EXPECT_EQ(to("clock", Move::lowest), "10");
  EXPECT_EQ(to("memory", Move::choice), "simple-dual-port");
  // 15 pixels need a wider port; 8 is the farthest that one word of 64 bits brings.
  EXPECT_EQ(to("image_extension", Move::highest), "8");
}

TEST(Sensitivity, SaysWhatAConstraintForbids) {
  arch::ParameterValues machine(catalogue::standard()->find_target("nmp")->machine());
  Diagnostics diagnostics;
  ASSERT_TRUE(machine.set("partial_sum", "16", diagnostics));
  const auto index = machine.description().find("partial_sum").value();
  for (const Change& change : possible_changes(machine, {{index}}))
    EXPECT_EQ(change.impossible.empty(), change.to == "32") << change.to << change.impossible;
}

TEST(Sensitivity, MeasuresEachChangeByCompiling) {
  const auto target = catalogue::standard()->find_target("nmp");
  engine::Request request{
      engine::test::made_up_network(3), target, arch::ParameterValues(target->machine()), "burst", "", 0, {}};
  const auto executor = engine::make_thread_executor(2);
  const auto cache = make_sweep_cache();
  int told = 0;
  const Sensitivity result = analyze_sensitivity(request, {}, *executor, *cache, {}, [&](const Change&) { ++told; });
  EXPECT_EQ(told, static_cast<int>(result.changes.size()));
  EXPECT_EQ(result.before.coverage, 1);
  EXPECT_FALSE(result.before.total.spent_on.empty());
  for (const Change& change : result.changes) {
    if (!change.impossible.empty()) continue;
    engine::Request changed = request;
    changed.machine = changed_machine(request.machine, change);
    const auto compiled = engine::compile(changed, *executor, *cache);
    EXPECT_EQ(change.after.total.seconds, compiled.total.seconds.value);
    const double gain = 1 - compiled.total.seconds.value / result.before.total.seconds;
    if (change.after.coverage == 1) {
      EXPECT_NEAR(change.gain(result.before), gain, 1e-9);
    }
  }
  const auto& faster = find(result.changes, request.machine.description(), "bandwidth", Move::highest);
  EXPECT_GT(faster.gain(result.before), 0);
  const auto order = ranked(result);
  for (std::size_t i = 1; i < order.size(); ++i)
    EXPECT_GE(order[i - 1]->gain(result.before), order[i]->gain(result.before));
}

TEST(Sensitivity, StopsWhenAsked) {
  const auto target = catalogue::standard()->find_target("nve");
  const engine::Request request{
      engine::test::made_up_network(3), target, arch::ParameterValues(target->machine()), "fusion", "", 0, {}};
  const auto executor = engine::make_thread_executor(2);
  std::stop_source stop;
  EXPECT_THROW(analyze_sensitivity(request, {}, *executor, *make_sweep_cache(), stop.get_token(),
                                   [&](const Change&) { stop.request_stop(); }),
               Cancelled);
}

}  // namespace
}  // namespace convscope::explore::test
