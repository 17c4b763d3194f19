#include "core/explore/space/space.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <fmt/format.h>

namespace convscope::explore {
namespace {

std::string shown(const arch::ParameterDescription& parameter) {
  return fmt::format("'{}'", parameter.name);
}

/// Names as expressions of a family see them.
class Names {
 public:
  Names(const Family& family, const Point& point) : family_(family), point_(point) {}

  std::optional<Expression::Value> operator()(std::string_view name) const {
    const arch::MachineDescription& description = point_.machine.description();
    if (const auto index = description.find(name)) {
      if (description.parameters[*index].kind == arch::ParameterKind::choice) return point_.machine.text(*index);
      return point_.machine.at(*index);
    }
    if (name == "level") return family_.levels[point_.level];
    if (name == "preset") return family_.presets[point_.preset].name;
    if (const auto value = resource_value(*family_.target, point_.machine, name)) return *value;
    return std::nullopt;
  }

 private:
  const Family& family_;
  const Point& point_;
};

std::optional<double> linked_value(const arch::ParameterDescription& parameter, const Expression::Value& value) {
  if (const double* number = std::get_if<double>(&value); number && parameter.kind != arch::ParameterKind::choice)
    return parameter.kind == arch::ParameterKind::integer && std::abs(*number - std::round(*number)) < 1e-9
               ? std::round(*number)  // 0.1 * 30 is meant to be 3
               : *number;
  // A choice is named, by a text or by a number such as 16.
  const std::string name = std::holds_alternative<double>(value) ? fmt::format("{:.0f}", std::get<double>(value))
                                                                 : std::get<std::string>(value);
  const auto found = std::find(parameter.choices.begin(), parameter.choices.end(), name);
  if (found == parameter.choices.end()) return std::nullopt;
  return static_cast<double>(found - parameter.choices.begin());
}

std::string follow_links(const Family& family, Point& point) {
  for (const Link& link : family.links) {
    const arch::ParameterDescription& parameter = point.machine.description().parameters[link.parameter];
    const auto value = link.expression.value(Names(family, point));
    if (!value) return fmt::format("{} = {} has no value", shown(parameter), link.expression.text());
    const auto number = linked_value(parameter, *value);
    if (!number || arch::range_violation(parameter, *number))
      return fmt::format("{} = {} is not {}", shown(parameter), link.expression.text(),
                         arch::range_violation(parameter, number.value_or(-1)).value_or("allowed"));
    point.machine.set_at(link.parameter, *number);
  }
  return {};
}

std::string broken_rule(const Family& family, const Point& point) {
  for (const arch::Constraint& constraint : point.machine.description().constraints)
    if (!constraint.holds(point.machine)) return constraint.message;
  for (const Rule& rule : family.rules)
    if (!rule.expression.holds(Names(family, point))) return rule.reason;
  return {};
}

}  // namespace

std::vector<std::uint64_t> Family::radices() const {
  std::vector<std::uint64_t> result = {presets.size(), levels.size()};
  for (const Axis& axis : axes) result.push_back(axis.values.size());
  return result;
}

std::optional<std::uint64_t> Family::size() const {
  std::uint64_t product = 1;
  for (const std::uint64_t radix : radices())
    if (__builtin_mul_overflow(product, radix, &product)) return std::nullopt;
  return product;
}

// floor(size * part / parts) without a product that overflows.
std::uint64_t Shard::begin(std::uint64_t size) const {
  return size / parts * part + size % parts * part / parts;
}

std::uint64_t Shard::end(std::uint64_t size) const {
  return Shard{part + 1, parts}.begin(size);
}

Targets Space::targets() const {
  Targets targets;
  for (const Family& family : families)
    if (std::find(targets.begin(), targets.end(), family.target) == targets.end()) targets.push_back(family.target);
  return targets;
}

std::uint64_t Space::size() const {
  std::uint64_t sum = 0;
  for (const Family& family : families) sum += family.size().value();
  return sum;
}

Space::Place Space::place(std::uint64_t index) const {
  Place place;
  while (index >= families[place.family].size().value()) index -= families[place.family++].size().value();
  const std::vector<std::uint64_t> radices = families[place.family].radices();
  place.digits.resize(radices.size());
  for (std::size_t i = radices.size(); i-- > 0;) {
    place.digits[i] = index % radices[i];
    index /= radices[i];
  }
  return place;
}

std::uint64_t Space::index(const Place& place) const {
  const std::vector<std::uint64_t> radices = families[place.family].radices();
  std::uint64_t index = 0;
  for (std::size_t i = 0; i < radices.size(); ++i) index = index * radices[i] + place.digits[i];
  for (std::size_t i = 0; i < place.family; ++i) index += families[i].size().value();
  return index;
}

Point Space::point(std::uint64_t index) const {
  assert(index < size());
  const Place at = place(index);
  const Family& family = families[at.family];
  const auto digit = [&](std::size_t i) { return static_cast<std::size_t>(at.digits[i]); };
  Point point{index, at.family, digit(0), digit(1), family.presets[digit(0)].values, {}};
  for (std::size_t i = 0; i < family.axes.size(); ++i)
    point.machine.set_at(family.axes[i].parameter, family.axes[i].values[digit(i + 2)]);
  point.removed = follow_links(family, point);
  if (point.removed.empty()) point.removed = broken_rule(family, point);
  return point;
}

std::optional<double> resource_value(const target::Target& target, const arch::ParameterValues& machine,
                                     std::string_view key) {
  for (const artifact::NamedQuantity& item : target.resources(machine))
    if (item.key == key) return item.quantity.value;
  return std::nullopt;
}

}  // namespace convscope::explore
