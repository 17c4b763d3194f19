#pragma once
// pugixml with what it lacks for diagnostics: lines instead of offsets, caps on size and depth.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pugixml.hpp>

#include "core/base/diagnostic.h"

namespace convscope {

/// A parsed document that knows the line of each node.
class XmlDocument {
 public:
  static constexpr std::size_t size_cap = std::size_t{16} << 20;
  static constexpr std::size_t element_cap = 1'000'000;  ///< tags, opening and closing
  static constexpr int depth_cap = 64;

  /// Parses; malformed, too large or too deeply nested text, or a repeated attribute, gives a diagnostic with its line
  /// and nothing else.
  static std::optional<XmlDocument> parse(std::string_view text, const std::string& file, Diagnostics& diagnostics);

  pugi::xml_node root() const { return document_->document_element(); }
  /// 1-based line of a node.
  int line(pugi::xml_node node) const;
  Location location(pugi::xml_node node, std::string element) const;

 private:
  XmlDocument() = default;
  std::string file_;
  std::vector<std::size_t> line_starts_;
  std::unique_ptr<pugi::xml_document> document_;
};

/// A diagnostic for each attribute that is none of `known`: an error, or a warning that it is left out. True if there
/// is none.
bool check_attributes(pugi::xml_node node, const std::vector<std::string_view>& known, const Location& where,
                      Diagnostics& diagnostics, Severity severity = Severity::error);

}  // namespace convscope
