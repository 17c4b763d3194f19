#include "core/base/xml.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/text.h"

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

// A tree takes many times the memory of its text, so its elements are counted before there is one.
// Each '<' counts, also one in a comment: exact enough for a cap.
std::size_t offset_beyond_elements(std::string_view text, std::size_t cap) {
  std::size_t count = 0;
  for (std::size_t i = text.find('<'); i != std::string_view::npos; i = text.find('<', i + 1))
    if (++count > cap) return i;
  return std::string_view::npos;
}

bool has_duplicate_attribute(pugi::xml_node element) {
  std::vector<std::string_view> names;
  for (const pugi::xml_attribute attribute : element.attributes()) names.push_back(attribute.name());
  std::sort(names.begin(), names.end());
  return std::adjacent_find(names.begin(), names.end()) != names.end();
}

// What pugixml lets pass. Without recursion: pugixml parses and frees trees without it, and a tree may be deep.
class Inspection {
 public:
  /// First offending node in document order; null if all is well.
  pugi::xml_node offender;
  const char* what = nullptr;
  std::string expected;

  explicit Inspection(const pugi::xml_document& document) {
    int depth = 0;
    for (pugi::xml_node node = document.first_child(); node && !what;) {
      inspect(node, depth);
      if (node.first_child()) {
        node = node.first_child();
        ++depth;
      } else {
        for (; node && !node.next_sibling(); --depth) node = node.parent();
        node = node.next_sibling();
      }
    }
  }

 private:
  void inspect(pugi::xml_node node, int depth) {
    if (node.type() != pugi::node_element) return;
    if (depth >= XmlDocument::depth_cap)
      refuse(node, "elements are nested too deeply", fmt::format("at most {} levels", XmlDocument::depth_cap));
    else if (depth == 0 && std::exchange(has_root_, true))
      refuse(node, "a second outermost element", "one");
    else if (has_duplicate_attribute(node))
      refuse(node, "an attribute is given twice", "each attribute once");
  }

  void refuse(pugi::xml_node node, const char* reason, std::string wanted) {
    offender = node;
    what = reason;
    expected = std::move(wanted);
  }

  bool has_root_ = false;
};

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
  if (const std::size_t beyond = offset_beyond_elements(text, element_cap); beyond != std::string_view::npos) {
    diagnostics.error({file, line_of(result.line_starts_, beyond), {}}, "there are too many elements",
                      fmt::format("at most {}", element_cap));
    return std::nullopt;
  }
  result.document_ = std::make_unique<pugi::xml_document>();
  const auto outcome =
      result.document_->load_buffer(text.data(), text.size(), pugi::parse_default, pugi::encoding_utf8);
  if (!outcome || !result.root()) {
    const auto offset = static_cast<std::size_t>(std::max<std::ptrdiff_t>(outcome.offset, 0));
    diagnostics.error({file, line_of(result.line_starts_, offset), {}},
                      fmt::format("not well-formed XML: {}", outcome.description()), "a complete XML document");
    return std::nullopt;
  }
  if (const Inspection found(*result.document_); found.what != nullptr) {
    diagnostics.error(result.location(found.offender, fmt::format("element <{}>", found.offender.name())), found.what,
                      found.expected);
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

bool check_attributes(pugi::xml_node node, const std::vector<std::string_view>& known, const Location& where,
                      Diagnostics& diagnostics, Severity severity) {
  bool fine = true;
  for (const pugi::xml_attribute attribute : node.attributes()) {
    if (std::find(known.begin(), known.end(), attribute.name()) != known.end()) continue;
    const char* left_out = severity == Severity::error ? "" : " is left out";
    diagnostics.add({severity,
                     where,
                     fmt::format("unknown attribute {}{}", quoted(attribute.name()), left_out),
                     known.empty() ? "no attributes" : fmt::format("only {}", fmt::join(known, ", ")),
                     {}});
    fine = false;
  }
  return fine;
}

}  // namespace convscope
