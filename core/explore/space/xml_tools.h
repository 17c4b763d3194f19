#pragma once
// What reading elements with fixed attributes needs everywhere.

#include <string>
#include <string_view>
#include <vector>

#include "core/base/xml.h"

namespace convscope::explore {

/// Lists are separated by blanks or commas.
inline constexpr std::string_view list_separators = " \t\r\n,";

/// Elements of one document, with the diagnostics that they all need.
class XmlElements {
 public:
  XmlElements(const XmlDocument& document, Diagnostics& diagnostics) : document_(document), diagnostics_(diagnostics) {}

  Location where(pugi::xml_node node) const;
  Diagnostics& diagnostics() const { return diagnostics_; }
  void error(pugi::xml_node node, std::string what, std::string expected = {}, std::string hint = {}) const;

  /// Each attribute must be known; those of `required` must be there and not be empty.
  bool check_attributes(pugi::xml_node node, const std::vector<std::string_view>& known,
                        const std::vector<std::string_view>& required) const;
  /// An attribute's number, or the default; a diagnostic and nothing if it is none.
  std::optional<double> number(pugi::xml_node node, const char* attribute, double otherwise) const;
  /// Text of an element that holds nothing else; nothing, with a diagnostic, if it holds elements.
  std::optional<std::string> text(pugi::xml_node node) const;

 private:
  const XmlDocument& document_;
  Diagnostics& diagnostics_;
};

}  // namespace convscope::explore
