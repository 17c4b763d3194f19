#include "core/nmp/calibration/calibration.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "core/nmp/search/search.h"

namespace convscope::nmp {
namespace {

constexpr double finest_step = 1.0 / 2048;  // of a range: half a nanosecond a command, 4 MB/s

int grid_points(std::size_t free_parameters) {
  return free_parameters <= 2 ? 9 : 5;
}

std::vector<std::size_t> free_of(const FittedRanges& ranges) {
  std::vector<std::size_t> free;
  for (std::size_t i = 0; i < ranges.size(); ++i)
    if (!ranges[i].fixed()) free.push_back(i);
  return free;
}

std::vector<FittedValues> grid_of(const FittedRanges& ranges) {
  FittedValues lowest{};
  for (std::size_t i = 0; i < ranges.size(); ++i) lowest[i] = ranges[i].low;
  std::vector<FittedValues> grid{lowest};
  const auto free = free_of(ranges);
  const int points = grid_points(free.size());
  for (const std::size_t i : free) {
    std::vector<FittedValues> wider;
    for (const FittedValues& values : grid)
      for (int p = 0; p < points; ++p) {
        wider.push_back(values);
        wider.back()[i] += (ranges[i].high - ranges[i].low) * p / (points - 1);
      }
    grid = std::move(wider);
  }
  return grid;
}

FittedValues moved(FittedValues values, const FittedRanges& ranges, std::size_t parameter, double step) {
  const FittedRange& range = ranges[parameter];
  values[parameter] = std::clamp(values[parameter] + step * (range.high - range.low), range.low, range.high);
  return values;
}

// One parameter moved, or two at once: parameters that make up for each other lie along diagonals.
std::vector<FittedValues> neighbours(const FittedValues& centre, const FittedRanges& ranges, double step) {
  std::vector<FittedValues> found{centre};
  const auto free = free_of(ranges);
  for (std::size_t a = 0; a < free.size(); ++a)
    for (const double first : {-step, step}) {
      const FittedValues once = moved(centre, ranges, free[a], first);
      found.push_back(once);
      for (std::size_t b = a + 1; b < free.size(); ++b)
        for (const double second : {-step, step}) found.push_back(moved(once, ranges, free[b], second));
    }
  return found;
}

double combined(const std::vector<double>& errors, double (*combine)(double, double)) {
  double result = 0;
  for (const double error : errors) result = combine(result, std::abs(error));
  return result;
}

}  // namespace

FittedValues fitted_values(const Machine& machine) {
  // Units of ten are no binary fractions: 14 ns must come back as 14.
  const auto tidy = [](double value) { return std::round(value * 1e9) / 1e9; };
  return {machine.mac_efficiency, tidy(machine.bandwidth * 1e-9), tidy(machine.cas_seconds * 1e9),
          tidy(machine.command_seconds * 1e9)};
}

Machine with_values(Machine machine, const FittedValues& values) {
  machine.mac_efficiency = values[0];
  machine.bandwidth = values[1] * 1e9;
  machine.cas_seconds = values[2] * 1e-9;
  machine.command_seconds = values[3] * 1e-9;
  return machine;
}

Measurement measurement(std::string name, const std::vector<Convolution>& convolutions, double seconds) {
  Measurement result{std::move(name), {}, seconds};
  for (const Convolution& convolution : convolutions) {
    const auto same = std::find_if(result.parts.begin(), result.parts.end(),
                                   [&](const auto& part) { return part.convolution == convolution; });
    if (same == result.parts.end())
      result.parts.push_back({convolution, 1});
    else
      ++same->count;
  }
  return result;
}

double Fit::mean_error() const {
  const double sum = combined(errors, [](double a, double b) { return a + b; });
  return errors.empty() ? 0 : sum / static_cast<double>(errors.size());
}

double Fit::largest_error() const {
  return combined(errors, [](double a, double b) { return std::max(a, b); });
}

Calibration::Calibration(std::vector<Measurement> measurements, const Machine& base, ParallelFor parallel,
                         std::stop_token stop, ProgressCallback progress)
    : measurements_(std::move(measurements)),
      base_(base),
      parallel_(std::move(parallel)),
      stop_(std::move(stop)),
      progress_(std::move(progress)) {
  for (const Measurement& each : measurements_) found_.emplace_back(each.parts.size());
}

void Calibration::search(const std::vector<FittedValues>& values) {
  std::vector<FittedValues> fresh;
  for (const FittedValues& each : values)
    if (searched_.count(each) == 0) fresh.push_back(each);
  const std::size_t count = measurements_.size();
  std::vector<std::vector<std::optional<Candidate>>> best(fresh.size() * count);
  parallel_(static_cast<int>(best.size()), [&](int i) {
    const auto at = static_cast<std::size_t>(i);
    const Machine machine = with_values(base_, fresh[at / count]);
    for (const Measurement::Part& part : measurements_[at % count].parts)
      best[at].push_back(best_tiling(CostModel(part.convolution, machine), {}, stop_));
  });
  for (std::size_t i = 0; i < best.size(); ++i)
    for (std::size_t part = 0; part < best[i].size(); ++part) {
      std::vector<Totals>& known = found_[i % count][part];
      if (best[i][part] && std::find(known.begin(), known.end(), best[i][part]->totals) == known.end())
        known.push_back(best[i][part]->totals);
    }
  searched_.insert(fresh.begin(), fresh.end());
}

std::vector<double> Calibration::errors(const FittedValues& values) const {
  const Machine machine = with_values(base_, values);
  std::vector<double> result;
  for (std::size_t i = 0; i < measurements_.size(); ++i) {
    double seconds = 0;
    for (std::size_t part = 0; part < found_[i].size(); ++part) {
      // Stays infinite for a convolution that no tiling fits: memories are not fitted.
      double least = std::numeric_limits<double>::infinity();
      for (const Totals& totals : found_[i][part]) least = std::min(least, seconds_of(totals, machine).total());
      seconds += measurements_[i].parts[part].count * least;
    }
    result.push_back(seconds / measurements_[i].seconds - 1);
  }
  return result;
}

double Calibration::root_mean_square(const FittedValues& values, std::size_t left_out) const {
  const std::vector<double> all = errors(values);
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i == left_out) continue;
    sum += all[i] * all[i];
    ++count;
  }
  return count == 0 ? 0 : std::sqrt(sum / count);
}

