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

/// From two operands in pieces that are anywhere and in any order, to places of which some are left free.
Computing moves_of(RandomProblems& random, const Convolution& c) {
  Computing computing{.computation = Computation::copy};
  const std::int64_t length = c.columns.out;
  std::int64_t to = 0;
  for (int unit = 0; unit < c.units; ++unit, to += length + random.pick(3))
    computing.moves.push_back({unit == 0 ? 0 : random.pick(2), random.pick(40), to});
  return computing;
}

Computing some_computing(RandomProblems& random, const Convolution& c) {
  const auto one_of = [&](Computation first, Computation last) {
    const int choices = static_cast<int>(last) - static_cast<int>(first) + 1;
    return static_cast<Computation>(static_cast<int>(first) + random.pick(choices));
  };
  Computing computing = usual_computing(c);
  if (c.operation == Operator::pairs) computing.computation = one_of(Computation::add, Computation::minimum);
  if (c.operation == Operator::spread)
    computing.computation = one_of(Computation::add_spread, Computation::slope_spread);
  if (c.scattered) return moves_of(random, c);
  if (c.operation == Operator::pool)
    computing.computation = c.rows.repeat * c.columns.repeat > 1
                                ? Computation::nearest
                                : one_of(Computation::max_pool, Computation::average_pool_inside);
  const bool elements = c.operation == Operator::pool && c.taps() == 1 && c.rows.repeat * c.columns.repeat == 1 &&
                        c.rows.in == c.rows.out && c.columns.in == c.columns.out &&
                        c.rows.padding + c.columns.padding == 0;
  if (elements) computing.computation = one_of(Computation::copy, Computation::table);
  computing.slope = random.pick(65536) - 32768;
  if (is_affine(computing.computation)) {
    computing.offset = random.pick(65536) - 32768;
    computing.shift = random.pick(20);
  }
  for (int i = 0; i <= table_segments && computing.computation == Computation::table; ++i)
    computing.table.push_back(random.pick(65536) - 32768);
  computing.rectifies = random.pick(3) == 0;
  return computing;
}

/// What spreads an operand, repeats inputs, moves pieces, or leaves inputs out and has rows of nothing but padding.
void make_unusual(RandomProblems& random, Convolution& c) {
  const int kind = random.pick(6);
  if (c.operation != Operator::pool || kind > 3) return;
  for (Axis* axis : {&c.rows, &c.columns}) {
    const int in = axis->in, factor = 1 + random.pick(3), left_out = random.pick(in);
    if (kind == 0) *axis = {axis->out, axis->out, 1, 1, 1, 0};
    if (kind == 1) *axis = {in, in * factor, 1, 1, 1, 0, factor};
    if (kind == 2) *axis = {in, (in - left_out - 1) / factor + 1, 1, factor, 1, -left_out};
    if (kind == 3) *axis = {in, in + 2 + random.pick(4), 1, 1, 1, random.pick(3)};
  }
  if (kind == 0) c.operation = Operator::spread;
}

void make_scattered(RandomProblems& random, Convolution& c) {
  if (c.operation != Operator::pool || random.pick(8) > 0) return;
  c.rows = {1, 1, 1, 1, 1, 0};
  c.columns = {c.columns.out, c.columns.out, 1, 1, 1, 0};
  c.scattered = true;
}

Problem some_operator(RandomProblems& random) {
  Problem problem = random.next_operator(Borders::exact);
  Convolution& c = problem.convolution;
  problem.machine = plain(problem.machine);
  if (c.operation == Operator::pairs) {  // as layers have them: a row of each piece
    c.repeats = random.pick(4) == 0 && !problem.machine.double_buffering ? 1 + random.pick(3) : 1;
    c.rows = {1, 1, 1, 1, 1, 0};
  }
  if (c.operation == Operator::pool && random.pick(4) == 0)  // an activation
    for (Axis* axis : {&c.rows, &c.columns}) *axis = {axis->out, axis->out, 1, 1, 1, 0};
  make_unusual(random, c);
  make_scattered(random, c);
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
  int scattered = 0, several = 0;
  const int wanted = std::getenv("CONVSCOPE_FULL") ? 6000 : 1200;
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
    scattered += problem.convolution.scattered ? 1 : 0;
    several += pairs && problem.convolution.repeats > 1 ? 1 : 0;
  }
  EXPECT_GE(scattered, 15);
  EXPECT_GE(several, 15);
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
  EXPECT_EQ(Elements(Computation::add_spread, {1, 32767, -32768}, {2}, 3).output(), (Numbers{3, 32767, -32766}));
  EXPECT_EQ(Elements(Computation::slope_spread, {6, -6}, {1 << 14}, 2).output(), (Numbers{6, -3}));
  Elements affine(Computation::affine, {3, -3, 32767}, {}, 3);
  affine.layer.slope = 3;
  affine.layer.shift = 1;
  affine.layer.offset = -1;  // 4.5 and -4.5 go up
  EXPECT_EQ(affine.output(), (Numbers{4, -5, 32767}));
  Elements gate(Computation::gate, {100, -100, 1000}, {}, 3);
  gate.layer.slope = 1 << 6;
  gate.layer.offset = 1 << 13;  // a half, and a 256th more for each number
  EXPECT_EQ(gate.output(), (Numbers{89, -11, 1000}));
  Elements nearest(Computation::nearest, {4, 9}, {}, 5);
  nearest.layer.horizontal.stride = 3;
  EXPECT_EQ(nearest.output(), (Numbers{4, 4, 4, 9, 9}));
  Elements table(Computation::table, {-32768, -32640, 0, 256, 32767}, {}, 5);
  table.layer.table.assign(table_segments + 1, 0);
  table.layer.table[0] = -400;
  table.layer.table[64] = 100;
  table.layer.table[128] = 512;
  EXPECT_EQ(table.output(), (Numbers{-400, -300, 100, 50, 511}));
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
