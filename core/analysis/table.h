#pragma once
// Tables as text: aligned for people, comma-separated for programs.

#include <string>
#include <string_view>
#include <vector>

namespace convscope::analysis {

struct TextTable {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  ///< at most as many cells as columns; missing ones are empty
};

/// Columns padded to their widest cell; columns of numbers flush right. Each line ended. Of names in the first column
/// that leave no room for figures, and of other cells that no terminal has room for, begin and end are shown.
std::string aligned_text(const TextTable& table);

/// RFC 4180 with line feeds: cells with commas, quotes or line breaks are quoted.
std::string comma_separated(const TextTable& table);

/// Shortest text that reads back as the same double; whole numbers without decimals.
std::string number_text(double value);
/// A signed percentage with two decimals: "+1.23 %".
std::string percent_text(double fraction);

}  // namespace convscope::analysis
