#include "core/cpu/architecture/accuracy.h"

#include <array>
#include <cstddef>

#include <fmt/format.h>

#include "core/base/numbers.h"

namespace convscope::cpu {
namespace {

constexpr std::array<std::string_view, 2> metric_keys = {"max", "l2"};
constexpr std::string_view between = " error up to ";

}  // namespace

std::string_view key(ErrorMetric metric) {
  return metric_keys[static_cast<std::size_t>(metric)];
}

std::optional<ErrorMetric> find_error_metric(std::string_view key) {
  for (std::size_t i = 0; i < metric_keys.size(); ++i)
    if (metric_keys[i] == key) return static_cast<ErrorMetric>(i);
  return std::nullopt;
}

std::string text(const Accuracy& accuracy) {
  return accuracy.bound > 0 ? fmt::format("{}{}{}", key(accuracy.metric), between, accuracy.bound) : "";
}

std::optional<Accuracy> find_accuracy(std::string_view name) {
  const std::size_t at = name.find(between);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view before = name.substr(0, at), number = name.substr(at + between.size());
  const std::size_t space = before.rfind(' ');
  const auto metric = find_error_metric(space == std::string_view::npos ? before : before.substr(space + 1));
  const auto bound = parse_number(number.substr(0, number.find(',')));
  return metric && bound ? std::optional(Accuracy{*metric, *bound}) : std::nullopt;
}

}  // namespace convscope::cpu