// The first of equals.
FittedValues Calibration::best_of(const std::vector<FittedValues>& candidates, std::size_t left_out) const {
  assert(!candidates.empty());
  FittedValues best = candidates.front();
  double least = std::numeric_limits<double>::infinity();
  for (const FittedValues& each : candidates) {
    throw_if_stopped(stop_);
    const double error = root_mean_square(each, left_out);
    if (error < least) best = each, least = error;
  }
  return best;
}

FittedValues Calibration::refined(FittedValues best, const FittedRanges& ranges, std::size_t left_out) const {
  for (double step = 0.5 / (grid_points(free_of(ranges).size()) - 1); step >= finest_step;) {
    const FittedValues next = best_of(neighbours(best, ranges, step), left_out);
    if (next == best) step /= 2;
    best = next;
  }
  return best;
}

Fit Calibration::evaluate(const FittedValues& values) {
  search({values});
  return {values, errors(values), root_mean_square(values, no_measurement)};
}

Fit Calibration::fit_without(const FittedRanges& ranges, std::size_t left_out) {
  const std::vector<FittedValues> grid = grid_of(ranges);
  if (progress_) progress_(0, "grid");
  search(grid);
  FittedValues best = best_of(grid, left_out);
  for (double before = -1; before != root_mean_square(best, left_out);) {
    best = refined(best, ranges, left_out);
    before = root_mean_square(best, left_out);
    search({best});
  }
  if (progress_) progress_(1, "fit");
  return {best, errors(best), root_mean_square(best, left_out)};
}

std::vector<LeftOut> Calibration::leave_one_out(const FittedRanges& ranges) {
  std::vector<LeftOut> result;
  for (std::size_t i = 0; i < measurements_.size(); ++i) {
    const Fit without = fit_without(ranges, i);
    result.push_back({without.values, without.errors[i]});
  }
  return result;
}

}  // namespace convscope::nmp
