#include "core/target/options.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace convscope::target {
namespace {

std::optional<std::int64_t> integer_of(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string names_of(const std::vector<OptionDescription>& descriptions) {
  std::string names;
  for (const OptionDescription& each : descriptions) names += (names.empty() ? "--" : ", --") + each.name;
  return names;
}

}  // namespace

std::string OptionDescription::mistake(std::string_view value) const {
  if (kind == OptionKind::integer) {
    const auto number = integer_of(value);
    if (!number) return fmt::format("'{}' is no whole number", value);
    if (*number < minimum) return fmt::format("{} is below {}", value, minimum);
    if (*number > maximum) return fmt::format("{} is above {}", value, maximum);
  }
  if (kind == OptionKind::choice && std::find(choices.begin(), choices.end(), value) == choices.end())
    return fmt::format("'{}' is none of {}", value, fmt::join(choices, ", "));
  return {};
}

OptionValues::OptionValues(std::vector<OptionDescription> descriptions) : descriptions_(std::move(descriptions)) {
  for (const OptionDescription& each : descriptions_) values_.push_back(each.initial);
}

std::size_t OptionValues::index_of(std::string_view name) const {
  const auto found = std::find_if(descriptions_.begin(), descriptions_.end(),
                                  [&](const OptionDescription& each) { return each.name == name; });
  return static_cast<std::size_t>(found - descriptions_.begin());
}

bool OptionValues::set(std::string_view name, std::string_view value, Diagnostics& diagnostics) {
  const std::size_t index = index_of(name);
  const Location where{fmt::format("--{}", name), 0, {}};
  if (index == descriptions_.size()) {
    diagnostics.error(where, "this target knows no such option",
                      descriptions_.empty() ? "no option" : names_of(descriptions_));
    return false;
  }
  const std::string mistake = descriptions_[index].mistake(value);
  if (!mistake.empty()) {
    diagnostics.error(where, mistake, descriptions_[index].help);
    return false;
  }
  values_[index] = value;
  return true;
}

const std::string& OptionValues::text(std::string_view name) const {
  assert(index_of(name) < values_.size());
  return values_[index_of(name)];
}

std::int64_t OptionValues::integer(std::string_view name) const {
  const auto value = integer_of(text(name));
  assert(value);
  return *value;
}

}  // namespace convscope::target
