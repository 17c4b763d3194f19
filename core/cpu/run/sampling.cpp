#include "core/cpu/run/sampling.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>

#include <sys/resource.h>

#include "core/cpu/run/peak_loops.h"

namespace convscope::cpu {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double shortest_sample = 1e-3;
/// Of long work, whose samples can't be told from disturbed ones: the minimum of one or two would be chance.
constexpr std::size_t least_rounds = 5;
constexpr double longer = 25;

long preemptions(bool threads) {
  rusage usage{};
  getrusage(threads ? RUSAGE_SELF : RUSAGE_THREAD, &usage);
  return usage.ru_nivcsw;
}

struct Sample {
  double seconds = 0;            ///< of one execution
  double before = 0, after = 0;  ///< FLOP/s of the loops
  bool preempted = false;
};

double at_share(const std::vector<double>& sorted, double share) {
  return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
}

class Sampler {
 public:
  Sampler(const std::vector<std::function<void()>>& works, Family family, const SamplingOptions& options,
          std::span<const std::byte> others)
      : works_(works),
        family_(family),
        options_(options),
        taken_(works.size()),
        executions_(works.size(), 1),
        gated_(works.size(), true),
        others_(others.first(std::min(others.size(), static_cast<std::size_t>(options.other_bytes)))) {}

  Sampling run() {
    for (int i = 0; i < 5; ++i) loop();
    for (std::size_t i = 0; i < works_.size(); ++i) prepare(i);
    const auto begin = Clock::now();
    do {
      for (std::size_t i = 0; i < works_.size(); ++i) take(i);
      if (options_.sustained) multiply_for(taken_[0].back().seconds * executions_[0]);
    } while (!enough(seconds_since(begin)));
    Sampling result;
    for (std::size_t i = 0; i < works_.size(); ++i) result.works.push_back(summary(i));
    result.peak = best_;
    result.sustained = sustained_;
    return result;
  }

 private:
  double loop() {
    const double rate = multiply_add_rate(family_, loop_microseconds);
    best_ = std::max(best_, rate);
    return rate;
  }

  void fill_caches_with_others() const {
    constexpr std::size_t line = 64;
    [[maybe_unused]] volatile std::byte read{};
    for (std::size_t at = 0; at < others_.size(); at += line) read = others_[at];
  }

  void multiply_for(double seconds) {
    constexpr double shortest = 1e-4, longest = 1e-1;
    const double microseconds = 1e6 * std::clamp(seconds, shortest, longest);
    sustained_ = std::max(sustained_, multiply_add_rate(family_, microseconds));
  }

  /// The first execution finds cold caches; the second tells how many make a sample.
  void prepare(std::size_t work) {
    works_[work]();
    const auto begin = Clock::now();
    works_[work]();
    const double once = std::max(seconds_since(begin), 1e-8);
    gated_[work] = once <= longest_gated;
    if (gated_[work]) executions_[work] = std::max(1, static_cast<int>(std::ceil(shortest_sample / once)));
  }

  void take(std::size_t work) {
    Sample sample;
    const long preempted = preemptions(options_.threads);
    fill_caches_with_others();
    sample.before = loop();
    const auto begin = Clock::now();
    for (int i = 0; i < executions_[work]; ++i) works_[work]();
    sample.seconds = seconds_since(begin) / executions_[work];
    sample.after = loop();
    sample.preempted = preemptions(options_.threads) != preempted;
    taken_[work].push_back(sample);
  }

  bool counts(std::size_t work, const Sample& sample) const {
    return !gated_[work] || (!sample.preempted && std::min(sample.before, sample.after) >= good_share * best_);
  }
  bool round_counts(std::size_t round) const {
    for (std::size_t i = 0; i < works_.size(); ++i)
      if (!counts(i, taken_[i][round])) return false;
    return true;
  }

  bool enough(double elapsed) const {
    int counted = 0;
    for (std::size_t round = 0; round < taken_[0].size(); ++round) counted += round_counts(round) ? 1 : 0;
    if (counted >= options_.samples) return true;
    if (taken_[0].size() < least_rounds) return elapsed >= options_.seconds * longer;
    return elapsed >= options_.seconds * (counted > 0 ? 1 : 4);
  }

  /// Of rounds that count for all; if there are none, pairs mean as little as medians.
  double ratio(std::size_t work, const Sampled& own) const {
    std::vector<double> ratios;
    for (std::size_t round = 0; round < taken_[work].size(); ++round)
      if (round_counts(round)) ratios.push_back(taken_[work][round].seconds / taken_[0][round].seconds);
    if (!own.gated || !gated_[0] || ratios.empty()) return own.minimum / summary(0).minimum;
    std::sort(ratios.begin(), ratios.end());
    return at_share(ratios, 0.5);
  }

  Sampled summary(std::size_t work) const {
    std::vector<double> seconds;
    for (const Sample& sample : taken_[work])
      if (counts(work, sample)) seconds.push_back(sample.seconds);
    Sampled result;
    result.gated = gated_[work] && !seconds.empty();
    if (seconds.empty())
      for (const Sample& sample : taken_[work]) seconds.push_back(sample.seconds);
    std::sort(seconds.begin(), seconds.end());
    result.samples = static_cast<int>(seconds.size());
    result.minimum = seconds.front();
    result.first_quartile = at_share(seconds, 0.25);
    result.median = at_share(seconds, 0.5);
    if (work > 0) result.ratio = ratio(work, result);
    return result;
  }

  const std::vector<std::function<void()>>& works_;
  const Family family_;
  const SamplingOptions options_;
  std::vector<std::vector<Sample>> taken_;  ///< by work, by round
  std::vector<int> executions_;
  std::vector<bool> gated_;
  const std::span<const std::byte> others_;
  double best_ = 0, sustained_ = 0;
};

}  // namespace

Sampling sample(const std::vector<std::function<void()>>& works, Family family, const SamplingOptions& options,
                std::span<const std::byte> others) {
  return works.empty() ? Sampling{} : Sampler(works, family, options, others).run();
}

}  // namespace convscope::cpu
