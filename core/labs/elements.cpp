#include "core/labs/elements.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/base/text.h"

namespace convscope::labs {
namespace {

constexpr std::size_t longest_name = 64;

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}

}  // namespace

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= longest_name && std::all_of(text.begin(), text.end(), is_name_character);
}

std::string prose(std::string_view text) {
  std::string joined;
  for (const std::string& word : words(text)) {
    if (!joined.empty()) joined += ' ';
    joined += word;
  }
  return clean(joined);
}

Location Elements::where(pugi::xml_node node) const {
  const std::string name = node.attribute("name").value();
  return document_.location(node, name.empty() ? fmt::format("element <{}>", node.name())
                                               : fmt::format("{} {}", node.name(), in_quotes(name)));
}

void Elements::error(pugi::xml_node node, std::string what, std::string expected, std::string hint) const {
  diagnostics_.error(where(node), std::move(what), std::move(expected), std::move(hint));
}

bool Elements::expect(pugi::xml_node node, const std::vector<std::string_view>& known) const {
  return check_attributes(node, known, where(node), diagnostics_);
}

std::string Elements::name(pugi::xml_node node, const char* attribute) const {
  const std::string text = node.attribute(attribute).value();
  if (is_name(text)) return text;
  error(node,
        text.empty() ? fmt::format("attribute '{}' is missing or empty", attribute)
                     : fmt::format("{}={} is no name", attribute, in_quotes(text)),
        fmt::format("at most {} letters, digits, '_', '-' and '.'", longest_name));
  return {};
}

std::string Elements::text(pugi::xml_node node, const char* attribute, bool required) const {
  std::string text = prose(node.attribute(attribute).value());
  if (required && text.empty())
    error(node, fmt::format("attribute '{}' is missing or empty", attribute), fmt::format("{}=\"…\"", attribute));
  return text;
}

std::optional<double> Elements::number(pugi::xml_node node, const char* attribute, double least, double most) const {
  const pugi::xml_attribute found = node.attribute(attribute);
  if (!found) return std::nullopt;
  const auto value = parse_number(trimmed(found.value()));
  if (value && *value >= least && *value <= most) return value;
  error(node, fmt::format("{}={} is no such number", attribute, in_quotes(found.value())),
        fmt::format("a number from {} to {}", least, most));
  return std::nullopt;
}

std::optional<std::string> Elements::content(pugi::xml_node node) const {
  std::string text;
  for (const pugi::xml_node child : node.children()) {
    if (child.type() != pugi::node_pcdata && child.type() != pugi::node_cdata) {
      error(node, fmt::format("holds an element <{}>", child.name()), "text alone",
            "write < as &lt;, or put the text into <![CDATA[ … ]]>");
      return std::nullopt;
    }
    text += child.value();
  }
  return text;
}

std::string Elements::prose_of(pugi::xml_node node) const {
  return prose(content(node).value_or(std::string()));
}

bool Elements::has_room(pugi::xml_node node, std::size_t count, std::size_t most) const {
  if (count < most) return true;
  if (count == most) error(node, fmt::format("more than {} of these", most), fmt::format("at most {}", most));
  return false;
}

}  // namespace convscope::labs
