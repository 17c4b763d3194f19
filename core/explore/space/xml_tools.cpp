#include "core/explore/space/xml_tools.h"

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/base/text.h"

namespace convscope::explore {
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
  bool fine = convscope::check_attributes(node, known, where(node), diagnostics_);
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
  if (const auto value = parse_number(text)) return value;
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
