#include "bench/cpu/threads.h"

#include <algorithm>
#include <numeric>
#include <thread>

#include "core/cpu/generate/generate.h"
#include "core/cpu/run/peak_loops.h"

namespace convscope::bench {
namespace {

using namespace cpu;

/// Of so many threads at once, best of a few.
double multiply_adds(Family family, int threads) {
  constexpr double microseconds = 5000;
  double best = 0;
  for (int i = 0; i < 4; ++i) {
    std::vector<double> rates(static_cast<std::size_t>(threads));
    {
      std::vector<std::jthread> all;
      for (double& rate : rates) all.emplace_back([&rate, family] { rate = multiply_add_rate(family, microseconds); });
    }
    best = std::max(best, std::accumulate(rates.begin(), rates.end(), 0.0));
  }
  return best;
}

std::optional<Runnable> compiled(const Laboratory& laboratory, const Path& path, ThreadGain& result) {
  Diagnostics diagnostics;
  const auto program = generate(laboratory.problem(), path, diagnostics);
  Outcome failure;
  auto runnable = program ? laboratory.compile(program->text, {}, failure) : std::nullopt;
  if (!runnable) result.message = diagnostics.text() + failure.message;
  return runnable;
}

Path on_one_thread(Path path) {
  for (Choice& choice : path.choices)
    if (choice.level == "threads") choice.value = "none";
  return path;
}

void take(const Outcome& outcome, double& seconds, ThreadGain& result) {
  if (!outcome.ran()) result.message = outcome.message;
  seconds = seconds > 0 ? std::min(seconds, outcome.minimum) : outcome.minimum;
}

}  // namespace

ThreadGain thread_gain(const Laboratory& several, const Availability& availability, const Path& path, Family family,
                       const RunOptions& options) {
  ThreadGain result;
  Problem alone = several.problem();
  alone.threads = 1;
  Diagnostics diagnostics;
  const auto one = Laboratory::open(alone, availability, options, {}, diagnostics);
  const auto single = one ? compiled(*one, on_one_thread(path), result) : std::nullopt;
  const auto both = compiled(several, path, result);
  if (!one) result.message = diagnostics.text();
  if (!single || !both) return result;
  double rate_one = 0, rate_several = 0;
  for (int round = 0; round < 3 && result.message.empty(); ++round) {
    rate_one = std::max(rate_one, multiply_adds(family, 1));
    take(one->run({*single}, options, {}).front(), result.alone, result);
    rate_several = std::max(rate_several, multiply_adds(family, several.problem().threads));
    take(several.run({*both}, options, {}).front(), result.together, result);
  }
  result.possible = rate_several / rate_one;
  return result;
}

}  // namespace convscope::bench
