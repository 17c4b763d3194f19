#pragma once
// What reading elements with fixed attributes needs, of labs and of submissions.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/xml.h"

namespace convscope::labs {

/// Elements of one document, with the diagnostics that they all need.
class Elements {
 public:
  Elements(const XmlDocument& document, Diagnostics& diagnostics) : document_(document), diagnostics_(diagnostics) {}

  Location where(pugi::xml_node node) const;
  int line(pugi::xml_node node) const { return document_.line(node); }
  Diagnostics& diagnostics() const { return diagnostics_; }
  void error(pugi::xml_node node, std::string what, std::string expected = {}, std::string hint = {}) const;

  /// No other attributes than those that are known.
  bool expect(pugi::xml_node node, const std::vector<std::string_view>& known) const;
  /// The attribute, a name of letters, digits, '_', '-' and '.', at most 64 of them; empty, with an error, if it is
  /// missing or none.
  std::string name(pugi::xml_node node, const char* attribute = "name") const;
  /// The attribute's text as `prose`; an error if it is required and empty.
  std::string text(pugi::xml_node node, const char* attribute, bool required = false) const;
  /// A number from `least` to `most`; nothing if there is no such attribute, nothing and an error if it is none.
  std::optional<double> number(pugi::xml_node node, const char* attribute, double least, double most) const;
  /// Text of an element that holds nothing else, as it stands; nothing and an error if there are elements in it.
  std::optional<std::string> content(pugi::xml_node node) const;
  /// The same as prose.
  std::string prose_of(pugi::xml_node node) const;
  /// False, with an error, if there are more than `most` of this kind already.
  bool has_room(pugi::xml_node node, std::size_t count, std::size_t most) const;

 private:
  const XmlDocument& document_;
  Diagnostics& diagnostics_;
};

bool is_name(std::string_view text);
/// Running text: valid UTF-8, lines joined, blanks between words single.
std::string prose(std::string_view text);

}  // namespace convscope::labs
