#pragma once
// What programs are checked with: seeded inputs, and the output as double precision gives it.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>

#include "core/base/diagnostic.h"
#include "core/base/file_descriptor.h"
#include "core/cpu/architecture/problem.h"

namespace convscope::cpu {

/// Image H W C, kernel M Y X C and expected output H W M, in plain order. They stand one after the other in memory that
/// a child can map, each beginning at a multiple of 64 bytes.
class TestData {
 public:
  /// Inputs are uniform in [-1, 1), rounded to what they are stored in. Work: one multiply-add in double for each tap,
  /// on one thread. Null, with a diagnostic, if there is no memory for it. Throws Cancelled.
  static std::shared_ptr<const TestData> make(const Problem& problem, std::uint64_t seed, const std::stop_token& stop,
                                              Diagnostics& diagnostics);
  /// What another process made; null if it doesn't fit the problem.
  static std::shared_ptr<const TestData> map(const Problem& problem, int descriptor);
  /// Memory that stands behind the data and that no program uses, `bytes` of it and 64 MB at most: all processes that
  /// map it share it, so that filling caches with it costs each of them little. Empty if it can't be had.
  static std::span<const std::byte> map_others(const Problem& problem, int descriptor, std::int64_t bytes);
  ~TestData();
  TestData(const TestData&) = delete;
  TestData& operator=(const TestData&) = delete;

  const Problem& problem() const { return problem_; }
  const float* image() const;
  const float* kernel() const;
  const double* expected() const;
  int descriptor() const { return memory_.get(); }

  /// Bytes of all three.
  static std::int64_t bytes(const Problem& problem);

 private:
  TestData(Problem problem, FileDescriptor memory, const std::byte* base)
      : problem_(problem), memory_(std::move(memory)), base_(base) {}
  Problem problem_;
  FileDescriptor memory_;
  const std::byte* base_;
};

/// Largest distance of an output (H W M, plain) from what is expected, beyond what storing it as flyte makes of it, and
/// the bound that the sum's length allows: 4 eps sqrt(taps) rms, with taps = kernel height x width x channels of a
/// group and rms of the expected values; where a transform lets errors grow, as much more, and what rounding
/// transformed kernels to flyte does, as theirs are no values that are stored exactly.
struct Distance {
  double error = 0, bound = 0;
  double max = 0, l2 = 0;  ///< by both metrics: max|e| / rms(y), |e| / |y|
  std::int64_t worst = 0;  ///< index of it
  bool within() const { return error <= bound; }
};
/// That bound over the rms.
double relative_bound(const Problem& problem, double error_growth);
Distance distance(const TestData& data, const float* output, double error_growth = 1);
/// "h 3, w 0, m 17: -1.25 instead of 0.5".
std::string told(const TestData& data, const float* output, const Distance& distance);

}  // namespace convscope::cpu
