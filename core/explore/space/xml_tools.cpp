#include "core/explore/space/xml_tools.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace convscope::explore {
namespace {

constexpr std::string_view blanks = " \t\r\n";

}  // namespace

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::vector<std::string> words(std::string_view text) {
  constexpr std::string_view separators = " \t\r\n,";
  std::vector<std::string> result;
  std::size_t begin = text.find_first_not_of(separators);
  while (begin != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
    result.emplace_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(separators, end);
  }
  return result;
}

Location XmlElements::where(pugi::xml_node node) const {
  const char* name = node.attribute("name").value();
  return document_.location(
      node, *name == '\0' ? fmt::format("element <{}>", node.name()) : fmt::format("{} '{}'", node.name(), name));
}

void XmlElements::error(pugi::xml_node node, std::string what, std::string expected, std::string hint) const {
  diagnostics_.error(where(node), std::move(what), std::move(expected), std::move(hint));
}

bool XmlElements::check_attributes(pugi::xml_node node, const std::vector<std::string_view>& known,
                                   const std::vector<std::string_view>& required) const {
  bool fine = true;
  for (const pugi::xml_attribute attribute : node.attributes()) {
    if (std::find(known.begin(), known.end(), attribute.name()) != known.end()) continue;
    error(node, fmt::format("unknown attribute '{}'", attribute.name()), fmt::format("{}", fmt::join(known, ", ")));
    fine = false;
  }
  for (const std::string_view name : required) {
    if (*node.attribute(std::string(name).c_str()).value() != '\0') continue;
    error(node, fmt::format("attribute '{}' is missing or empty", name), fmt::format("{}=\"…\"", name));
    fine = false;
  }
  return fine;
}

std::optional<double> XmlElements::number(pugi::xml_node node, const char* attribute, double otherwise) const {
  const pugi::xml_attribute found = node.attribute(attribute);
  if (!found) return otherwise;
  const std::string_view text = trimmed(found.value());
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem == std::errc() && end == text.data() + text.size() && std::isfinite(value)) return value;
  error(node, fmt::format("{}=\"{}\" is no number", attribute, text), "digits, with a point and without a unit");
  return std::nullopt;
}

std::optional<std::string> XmlElements::text(pugi::xml_node node) const {
  const pugi::xml_node only = node.first_child();
  if (!only || (only == node.last_child() && only.type() != pugi::node_element))
    return std::string(trimmed(node.text().get()));
  error(node, "elements or comments inside a value", "a plain value");
  return std::nullopt;
}

}  // namespace convscope::explore
