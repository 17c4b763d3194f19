#pragma once
// Timing work on a machine that others use too: samples that were disturbed are told from those that count.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/cpu/architecture/family.h"

namespace convscope::cpu {

constexpr double longest_gated = 3e-3;  ///< seconds of work that is left alone often enough
constexpr double loop_microseconds = 10;
constexpr double good_share = 0.95;  ///< of the best loop: the core was ours

inline double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

struct SamplingOptions {
  int samples = 15;       ///< that count, of each piece of work
  double seconds = 0.04;  ///< of all together, unless there is none yet that counts (then up to 4 times as long)
                          ///< or there are fewer than 5 (25 times)
  bool threads = false;   ///< the work has threads of its own
  /// Takes turns with multiply-adds alone, of the family's width, for as long as a sample of the first work.
  bool sustained = false;
  /// Read of `others` before each sample, so that it begins with caches that hold other data, as in a network; 0:
  /// nothing.
  std::int64_t other_bytes = 0;
};

struct Sampled {
  double minimum = 0, first_quartile = 0, median = 0;  ///< seconds of one execution
  /// Median over rounds of seconds / seconds of the first work; of the minima where samples aren't gated; 0 for the
  /// first.
  double ratio = 0;
  int samples = 0;
  bool gated = false;
};

struct Sampling {
  std::vector<Sampled> works;
  double peak = 0;  ///< FLOP/s of multiply-adds, best of all loops
  /// FLOP/s of multiply-adds alone in the best of samples as long as the first work's: what interrupts and neighbours
  /// leave to any program of that length. 0 if it wasn't asked for.
  double sustained = 0;
};

/// Executes each work in turn, round after round, on the calling thread, which the caller has pinned. A sample is so
/// many executions that it takes 1 ms. It counts if the thread was not preempted and if loops of 10 us multiply-adds
/// before and after it reached 95 % of the best that was seen: then nobody else held back the core or its clock.
///
/// Work of more than 3 ms is seldom left alone for so long: its samples are single executions, all are kept, `gated` is
/// false, and only the minimum means something. So it is where no sample counted at all.
Sampling sample(const std::vector<std::function<void()>>& works, Family family, const SamplingOptions& options,
                std::span<const std::byte> others = {});

}  // namespace convscope::cpu
