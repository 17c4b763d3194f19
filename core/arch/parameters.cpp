#include "core/arch/parameters.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/arch/advice.h"
#include "core/base/units.h"

namespace convscope::arch {
namespace {

// Decimal fractions have no exact double, so a real value may miss its step by a rounding error.
constexpr double step_tolerance = 1e-6;

std::string number(double value) {
  std::string text = fmt::format("{}", value);
  if (text.size() > 2 && text.compare(text.size() - 2, 2, ".0") == 0) text.resize(text.size() - 2);
  return text;
}

std::string with_unit(const ParameterDescription& description, std::string text) {
  return description.unit.empty() ? text : std::move(text) + " " + description.unit;
}

std::string expectation(const ParameterDescription& description) {
  if (description.kind == ParameterKind::choice) return fmt::format("one of {}", fmt::join(description.choices, ", "));
  const char* sort = description.powers_of_two                    ? "a power of two"
                     : description.kind == ParameterKind::integer ? "an integer"
                                                                  : "a number";
  std::string range = fmt::format("{} from {} to {}", sort, number(description.minimum), number(description.maximum));
  const bool every = description.powers_of_two || description.step <= 0 ||
                     (description.kind == ParameterKind::integer && description.step == 1);
  return with_unit(description, std::move(range)) +
         (every ? std::string() : fmt::format(" in steps of {}", number(description.step)));
}

bool is_power_of_two(double value) {
  int exponent = 0;
  return value > 0 && std::frexp(value, &exponent) == 0.5;
}

bool on_step(const ParameterDescription& description, double value) {
  if (description.powers_of_two) return is_power_of_two(value);
  if (description.step <= 0) return true;
  const double steps = (value - description.minimum) / description.step;
  return std::abs(steps - std::round(steps)) <= step_tolerance;
}

bool allowed(const ParameterDescription& description, double value) {
  if (!std::isfinite(value)) return false;
  if (description.kind != ParameterKind::real && value != std::floor(value)) return false;
  if (description.kind == ParameterKind::choice)
    return value >= 0 && value < static_cast<double>(description.choices.size());
  return value >= description.minimum && value <= description.maximum && on_step(description, value);
}

// Levenshtein distance, one row at a time.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

// "did you mean 'lanes'?"; empty if nothing comes near. A hostile name is not compared at length.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates) {
  if (name.size() > 100) return {};
  std::size_t nearest = std::max<std::size_t>(2, name.size() / 2) + 1;
  const std::string* best = nullptr;
  for (const std::string& candidate : candidates)
    if (const std::size_t distance = edit_distance(name, candidate); distance < nearest)
      nearest = distance, best = &candidate;
  return best ? fmt::format("did you mean '{}'?", *best) : std::string();
}

std::string shortened(std::string_view text) {
  return text.size() <= 60 ? std::string(text) : std::string(text.substr(0, 57)) + "...";
}

std::string_view without_target(const MachineDescription& description, std::string_view name) {
  const std::string& target = description.target;
  const bool named =
      name.size() > target.size() && name.substr(0, target.size()) == target && name[target.size()] == '.';
  return named ? name.substr(target.size() + 1) : name;
}

std::vector<std::string> names(const MachineDescription& description) {
  std::vector<std::string> result;
  for (const ParameterDescription& parameter : description.parameters) result.push_back(parameter.name);
  return result;
}

std::string element(std::string_view parameter) {
  return fmt::format("parameter '{}'", shortened(parameter));
}

std::string out_of_range(const ParameterDescription& description, double value) {
  const bool outside =
      description.kind != ParameterKind::choice && (value < description.minimum || value > description.maximum);
  return fmt::format("{} is {}", with_unit(description, number(value)), outside ? "out of range" : "not allowed");
}

std::string hint_nearest(const ParameterDescription& description, double value) {
  return description.kind == ParameterKind::choice
             ? std::string()
             : fmt::format("the nearest allowed value is {}", number(nearest_allowed(description, value)));
}

double nearest_power_of_two(const ParameterDescription& description, double value) {
  double best = description.initial;
  bool found = false;
  for (int exponent = 0; std::ldexp(1.0, exponent) <= description.maximum; ++exponent) {
    const double power = std::ldexp(1.0, exponent);
    if (power < description.minimum) continue;
    if (!found || std::abs(power - value) < std::abs(best - value)) best = power;
    found = true;
  }
  return best;
}

double nearest_step(const ParameterDescription& description, double value) {
  const double clamped = std::clamp(value, description.minimum, description.maximum);
  if (description.step <= 0) return description.kind == ParameterKind::integer ? std::round(clamped) : clamped;
  const double last = std::floor((description.maximum - description.minimum) / description.step + step_tolerance);
  const double steps = std::min(std::round((clamped - description.minimum) / description.step), last);
  return std::min(description.minimum + steps * description.step, description.maximum);
}

}  // namespace

