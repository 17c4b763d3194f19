#include "core/analysis/table.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/base/shortened.h"

namespace convscope::analysis {
namespace {

const std::string& cell(const std::vector<std::string>& row, std::size_t column) {
  static const std::string none;
  return column < row.size() ? row[column] : none;
}

constexpr std::size_t longest_first_cell = 64;  ///< bytes: names of tensors push figures out of the terminal

TextTable with_short_cells(TextTable table) {
  for (auto& row : table.rows)
    for (std::size_t column = 0; column < row.size(); ++column)
      row[column] = shortened(row[column], column == 0 ? longest_first_cell : longest_shown_name);
  return table;
}

// Continuation bytes of UTF-8 take no room of their own.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

bool looks_numeric(std::string_view text) {
  const std::size_t sign = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  return text.size() > sign && text[sign] >= '0' && text[sign] <= '9';
}

bool is_numeric(const TextTable& table, std::size_t column) {
  bool any = false;
  for (const auto& row : table.rows) {
    const std::string& text = cell(row, column);
    if (text.empty() || text == "-") continue;
    if (!looks_numeric(text)) return false;
    any = true;
  }
  return any;
}

std::string line_of(const std::vector<std::string>& row, const std::vector<std::size_t>& widths,
                    const std::vector<bool>& numeric) {
  std::string line;
  for (std::size_t c = 0; c < widths.size(); ++c) {
    const std::string& text = cell(row, c);
    const std::string padding(widths[c] - width(text), ' ');
    line += c == 0 ? "" : "  ";
    line += numeric[c] ? padding + text : text + padding;
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + '\n';
}

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + '"';
}

}  // namespace

std::string aligned_text(const TextTable& table) {
  const TextTable shown = with_short_cells(table);
  std::vector<std::size_t> widths(shown.columns.size());
  std::vector<bool> numeric(shown.columns.size());
  for (std::size_t c = 0; c < widths.size(); ++c) {
    widths[c] = width(shown.columns[c]);
    for (const auto& row : shown.rows) widths[c] = std::max(widths[c], width(cell(row, c)));
    numeric[c] = is_numeric(shown, c);
  }
  std::string text = line_of(shown.columns, widths, numeric);
  for (const auto& row : shown.rows) text += line_of(row, widths, numeric);
  return text;
}

std::string comma_separated(const TextTable& table) {
  const auto line = [&](const std::vector<std::string>& row) {
    std::string text;
    for (std::size_t c = 0; c < table.columns.size(); ++c) text += (c == 0 ? "" : ",") + quoted(cell(row, c));
    return text + '\n';
  };
  std::string text = line(table.columns);
  for (const auto& row : table.rows) text += line(row);
  return text;
}

std::string number_text(double value) {
  if (std::nearbyint(value) == value && std::abs(value) < 9007199254740992.0)
    return fmt::format("{}", static_cast<long long>(value));
  return fmt::format("{}", value);
}

std::string percent_text(double fraction) {
  return fmt::format("{:+.2f} %", 100 * fraction);
}

}  // namespace convscope::analysis
