#pragma once
// Figures beside other figures: ours beside published ones, now beside a baseline.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/artifact/metrics.h"
#include "core/network/network.h"

namespace convscope::analysis {

/// Metric key, as in `report --json`, to value in base units.
using MetricValues = std::map<std::string, double>;

/// Input and output pixels of a layer, one byte each, each transferred once (thesis, section 2.1.4).
std::int64_t bytes_once(const network::Layer& layer);
/// MACs of all images of a layer; of numbers beyond 2^63 that.
std::int64_t batch_macs(const network::Layer& layer);
std::int64_t bytes_once(const network::Network& network);

/// Everything in a target's figures: cycles, seconds, utilization, bytes and the target's own keys.
MetricValues metric_values(const artifact::Metrics& metrics);
/// The same with what the layer alone gives: macs, bytes_once.
MetricValues metric_values(const network::Layer& layer, const artifact::Metrics& metrics);

/// (value - reference) / |reference|; 0 if both are zero, nothing if only the reference is.
std::optional<double> relative_difference(double value, double reference);
/// True if the relative difference exists and is at most `tolerance` in either direction.
bool within(double value, double reference, double tolerance);

struct ComparedFigure {
  std::string key;
  double value = 0, reference = 0;
  std::optional<double> difference;  ///< relative
};

/// One entry for each key that both have, in key order.
std::vector<ComparedFigure> compare(const MetricValues& values, const MetricValues& reference);

}  // namespace convscope::analysis
