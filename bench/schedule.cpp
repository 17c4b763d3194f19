// Software pipelining: the portfolio beside published methods on random bodies of 100 to 10,000 operations. 'at_bound'
// is the share that ends at the bound that the portfolio proves, 'scheduled' the share that ends at all within the
// budget, 'above' the mean distance from the bound of those that do. Goal: a body of 10,000 operations scheduled and
// verified within 50 ms.

#include <random>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "core/schedule/modulo_schedule.h"
#include "core/schedule/schedulers/iterative_modulo.h"
#include "core/schedule/schedulers/published.h"
#include "core/schedule/schedulers/slack_modulo.h"
#include "core/schedule/verify/verify.h"
#include "tests/core/schedule/random_problems.h"

namespace {

using namespace convscope::schedule;

constexpr std::int64_t steps = 20'000'000;

const std::vector<Problem>& bodies(test::Family family) {
  static std::vector<std::vector<Problem>> made(std::size(test::families));
  std::vector<Problem>& problems = made[static_cast<std::size_t>(family)];
  std::mt19937_64 random(101);
  if (problems.empty())
    for (const int operations : {100, 10'000, 180, 5'600, 320, 3'200, 560, 1'800, 1'000, 140})
      problems.push_back(test::random_problem(family, operations, random));
  return problems;
}

// Intervals that a method ends at; 0 where it ends at none.
using Method = std::int64_t (*)(const Problem&);

std::int64_t portfolio(const Problem& problem) {
  Budget budget(steps);
  const PipelineResult result = modulo_schedule(problem, {}, budget);
  return result ? result.pipelined().schedule.initiation_interval : 0;
}

template <AtOneInterval method>
std::int64_t published(const Problem& problem) {
  Budget budget(steps);
  const Result result = from_the_bound(problem, method, budget);
  return result ? result.schedule().initiation_interval : 0;
}

std::vector<std::int64_t> proven_bounds(const std::vector<Problem>& problems) {
  std::vector<std::int64_t> bounds;
  for (const Problem& problem : problems) {
    Budget budget(steps);
    const PipelineResult result = modulo_schedule(problem, {}, budget);
    bounds.push_back(result ? result.pipelined().certificate.bound : 0);
  }
  return bounds;
}

void compare(benchmark::State& state, Method method, test::Family family) {
  const std::vector<Problem>& problems = bodies(family);
  std::vector<std::int64_t> intervals;
  for (auto _ : state) {
    intervals.clear();
    for (const Problem& problem : problems) intervals.push_back(method(problem));
  }
  const std::vector<std::int64_t> bounds = proven_bounds(problems);
  double at_bound = 0, scheduled = 0, above = 0;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    at_bound += intervals[i] == bounds[i];
    scheduled += intervals[i] > 0;
    if (intervals[i] > 0 && bounds[i] > 0)
      above += static_cast<double>(intervals[i] - bounds[i]) / static_cast<double>(bounds[i]);
  }
  const auto count = static_cast<double>(problems.size());
  state.counters["at_bound"] = at_bound / count;
  state.counters["scheduled"] = scheduled / count;
  state.counters["above"] = scheduled > 0 ? above / scheduled : 0;
}

void schedule_and_verify(benchmark::State& state, test::Family family) {
  std::mt19937_64 random(5);
  const Problem problem = test::random_problem(family, 10'000, random);
  bool fine = true;
  for (auto _ : state) {
    Budget budget(steps);
    const PipelineResult result = modulo_schedule(problem, {}, budget);
    fine = fine && result && result.pipelined().certificate.optimal() &&
           verify(problem, result.pipelined().schedule).empty();
  }
  if (!fine) state.SkipWithError("not at the bound, or refused by the verifier");
}

const bool registered = [] {
  for (const test::Family family : test::families) {
    const std::string name = test::name_of(family);
    const auto add = [&](const char* method, Method run) {
      benchmark::RegisterBenchmark(("pipelining/" + name + "/" + method).c_str(), [run,
                                                                                   family](benchmark::State& state) {
        compare(state, run, family);
      })->Unit(benchmark::kMillisecond);
    };
    add("portfolio", portfolio);
    add("iterative", published<iterative_modulo_at>);
    add("slack", published<slack_modulo_at>);
    if (family == test::Family::crowded) continue;
    benchmark::RegisterBenchmark(("pipelining/10000/" + name).c_str(), [family](benchmark::State& state) {
      schedule_and_verify(state, family);
    })->Unit(benchmark::kMillisecond);
  }
  return true;
}();

}  // namespace
