// Programs of pools, pairs, activations and percepts: bits as the reference, time as the cost model, accepted by the
// verifier; and what the machine refuses of them.

#include <cstdlib>
#include <map>

#include <gtest/gtest.h>

#include "core/nmp/generate/generate.h"
#include "core/nmp/host/reference_elements.h"
#include "core/nmp/host/reference_output.h"
#include "core/nmp/host/run.h"
#include "core/nmp/verify/verify_program.h"
#include "generated_tilings.h"

namespace convscope::nmp {
namespace {

Computing some_computing(RandomProblems& random, const Convolution& c) {
  const auto one_of = [&](Computation first, Computation last) {
    const int choices = static_cast<int>(last) - static_cast<int>(first) + 1;
    return static_cast<Computation>(static_cast<int>(first) + random.pick(choices));
  };
  Computing computing = usual_computing(c);
  if (c.operation == Operator::pairs) computing.computation = one_of(Computation::add, Computation::minimum);
  if (c.operation == Operator::pool)
    computing.computation = one_of(Computation::max_pool, Computation::average_pool_inside);
  const bool elements = c.operation == Operator::pool && c.taps() == 1 && c.rows.in == c.rows.out &&
                        c.columns.in == c.columns.out && c.rows.padding + c.columns.padding == 0;
  if (elements) computing.computation = one_of(Computation::copy, Computation::slope);
  computing.slope = random.pick(65536) - 32768;
  computing.rectifies = random.pick(3) == 0;
  return computing;
}

Problem some_operator(RandomProblems& random) {
  Problem problem = random.next_operator(Borders::exact);
  Convolution& c = problem.convolution;
  problem.machine = plain(problem.machine);
  if (c.operation == Operator::pairs) {  // as layers have them: a row of each piece
    c.repeats = 1;
    c.rows = {1, 1, 1, 1, 1, 0};
  }
  if (c.operation == Operator::pool && random.pick(4) == 0)  // an activation
    for (Axis* axis : {&c.rows, &c.columns}) *axis = {axis->out, axis->out, 1, 1, 1, 0};
  return problem;
}

std::string complaints_about(const Program& program) {
  Diagnostics diagnostics;
  verify_program(program, diagnostics);
  return diagnostics.text();
}

TEST(OperatorPrograms, ComputeTheReferenceInTheTimeOfTheCostModel) {
  RandomProblems random(40);
  std::map<std::string_view, int> seen;
  const int wanted = std::getenv("CONVSCOPE_FULL") ? 3000 : 400;
  for (int i = 0; i < wanted; ++i) {
    Problem problem = some_operator(random);
    const CostModel model(problem.convolution, problem.machine);
    auto tiling = random_tiling(model, random);
    const bool pairs = problem.convolution.operation == Operator::pairs;
    if (tiling && pairs && random.pick(8) > 0) tiling->columns = problem.convolution.columns.out;
    if (!tiling || !model.occupancy(*tiling).fits(problem.machine)) continue;
    problem.machine.free_running = i % 4 == 3;
    const Computing computing = some_computing(random, problem.convolution);
    const GeneratedProgram made =
        generate_for_seeded_data("L", problem.convolution, computing, problem.machine, CostLevel::burst, *tiling);
    if (!made.program) {
      EXPECT_TRUE(pairs) << made.reason;
      continue;
    }
    const std::string what = std::to_string(i) + ", " + std::string(name_of(computing.computation));
    const ComparedRun run = run_and_compare(*made.program, 5, {.free_instructions = true});
    ASSERT_TRUE(run.equal()) << what << ": " << run.text();
    ASSERT_EQ(run.result.traffic, made.program->traffic) << what;
    const double estimate = seconds_of(model.evaluate(*tiling), problem.machine).total();
    if (!problem.machine.free_running) {
      ASSERT_NEAR(run.result.seconds, estimate, 1e-9 * estimate) << what;
    }
    ASSERT_EQ(complaints_about(*made.program), "") << what;
    ++seen[name_of(computing.computation)];
  }
  EXPECT_EQ(seen.size(), computations - 1);  // all but convolutions
  for (const auto& [name, count] : seen) EXPECT_GE(count, 4) << name;
}

/// Elements of 16 bits in a DRAM of their own.
struct Elements {
  std::vector<std::uint8_t> dram = std::vector<std::uint8_t>(256);
  ProgramLayer layer;

  Elements(Computation computation, const std::vector<int>& in, const std::vector<int>& other, int columns) {
    layer.computation = computation;
    layer.depthwise = true;
    const int length = static_cast<int>(in.size());
    layer.in = {0, 0, 1, 1, length, 2 * length, 2 * length};
    layer.out = {0, 128, 1, 1, columns, 2 * columns, 2 * columns};
    layer.weights = {0, 64};
    for (std::size_t i = 0; i < in.size(); ++i) write_element(dram, static_cast<std::int64_t>(2 * i), 2, in[i]);
    for (std::size_t i = 0; i < other.size(); ++i)
      write_element(dram, static_cast<std::int64_t>(64 + 2 * i), 2, other[i]);
  }
  std::vector<std::int32_t> output() const { return reference_output(layer, dram); }
};
using Numbers = std::vector<std::int32_t>;

TEST(OperatorPrograms, HaveAReferenceThatIsRightByHand) {
  EXPECT_EQ(Elements(Computation::add, {1, 32767, -32768}, {2, 1, -1}, 3).output(), (Numbers{3, 32767, -32768}));
  EXPECT_EQ(Elements(Computation::subtract, {1, -32768}, {2, 1}, 2).output(), (Numbers{-1, -32768}));
  EXPECT_EQ(Elements(Computation::maximum, {1, -5}, {2, -6}, 2).output(), (Numbers{2, -5}));
  Elements product(Computation::multiply, {3, -3, 5}, {1, 1, 3}, 3);
  product.layer.shift = 1;  // halves go up
  EXPECT_EQ(product.output(), (Numbers{2, -1, 8}));
  Elements slope(Computation::slope, {7, -8, -3}, {}, 3);
  slope.layer.slope = 1 << 14;
  EXPECT_EQ(slope.output(), (Numbers{7, -4, -1}));
  slope.layer.clamp_low = -2;
  slope.layer.clamp_high = 5;
  EXPECT_EQ(slope.output(), (Numbers{5, -2, -1}));
  for (const auto& [computation, expected] : {std::pair{Computation::max_pool, Numbers{-4, 8}},
                                              {Computation::average_pool, Numbers{-3, 1}},
                                              {Computation::average_pool_inside, Numbers{-5, 1}}}) {
    Elements pool(computation, {-4, -6, 8}, {}, 2);
    pool.layer.horizontal = {3, 2, 1, 1};
    EXPECT_EQ(pool.output(), expected) << name_of(computation);
  }
}

}  // namespace
}  // namespace convscope::nmp
