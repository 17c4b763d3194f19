#include "core/analysis/comparison.h"

#include <cmath>
#include <limits>

namespace convscope::analysis {
namespace {

std::int64_t pixels(const network::Shape& shape) {
  return std::int64_t{shape.maps} * shape.size.height * shape.size.width;
}

}  // namespace

std::int64_t bytes_once(const network::Layer& layer) {
  return pixels(layer.in) + pixels(layer.out);
}

std::int64_t batch_macs(const network::Layer& layer) {
  std::int64_t macs = 0;
  return __builtin_mul_overflow(layer.macs(), layer.images, &macs) ? std::numeric_limits<std::int64_t>::max() : macs;
}

std::int64_t bytes_once(const network::Network& network) {
  std::int64_t sum = 0;
  for (const network::Layer& layer : network.layers) sum += bytes_once(layer);
  return sum;
}

MetricValues metric_values(const artifact::Metrics& metrics) {
  MetricValues values{{"macs", static_cast<double>(metrics.macs)},
                      {"cycles", metrics.cycles.value},
                      {"seconds", metrics.seconds.value},
                      {"utilization", metrics.utilization.value},
                      {"bytes_in", static_cast<double>(metrics.bytes_in)},
                      {"bytes_out", static_cast<double>(metrics.bytes_out)},
                      {"bytes_weights", static_cast<double>(metrics.bytes_weights)}};
  for (const artifact::NamedQuantity& figure : metrics.target_figures) values[figure.key] = figure.quantity.value;
  return values;
}

MetricValues metric_values(const network::Layer& layer, const artifact::Metrics& metrics) {
  MetricValues values = metric_values(metrics);
  values["macs"] = static_cast<double>(layer.macs());
  values["bytes_once"] = static_cast<double>(bytes_once(layer));
  return values;
}

std::optional<double> relative_difference(double value, double reference) {
  if (reference != 0) return (value - reference) / std::abs(reference);
  if (value == 0) return 0.0;
  return std::nullopt;
}

bool within(double value, double reference, double tolerance) {
  const std::optional<double> difference = relative_difference(value, reference);
  return difference && std::abs(*difference) <= tolerance;
}

std::vector<ComparedFigure> compare(const MetricValues& values, const MetricValues& reference) {
  std::vector<ComparedFigure> compared;
  for (const auto& [key, value] : values)
    if (const auto other = reference.find(key); other != reference.end())
      compared.push_back({key, value, other->second, relative_difference(value, other->second)});
  return compared;
}

}  // namespace convscope::analysis
