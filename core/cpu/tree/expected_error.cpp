#include "core/cpu/tree/expected_error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace convscope::cpu {
namespace {

/// Errors whose square is, in the mean, `variance`: of `count` walks at each position.
struct Walks {
  double variance = 0, count = 1;
  double rate(double share) const { return std::sqrt(2 * variance * share / count); }
  /// Logarithm of the mean of exp(s e): that of a walk's square along its way is 1 / sqrt(cos).
  double logarithm(double s, const std::vector<double>& shares) const {
    double sum = 0;
    for (const double share : shares) sum -= count / 2 * std::log(std::cos(s * rate(share)));
    return sum;
  }
};

struct Largest {
  double error = 0, growth = 0;  ///< growth: with the logarithm of n
};

/// Of n, where tiles and kernels have the energy of the mean. The transforms' errors have the variance `normal`.
Largest largest_of(double n, double normal, const std::array<Walks, 2>& walks, const std::vector<double>& shares) {
  const double all = normal + walks[0].variance + walks[1].variance;
  if (all <= 0) return {};
  const double chance = std::log(std::max(2.0, n)), most = *std::max_element(shares.begin(), shares.end());
  const auto bound = [&](double s) {
    return (chance + normal * s * s / 2 + walks[0].logarithm(s, shares) + walks[1].logarithm(s, shares)) / s;
  };
  constexpr double nearly_pole = .999 * std::numbers::pi / 2;
  double low = 0, high = std::sqrt(2 * chance / all);  // where it would be least if all were normal
  for (const Walks& each : walks)
    if (each.variance > 0) high = std::min(high, nearly_pole / each.rate(most));
  for (int i = 0; i < 60; ++i) {
    const double a = low + (high - low) / 3, b = high - (high - low) / 3;
    if (bound(a) < bound(b))
      high = b;
    else
      low = a;
  }
  return {bound(high), 1 / high};
}

/// Errors grow with the values that are summed. The energies of so many channels of a tile and of a kernel vary by
/// 2 / channels each (of a normal distribution), which leaves the rest of the chance to the sums: the worst of both.
double beyond_mean_energy(const Largest& largest, double n, double channels) {
  const double deviation = std::sqrt(4 / std::max(1.0, channels)), most = std::sqrt(2 * std::log(std::max(2.0, n)));
  constexpr int steps = 32;
  double error = 0;
  for (int i = 0; i < steps; ++i) {
    const double u = most * i / steps;
    error = std::max(error, std::sqrt(1 + deviation * u) * (largest.error - largest.growth * u * u / 2));
  }
  return error;
}

}  // namespace

ChannelSums ChannelSums::best(double channels) {
  return {channels, std::sqrt(channels)};
}

double expected_error(const TransformError& error, ErrorMetric metric, double outputs, const ChannelSums& sums) {
  if (std::isinf(error.one_chain.l2)) return error.one_chain.l2;
  const bool mean = metric == ErrorMetric::l2;
  const double one = mean ? error.one_chain.l2 : error.one_chain.worst;
  const double few = mean ? error.short_chains.l2 : error.short_chains.worst;
  const auto terms = [](const ChannelSums& s) { return s.chain + s.channels / s.chain; };
  const double long_terms = terms({trial_channels, trial_channels}), few_terms = terms({trial_channels, trial_chain});
  const double each = std::max(0.0, (one * one - few * few) / (long_terms - few_terms));
  const double transforms = std::max(0.0, few * few - few_terms * each);
  if (mean) return std::sqrt(transforms + each * terms(sums));
  const double chains = sums.channels / sums.chain;
  const Largest largest =
      largest_of(outputs, transforms, {Walks{each * sums.chain, chains}, Walks{each * chains, 1}}, error.shares);
  return beyond_mean_energy(largest, outputs, sums.channels);
}

}  // namespace convscope::cpu
