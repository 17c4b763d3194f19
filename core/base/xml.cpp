#include "core/base/xml.h"

#include <fmt/format.h>

#include <algorithm>

namespace convscope {
namespace {

std::vector<std::size_t> starts_of_lines(std::string_view text) {
  std::vector<std::size_t> starts{0};
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') starts.push_back(i + 1);
  return starts;
}

int line_of(const std::vector<std::size_t>& starts, std::size_t offset) {
  return static_cast<int>(std::upper_bound(starts.begin(), starts.end(), offset) - starts.begin());
}

// pugixml parses without recursion but walks and destroys trees with it, so depth is capped before parsing.
// Counting '<' openings is exact enough for a cap: comments and CDATA can only make it stricter.
std::size_t offset_beyond_depth(std::string_view text, int cap) {
  int depth = 0;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] == '<') {
      const char next = text[i + 1];
      if (next == '/') --depth;
      else if (next != '!' && next != '?' && ++depth > cap) return i;
    } else if (text[i] == '/' && text[i + 1] == '>') {
      --depth;
    }
  }
  return std::string_view::npos;
}

}  // namespace

std::optional<XmlDocument> XmlDocument::parse(std::string_view text, const std::string& file,
                                              Diagnostics& diagnostics) {
  if (text.size() > size_cap) {
    diagnostics.error({file, 0, {}}, "the XML text is too large", fmt::format("at most {} bytes", size_cap));
    return std::nullopt;
  }
  XmlDocument result;
  result.file_ = file;
  result.line_starts_ = starts_of_lines(text);
  if (const std::size_t deep = offset_beyond_depth(text, depth_cap); deep != std::string_view::npos) {
    diagnostics.error({file, line_of(result.line_starts_, deep), {}}, "elements are nested too deeply",
                      fmt::format("at most {} levels", depth_cap));
    return std::nullopt;
  }
  result.document_ = std::make_unique<pugi::xml_document>();
  const auto outcome = result.document_->load_buffer(text.data(), text.size(), pugi::parse_default, pugi::encoding_utf8);
  if (!outcome || !result.root()) {
    const auto offset = static_cast<std::size_t>(std::max<std::ptrdiff_t>(outcome.offset, 0));
    diagnostics.error({file, line_of(result.line_starts_, offset), {}},
                      fmt::format("not well-formed XML: {}", outcome.description()), "a complete XML document");
    return std::nullopt;
  }
  return result;
}

int XmlDocument::line(pugi::xml_node node) const {
  const std::ptrdiff_t offset = node.offset_debug();
  return offset < 0 ? 0 : line_of(line_starts_, static_cast<std::size_t>(offset));
}

Location XmlDocument::location(pugi::xml_node node, std::string element) const {
  return {file_, line(node), std::move(element)};
}

}  // namespace convscope
