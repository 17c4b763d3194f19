#include "core/target/recognize.h"

#include <algorithm>
#include <string>

#include "core/base/text.h"

namespace convscope::target {
namespace {

constexpr std::size_t looked_at = std::size_t{1} << 16;  // bytes; long comments may stand before the first directive

/// What follows a directive in its line; empty if the line is of another one.
std::string_view after(std::string_view line, std::string_view directive) {
  if (!line.starts_with(directive)) return {};
  const std::string_view rest = line.substr(directive.size());
  return rest.empty() || blanks.find(rest.front()) == std::string_view::npos ? std::string_view() : trimmed(rest);
}

}  // namespace

bool is_assembly(std::string_view content, const AssemblyMarks& marks) {
  const std::string_view head = content.substr(0, looked_at);
  bool named = false, other = false;
  for (std::size_t begin = 0; begin < head.size() && !(named && other);) {
    const std::size_t end = std::min(head.find('\n', begin), head.size());
    const std::string_view line = trimmed(head.substr(begin, end - begin));
    named = named || after(line, marks.naming).starts_with('"');
    other = other || std::any_of(marks.others.begin(), marks.others.end(),
                                 [&](std::string_view directive) { return !after(line, directive).empty(); });
    begin = end + 1;
  }
  return named && other;
}

bool is_program_file(std::string_view content, std::string_view schema) {
  const std::string_view head = trimmed(content.substr(0, looked_at));
  return head.starts_with('{') && head.find('"' + std::string(schema) + '"') != std::string_view::npos;
}

}  // namespace convscope::target
