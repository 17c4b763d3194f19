#include "core/target/instruction_lines.h"

#include <charconv>
#include <cstddef>
#include <optional>
#include <string_view>

namespace convscope::target {
namespace {

constexpr std::string_view about = "instruction ";

std::optional<std::size_t> instruction_of(std::string_view element) {
  if (!element.starts_with(about)) return std::nullopt;
  const char* const begin = element.data() + about.size();
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(begin, element.data() + element.size(), number);
  if (error != std::errc() || end == begin) return std::nullopt;
  return number;
}

}  // namespace

void append_at_lines(const Diagnostics& found, const std::vector<int>& lines, const std::string& file,
                     Diagnostics& diagnostics) {
  if (lines.empty()) return diagnostics.append(found);
  for (Diagnostic each : found.items()) {
    const auto instruction = instruction_of(each.where.element);
    if (instruction && *instruction < lines.size()) {
      each.where.file = file;
      each.where.line = lines[*instruction];
    }
    diagnostics.add(std::move(each));
  }
}

}  // namespace convscope::target
