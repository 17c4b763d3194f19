#include "core/cpu/architecture/accuracy.h"

#include <array>
#include <cstddef>

namespace convscope::cpu {
namespace {

constexpr std::array<std::string_view, 2> metric_keys = {"max", "l2"};

}  // namespace

std::string_view key(ErrorMetric metric) {
  return metric_keys[static_cast<std::size_t>(metric)];
}

std::optional<ErrorMetric> find_error_metric(std::string_view key) {
  for (std::size_t i = 0; i < metric_keys.size(); ++i)
    if (metric_keys[i] == key) return static_cast<ErrorMetric>(i);
  return std::nullopt;
}

}  // namespace convscope::cpu
