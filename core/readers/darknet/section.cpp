#include "core/readers/darknet/section.h"

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/base/text.h"

namespace convscope::readers::darknet {
namespace {

std::string without_blanks(std::string_view line) {
  std::string kept;
  for (const char c : line)
    if (c != ' ' && c != '\t' && c != '\r') kept += c;
  return kept;
}

void add_section(const std::string& line, int number, std::vector<Section>& sections, Report& report) {
  if (line.back() != ']')
    report.error(number, {}, fmt::format("{} has no closing bracket", convscope::quoted(line)), "[section]");
  const std::size_t length = line.back() == ']' ? line.size() - 2 : line.size() - 1;
  sections.push_back({clean_name(std::string_view(line).substr(1, length)), number, {}});
}

void add_option(const std::string& line, int number, std::vector<Section>& sections, Report& report) {
  const std::size_t equals = line.find('=');
  if (equals == std::string::npos || equals == 0) {
    report.error(number, {}, fmt::format("{} is no option", convscope::quoted(line)), "key=value");
  } else if (sections.empty()) {
    report.error(number, {}, fmt::format("{} stands before the first section", convscope::quoted(line)), "[net]");
  } else {
    const std::string key = line.substr(0, equals);
    if (sections.back().find(key) != nullptr)
      report.warning(number, fmt::format("[{}]", sections.back().type),
                     fmt::format("{} is repeated; the first one counts", convscope::quoted(key)));
    sections.back().options.push_back({key, line.substr(equals + 1), number});
  }
}

}  // namespace

const Option* Section::find(std::string_view key) const {
  for (const Option& option : options)
    if (option.key == key) return &option;
  return nullptr;
}

std::vector<Section> parse_sections(std::string_view text, Report& report) {
  constexpr std::size_t option_cap = 200;
  std::vector<Section> sections;
  int number = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string line = without_blanks(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    ++number;
    if (line.empty() || line.front() == '#' || line.front() == ';') continue;
    if (line.front() == '[') {
      add_section(line, number, sections, report);
    } else {
      add_option(line, number, sections, report);
    }
    if (sections.size() > section_cap || (!sections.empty() && sections.back().options.size() > option_cap)) {
      report.error(number, {}, "the file has too many sections or options",
                   fmt::format("at most {} sections of {} options", section_cap, option_cap));
      return {};
    }
  }
  return sections;
}

std::int64_t Options::number(const Option& option, std::string_view text, Limits limits, std::int64_t fallback) const {
  const auto value = parse_integer<std::int64_t>(text);
  if (value && *value >= limits.smallest && *value <= limits.largest) return *value;
  report_.error(option.line, layer_,
                fmt::format("option {} is {}", convscope::quoted(option.key), convscope::quoted(text)),
                fmt::format("an integer from {} to {}", limits.smallest, limits.largest));
  return fallback;
}

std::int64_t Options::integer(std::string_view key, std::int64_t fallback, Limits limits) const {
  const Option* option = section_.find(key);
  return option == nullptr ? fallback : number(*option, option->value, limits, fallback);
}

double Options::real(std::string_view key, double fallback) const {
  const Option* option = section_.find(key);
  if (option == nullptr) return fallback;
  if (const auto value = parse_number(option->value)) return *value;
  report_.error(option->line, layer_,
                fmt::format("option {} is {}", convscope::quoted(key), convscope::quoted(option->value)), "a number");
  return fallback;
}

std::string Options::text(std::string_view key, const std::string& fallback) const {
  const Option* option = section_.find(key);
  return option == nullptr ? fallback : clean_name(option->value);
}

std::vector<std::int64_t> Options::integers(std::string_view key) const {
  std::vector<std::int64_t> values;
  const Option* option = section_.find(key);
  if (option == nullptr) return values;
  std::string_view rest = option->value;
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    const Limits any{-std::numeric_limits<int>::max(), std::numeric_limits<int>::max()};
    values.push_back(number(*option, rest.substr(0, comma), any, 0));
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
  }
  return values;
}

}  // namespace convscope::readers::darknet
