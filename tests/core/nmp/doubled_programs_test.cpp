// Programs that load a step's tiles while the MACs of the step before work: bits as the reference, accepted by the
// verifier.

#include <cstdlib>
#include <map>

#include <gtest/gtest.h>

#include "core/nmp/artifacts/plan.h"
#include "core/nmp/generate/generate.h"
#include "core/nmp/host/run.h"
#include "core/nmp/search/search.h"
#include "core/nmp/search/solution.h"
#include "core/nmp/verify/verify_program.h"
#include "generated_tilings.h"
#include "networks.h"
#include "tests/core/target/counting_cache.h"

namespace convscope::nmp {
namespace {

bool all_of_them() {
  return std::getenv("CONVSCOPE_FULL") != nullptr;
}

/// Memories by bits: 1 MB0, 2 MB1, 4 MB2; 8: by double_buffering=on.
Machine doubled_by_set(const Machine& machine, int set) {
  Machine m = with_doubled(machine, {(set & 1) != 0, (set & 2) != 0, (set & 4) != 0});
  if (set == 8) {
    m = with_doubled(machine, {true, true, true});
    m.doubled = {};
    m.double_buffering = true;
  }
  return m;
}

struct DoubledLayer {
  Problem problem;
  Tiling tiling;
  Program program;
  std::string text;
};

std::optional<DoubledLayer> random_doubled_layer(RandomProblems& random, bool free_running) {
  Problem problem = random.pick(5) == 0 ? random.next_operator(Borders::exact) : random.next(Borders::exact);
  problem.machine = plain(problem.machine);
  problem.machine.free_running = free_running;
  if (random.pick(3) == 0) problem.machine.clock_hz = 1e7;  // so that MACs take long
  if (random.pick(4) == 0) {
    problem.machine.tles = 1 + random.pick(9);
    problem.machine.tlts = 1 + random.pick(8);
  }
  const int set = 1 + random.pick(8);
  problem.machine = doubled_by_set(problem.machine, set);
  const CostModel model(problem.convolution, problem.machine);
  const auto tiling = random_tiling(model, random);
  if (!tiling) return std::nullopt;
  const Computing computing = usual_computing(problem.convolution);
  if (!why_no_program(problem.convolution, computing, problem.machine, *tiling).empty()) return std::nullopt;
  GeneratedProgram made =
      generate_for_seeded_data("L", problem.convolution, computing, problem.machine, CostLevel::burst, *tiling);
  EXPECT_TRUE(made.program) << made.reason;
  if (!made.program) return std::nullopt;
  const Convolution& c = problem.convolution;
  return DoubledLayer{problem, *tiling, *std::move(made.program),
                      "set " + std::to_string(set) + ", " + std::string(name_of(tiling->schedule)) +
                          (c.depthwise ? " depthwise" : "") + ", " + tiling_text(*tiling)};
}

std::string refusals_of_doubled(const Program& program) {
  Diagnostics diagnostics;
  const bool ok = verify_program(program, diagnostics).ok;
  return ok && !diagnostics.has_errors() ? std::string() : "verifier: " + diagnostics.text();
}

/// Seconds by step of a program that does everything in turn: its MACs, its loads to each memory, its stores.
class StepTimes : public Observer {
 public:
  struct Step {
    double macs = 0, input = 0, weights = 0, sums = 0, store = 0;
  };
  std::vector<Step> steps{1};  ///< the last one is to come

  void convolved(const ConvolutionRun& run) override {
    if (run.begin > began_) steps.emplace_back(), began_ = run.begin;
    double& macs = steps[steps.size() - 2].macs;
    macs = std::max(macs, run.end - run.begin);
  }
  void transferred(const TransferRun& run) override {
    Step& next = steps.back();
    const double seconds = run.end - run.begin;
    if (run.store)
      steps[steps.size() - 2].store += seconds;
    else
      (run.local.memory == Memory::input     ? next.input
       : run.local.memory == Memory::weights ? next.weights
                                             : next.sums) += seconds;
  }