std::optional<std::size_t> MachineDescription::find(std::string_view name) const {
  const std::string_view plain = without_target(*this, name);
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (parameters[i].name == plain) return i;
  return std::nullopt;
}

ParameterValues::ParameterValues(std::shared_ptr<const MachineDescription> description)
    : description_(std::move(description)) {
  assert(description_);
  values_.reserve(description_->parameters.size());
  for (const ParameterDescription& parameter : description_->parameters) values_.push_back(parameter.initial);
}

double ParameterValues::get(std::string_view name) const {
  const auto index = description_->find(name);
  assert(index);
  return values_[*index];
}

int ParameterValues::get_int(std::string_view name) const {
  const double value = get(name);
  assert(value == std::floor(value));
  return static_cast<int>(value);
}

const std::string& ParameterValues::get_choice(std::string_view name) const {
  const auto index = description_->find(name);
  assert(index && description_->parameters[*index].kind == ParameterKind::choice);
  return description_->parameters[*index].choices.at(static_cast<std::size_t>(values_[*index]));
}

bool ParameterValues::set(std::string_view name, std::string_view text, Diagnostics& diagnostics,
                          const Location& where) {
  const Location here{where.file, where.line, where.element.empty() ? element(name) : where.element};
  const auto index = description_->find(name);
  if (!index) {
    std::string hint = did_you_mean(without_target(*description_, name), names(*description_));
    if (hint.empty()) hint = fmt::format("there are {}", fmt::join(names(*description_), ", "));
    diagnostics.error(here, fmt::format("unknown parameter '{}'", shortened(name)),
                      fmt::format("a parameter of {}", description_->title), std::move(hint));
    return false;
  }
  const ParameterDescription& parameter = description_->parameters[*index];
  const auto value = parse_value(parameter, text);
  if (!value) {
    const bool choice = parameter.kind == ParameterKind::choice;
    diagnostics.error(here, fmt::format("'{}' is not {}", shortened(text), choice ? "a choice" : "a number"),
                      expectation(parameter),
                      choice ? did_you_mean(text, parameter.choices) : units_hint(parameter.unit));
    return false;
  }
  if (const auto expected = range_violation(parameter, *value)) {
    diagnostics.error(here, out_of_range(parameter, *value), *expected, hint_nearest(parameter, *value));
    return false;
  }
  values_[*index] = *value;
  return true;
}

bool ParameterValues::check(Diagnostics& diagnostics) const {
  std::vector<bool> fine(values_.size(), true);
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const ParameterDescription& parameter = description_->parameters[i];
    const auto expected = range_violation(parameter, values_[i]);
    if (!expected) continue;
    fine[i] = false;
    diagnostics.error({{}, 0, element(parameter.name)}, out_of_range(parameter, values_[i]), *expected,
                      hint_nearest(parameter, values_[i]));
  }
  bool holds = std::find(fine.begin(), fine.end(), false) == fine.end();
  // A constraint may divide by what it names, so it is asked only about values in range.
  const auto sound = [&](const std::string& name) { return fine[description_->find(name).value()]; };
  for (const Constraint& constraint : description_->constraints) {
    if (!std::all_of(constraint.parameters.begin(), constraint.parameters.end(), sound)) continue;
    if (constraint.holds(*this)) continue;
    diagnostics.add(broken_constraint(constraint, *this));
    holds = false;
  }
  return holds;
}

std::string ParameterValues::text(std::size_t index) const {
  const ParameterDescription& parameter = description_->parameters[index];
  const double value = values_[index];
  if (parameter.kind == ParameterKind::choice && allowed(parameter, value))
    return parameter.choices[static_cast<std::size_t>(value)];
  return number(value);
}

std::optional<std::string> range_violation(const ParameterDescription& description, double value) {
  if (allowed(description, value)) return std::nullopt;
  return expectation(description);
}

double nearest_allowed(const ParameterDescription& description, double value) {
  if (std::isnan(value)) return description.initial;
  if (description.kind == ParameterKind::choice)
    return std::round(std::clamp(value, 0.0, static_cast<double>(description.choices.size()) - 1));
  return description.powers_of_two ? nearest_power_of_two(description, value) : nearest_step(description, value);
}

Diagnostic broken_constraint(const Constraint& constraint, const ParameterValues& values) {
  std::vector<std::string> quoted, now;
  for (const std::string& name : constraint.parameters) {
    quoted.push_back(fmt::format("'{}'", name));
    now.push_back(fmt::format("{} = {}", name, values.text(values.description().find(name).value())));
  }
  return {Severity::error,
          {{}, 0, fmt::format("parameter{} {}", quoted.size() == 1 ? "" : "s", fmt::join(quoted, ", "))},
          fmt::format("{} do not go together", fmt::join(now, ", ")),
          constraint.message,
          fmt::format("change {}", fmt::join(constraint.parameters, " or "))};
}

}  // namespace convscope::arch
