#include "core/explore/space/axis_values.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/base/text.h"

namespace convscope::explore {
namespace {

using arch::ParameterDescription;
using arch::ParameterKind;
using arch::ParameterValues;

/// A range as it is written: from, to, and one of step and factor.
struct Range {
  double from = 0, to = 0, step = 0, factor = 0;
};

std::optional<Range> read_range(pugi::xml_node node, const ParameterDescription& parameter,
                                const XmlElements& elements) {
  const auto from = elements.number(node, "from", parameter.minimum);
  const auto to = elements.number(node, "to", parameter.maximum);
  const auto step = elements.number(node, "step", 0), factor = elements.number(node, "factor", 0);
  if (!from || !to || !step || !factor) return std::nullopt;
  Range range{*from, *to, *step, *factor};
  const bool has_step = node.attribute("step"), has_factor = node.attribute("factor");
  if (has_step && has_factor) return elements.error(node, "both a step and a factor", "one of them"), std::nullopt;
  if (has_step && range.step <= 0)
    return elements.error(node, fmt::format("a step of {}", range.step), "a step above 0"), std::nullopt;
  if (has_factor && range.factor <= 1)
    return elements.error(node, fmt::format("a factor of {}", range.factor), "a factor above 1"), std::nullopt;
  if (!has_step && !has_factor)
    (parameter.powers_of_two ? range.factor : range.step) = parameter.powers_of_two ? 2 : parameter.step;
  if (range.factor > 1 && range.from <= 0)
    return elements.error(node, fmt::format("a factor of {} from {}", range.factor, range.from), "a range above 0"),
           std::nullopt;
  return range;
}

bool refuse_range(pugi::xml_node node, const ParameterDescription& parameter, const Range& range,
                  const XmlElements& elements) {
  if (parameter.kind == ParameterKind::choice)
    elements.error(node, "a range of a parameter that is a choice", "a list of its names");
  else if (range.from > range.to)
    elements.error(node, fmt::format("the range from {} to {} is empty", range.from, range.to),
                   "a range of at least one value", "exchange from and to");
  else if (range.step <= 0 && range.factor <= 1)
    elements.error(node, "this parameter has no step of its own", "step=\"…\" or factor=\"…\"");
  else
    return false;
  return true;
}

double number_of_values(const Range& range) {
  constexpr double tolerance = 1e-9;  // 0.3 lies on steps of 0.1
  const double steps = range.factor > 1 ? std::log(range.to / range.from) / std::log(range.factor)
                                        : (range.to - range.from) / range.step;
  return std::floor(steps + tolerance) + 1;
}

// Twelve digits are what is meant: 0.1 + 2 * 0.1 is 0.3.
std::vector<std::string> texts_of(const Range& range) {
  std::vector<std::string> texts;
  const auto count = static_cast<std::size_t>(number_of_values(range));
  for (std::size_t i = 0; i < count; ++i) {
    const auto n = static_cast<double>(i);
    texts.push_back(fmt::format(
        "{:.12g}", range.factor > 1 ? range.from * std::pow(range.factor, n) : range.from + n * range.step));
  }
  return texts;
}

std::optional<std::vector<std::string>> written_values(pugi::xml_node node, const ParameterDescription& parameter,
                                                       const XmlElements& elements) {
  const bool ranged =
      node.attribute("from") || node.attribute("to") || node.attribute("step") || node.attribute("factor");
  const auto text = elements.text(node);
  if (!text) return std::nullopt;
  if (!ranged) return words(*text, list_separators);
  if (!text->empty()) return elements.error(node, "both a range and a list", "one of them"), std::nullopt;
  const auto range = read_range(node, parameter, elements);
  if (!range || refuse_range(node, parameter, *range, elements)) return std::nullopt;
  // Not "more than": a number that is none is refused here, too.
  if (!(number_of_values(*range) <= static_cast<double>(longest_axis)))
    return elements.error(node, fmt::format("a range of {:.3g} values", number_of_values(*range)),
                          fmt::format("at most {}", longest_axis), "take larger steps"),
           std::nullopt;
  return texts_of(*range);
}

}  // namespace

std::vector<double> read_axis_values(pugi::xml_node node, const ParameterValues& defaults, std::size_t parameter,
                                     const XmlElements& elements) {
  const ParameterDescription& description = defaults.description().parameters[parameter];
  const auto texts = written_values(node, description, elements);
  if (!texts) return {};
  if (texts->empty())
    return elements.error(node, "no value", "a list of values, or from and to"), std::vector<double>();
  if (texts->size() > longest_axis)
    return elements.error(node, fmt::format("{} values", texts->size()), fmt::format("at most {}", longest_axis)),
           std::vector<double>();
  std::vector<double> values;
  ParameterValues scratch = defaults;
  for (const std::string& text : *texts) {
    if (!scratch.set(description.name, text, elements.diagnostics(), elements.where(node))) return {};
    values.push_back(scratch.at(parameter));
  }
  std::vector<double> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    return elements.error(node, "a value is listed twice", "each value once"), std::vector<double>();
  return values;
}

}  // namespace convscope::explore
