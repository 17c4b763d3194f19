#pragma once
// Fits what the paper does not state about its board to times that it measured. Deterministic: a grid, then steps to
// better neighbours that halve; no random numbers, and the same answer for any number of threads. A tiling's time is a
// sum of its counts times the parameters, so between searches the best of the tilings found so far stands for the best
// of all; each fit ends with a search at its own values, and goes on if that finds something better.

#include <array>
#include <functional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/cancellation.h"
#include "core/nmp/cost/cost_model.h"

namespace convscope::nmp {

/// A parameter that can be fitted, in the unit of the machine's parameter of that name.
struct FittedParameter {
  std::string_view name;  ///< as in `--set`
  std::string_view unit;
};
inline constexpr std::array<FittedParameter, 4> fitted_parameters{
    {{"mac_efficiency", ""}, {"bandwidth", "GB/s"}, {"cas", "ns"}, {"command_cost", "ns"}}};
inline constexpr std::size_t fitted_cas = 2;  ///< index of the CAS latency

/// Values in the order of fitted_parameters.
using FittedValues = std::array<double, fitted_parameters.size()>;
FittedValues fitted_values(const Machine& machine);
Machine with_values(Machine machine, const FittedValues& values);

/// What a parameter may be; fixed if both ends are equal.
struct FittedRange {
  double low = 0, high = 0;
  bool fixed() const { return !(high > low); }
};
using FittedRanges = std::array<FittedRange, fitted_parameters.size()>;

/// One measured time.
struct Measurement {
  struct Part {
    Convolution convolution;
    int count = 1;  ///< equal convolutions
  };
  std::string name;
  std::vector<Part> parts;
  double seconds = 0;
};
/// Equal convolutions counted, in order of first appearance.
Measurement measurement(std::string name, const std::vector<Convolution>& convolutions, double seconds);

struct Fit {
  FittedValues values{};
  std::vector<double> errors;    ///< (model - measured) / measured, of every measurement
  double root_mean_square = 0;   ///< of the errors that were fitted to
  double mean_error() const;     ///< mean of all errors' sizes
  double largest_error() const;  ///< of all errors' sizes
};

/// A fit to all measurements but one.
struct LeftOut {
  FittedValues values{};
  double error = 0;  ///< of the one that was left out
};

/// Runs body(0) … body(count - 1) in any order, maybe at once.
using ParallelFor = std::function<void(int count, const std::function<void(int)>& body)>;

class Calibration {
 public:
  /// Parameters that are not fitted are `base`'s. Throws Cancelled from every call once stopped.
  Calibration(std::vector<Measurement> measurements, const Machine& base, ParallelFor parallel, std::stop_token stop,
              ProgressCallback progress);

  const std::vector<Measurement>& measurements() const { return measurements_; }
  /// Errors at given values; nothing is fitted.
  Fit evaluate(const FittedValues& values);
  /// Least squares of relative errors inside the ranges.
  Fit fit(const FittedRanges& ranges) { return fit_without(ranges, no_measurement); }
  /// One for each measurement.
  std::vector<LeftOut> leave_one_out(const FittedRanges& ranges);

 private:
  static constexpr std::size_t no_measurement = static_cast<std::size_t>(-1);
  Fit fit_without(const FittedRanges& ranges, std::size_t left_out);
  FittedValues refined(FittedValues start, const FittedRanges& ranges, std::size_t left_out) const;
  FittedValues best_of(const std::vector<FittedValues>& candidates, std::size_t left_out) const;
  /// Finds the best tilings at these values and remembers them.
  void search(const std::vector<FittedValues>& values);
  /// With the best of all tilings that were found so far: exact at values that were searched, nowhere below the truth.
  std::vector<double> errors(const FittedValues& values) const;
  double root_mean_square(const FittedValues& values, std::size_t left_out) const;

  std::vector<Measurement> measurements_;
  Machine base_;
  ParallelFor parallel_;
  std::stop_token stop_;
  ProgressCallback progress_;
  std::set<FittedValues> searched_;
  std::vector<std::vector<std::vector<Totals>>> found_;  ///< [measurement][part]: tilings that were best somewhere
};

}  // namespace convscope::nmp
