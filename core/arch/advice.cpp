#include "core/arch/advice.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "core/base/units.h"

namespace convscope::arch {
namespace {

// Enough to try each step of most ranges, few enough for each repaint of a panel.
constexpr int candidate_count = 4096;

/// Allowed values, at least the ends and a spread of those between.
std::set<double> candidates(const ParameterDescription& description, double present) {
  if (description.kind == ParameterKind::choice) {
    std::set<double> result;
    for (std::size_t i = 0; i < description.choices.size(); ++i) result.insert(static_cast<double>(i));
    return result;
  }
  std::set<double> result{description.initial};
  const double span = description.maximum - description.minimum;
  for (int i = 0; i <= candidate_count; ++i) {
    result.insert(nearest_allowed(description, description.minimum + span * i / candidate_count));
    // The nearest one matters most: single steps around the present value, too.
    const double step = description.step > 0 ? description.step : span / candidate_count;
    const int steps = i - candidate_count / 2;
    const double beside = present + steps * step;
    if (i % 2 == 0 || span / step <= candidate_count) result.insert(nearest_allowed(description, beside));
  }
  if (description.powers_of_two) {
    for (int exponent = 0; std::ldexp(1.0, exponent) <= description.maximum; ++exponent) {
      result.insert(nearest_allowed(description, std::ldexp(1.0, exponent)));
    }
  }
  return result;
}

/// Constraints may divide by what they name, so they are asked only about values in range.
bool holds(const ParameterValues& values, const std::string& name) {
  const MachineDescription& description = values.description();
  for (const Constraint& constraint : description.constraints) {
    const auto& names = constraint.parameters;
    if (std::find(names.begin(), names.end(), name) == names.end()) continue;
    const bool sound = std::all_of(names.begin(), names.end(), [&](const std::string& each) {
      const std::size_t index = description.find(each).value();
      return !range_violation(description.parameters[index], values.at(index));
    });
    if (!sound || !constraint.holds(values)) return false;
  }
  return true;
}

std::string in_unit(const ParameterDescription& description, double value) {
  return description.unit.empty() ? fmt::format("{}", value) : fmt::format("{} {}", value, description.unit);
}

}  // namespace

std::optional<double> nearest_that_holds(const ParameterValues& values, std::size_t index) {
  const ParameterDescription& description = values.description().parameters[index];
  const double present = values.at(index);
  if (!range_violation(description, present) && holds(values, description.name)) return present;
  const std::set<double> all = candidates(description, present);
  std::vector<double> nearest(all.begin(), all.end());
  std::stable_sort(nearest.begin(), nearest.end(),
                   [&](double a, double b) { return std::abs(a - present) < std::abs(b - present); });
  ParameterValues changed = values;
  for (const double value : nearest) {
    changed.set_at(index, value);
    if (holds(changed, description.name)) return value;
  }
  return std::nullopt;
}

std::optional<double> parse_value(const ParameterDescription& description, std::string_view text) {
  if (description.kind != ParameterKind::choice) return parse_in_unit(text, description.unit);
  const auto found = std::find(description.choices.begin(), description.choices.end(), text);
  if (found == description.choices.end()) return std::nullopt;
  return static_cast<double>(found - description.choices.begin());
}

std::string typed_text_problem(const ParameterDescription& description, std::string_view text) {
  const auto value = parse_value(description, text);
  if (!value) return fmt::format("‘{}’ is not understood: {}", text.substr(0, 40), units_hint(description.unit));
  const auto expected = range_violation(description, *value);
  if (!expected) return {};
  return fmt::format("{} is not allowed: {}; taken as {}", in_unit(description, *value), *expected,
                     in_unit(description, nearest_allowed(description, *value)));
}

}  // namespace convscope::arch