 private:
  double began_ = -1;
};

/// What a program takes that loads for the next step, and stores what the one before has made, while MACs work:
/// everything else in turn.
double overlapped_seconds(const std::vector<StepTimes::Step>& steps, const Doubled& doubled) {
  const auto ahead = [&](const StepTimes::Step& s) {
    return (doubled.input ? s.input : 0) + (doubled.weights ? s.weights : 0) + (doubled.output ? s.sums : 0);
  };
  double seconds = ahead(steps[0]), store = 0;
  for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
    const StepTimes::Step& s = steps[i];
    seconds += s.input + s.weights + s.sums - ahead(s) + std::max(s.macs, ahead(steps[i + 1]) + store);
    if (!doubled.output) seconds += s.store;
    store = doubled.output ? s.store : 0;
  }
  return seconds + store;
}

/// The same tiling in the same halves, where nothing overlaps.
std::vector<StepTimes::Step> steps_in_turn(const Convolution& c, Machine machine, const Tiling& tiling) {
  machine.doubled = {};
  machine.double_buffering = false;
  const GeneratedProgram made = generate_for_seeded_data("L", c, usual_computing(c), machine, CostLevel::burst, tiling);
  StepTimes times;
  EXPECT_TRUE(made.program) << made.reason;
  if (made.program) simulate(*made.program, {.free_instructions = true}, &times);
  return times.steps;
}

TEST(DoubledPrograms, TakeTheTimeOfStepsThatOverlap) {
  RandomProblems random(119);
  const int wanted = all_of_them() ? 3000 : 300;
  int compared = 0;
  for (int i = 0; i < wanted; ++i) {
    const auto made = random_doubled_layer(random, false);
    if (!made) continue;
    const Convolution& c = made->problem.convolution;
    Doubled doubled = made->problem.machine.held_twice();
    const LayerPlan plan(c, made->problem.machine, made->tiling, {});
    if (plan.parts() > 1 && plan.row_trips() * plan.column_trips() == 1) doubled.output = false;
    const double seconds = simulate(made->program, {.free_instructions = true}).seconds;
    const double expected = overlapped_seconds(steps_in_turn(c, made->problem.machine, made->tiling), doubled);
    ASSERT_NEAR(seconds, expected, 1e-9 * expected) << i << ", " << made->text;
    ++compared;
  }
  EXPECT_GT(compared, wanted / 2);
}

TEST(DoubledPrograms, ComputeTheReference) {
  RandomProblems random(118);
  const int wanted = all_of_them() ? 3000 : 400;
  std::map<std::string, int> seen;
  for (int i = 0; i < wanted; ++i) {
    const bool free_running = i % 2 == 1;
    const auto made = random_doubled_layer(random, free_running);
    if (!made) continue;
    const ComparedRun run =
        run_and_compare(made->program, 1 + static_cast<std::uint64_t>(i),
                        {.jitter = free_running && i % 3 > 0 ? 1.5 : 0, .seed = static_cast<std::uint64_t>(i)});
    ASSERT_TRUE(run.equal()) << i << ", " << made->text << ": " << run.text();
    ASSERT_EQ(run.result.traffic, made->program.traffic) << i;
    ASSERT_EQ(refusals_of_doubled(made->program), "") << i << ", " << made->text;
    ++seen[std::string(name_of(made->tiling.partition)) + " " + std::string(name_of(made->tiling.schedule)) +
           (made->program.layers[0].partial_sums.region >= 0 ? " split filters" : "")];
  }
  EXPECT_GE(seen.size(), 11U);
}

double seconds_of_run(const Convolution& c, const Machine& machine, const Tiling& tiling) {
  const GeneratedProgram made = generate_for_seeded_data("L", c, usual_computing(c), machine, CostLevel::burst, tiling);
  EXPECT_TRUE(made.program) << made.reason;
  return made.program ? simulate(*made.program).seconds : 0;
}

/// Of all layers, in seconds.
struct DoubledTimes {
  double estimate = 0, lockstep = 0;
  double free = 0, free_doubled = 0;  ///< with no memory doubled, and with MB0
};

DoubledTimes doubled_times(const PaperNetwork& network) {
  Machine machine = board();
  machine.borders = Borders::exact;
  DoubledTimes t;
  target::CountingCache cache;
  std::string reason;
  for (const network::Layer& layer : network.layers) {
    const auto c = convolution_of(layer, reason);
    machine.choose_doubled = true;
    const auto chosen = solve(*c, machine, {}, cache, {});
    machine.choose_doubled = false;
    const double estimate = chosen->seconds.total();
    const double lockstep = seconds_of_run(*c, with_doubled(machine, chosen->doubled), chosen->tiling);
    // The estimate lets all transfers of doubled memories overlap with all MACs, a program those of a step with its
    // neighbours': where results leave in one step of several it waits.
    EXPECT_LT(lockstep, 1.4 * estimate) << layer.name;
    EXPECT_GT(lockstep, .95 * estimate) << layer.name;
    t.estimate += estimate;
    t.lockstep += lockstep;
    const auto free_running = [&](Machine m) {
      const auto best = best_tiling(CostModel(*c, m), {}, {});
      m.free_running = true;
      return seconds_of_run(*c, m, best->tiling);
    };
    t.free += free_running(machine);
    t.free_doubled += free_running(with_doubled(machine, {true, false, false}));
  }
  return t;
}

// docs/nmp.md states them; free running as in the design's table: 7,498 and 6,606 us of SqueezeNet, 1,235 and 1,240 of
// a LeNet with its fully connected layers.
TEST(DoubledPrograms, TakeAboutTheTimeOfTheEstimate) {
  const std::map<std::string, double> most{{"LeNet", 1.01}, {"SqueezeNet", 1.1}};
  for (const PaperNetwork& network : paper_networks()) {
    const auto bound = most.find(network.name);
    if (!all_of_them() && bound == most.end()) continue;
    const DoubledTimes t = doubled_times(network);
    EXPECT_LT(t.lockstep, (bound == most.end() ? 1.15 : bound->second) * t.estimate) << network.name;
    EXPECT_LT(t.free_doubled, 1.01 * t.free) << network.name;
    EXPECT_LT(t.free, t.lockstep) << network.name;
    for (const auto& [key, seconds] : {std::pair("estimate", t.estimate), std::pair("lockstep", t.lockstep),
                                       std::pair("free", t.free), std::pair("free_doubled", t.free_doubled)})
      RecordProperty(network.name.substr(0, 3) + key, std::to_string(1e6 * seconds));
  }
}

}  // namespace
}  // namespace convscope::nmp
