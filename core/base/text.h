#pragma once
// Text from files: cut into words, and made fit for names and messages.

#include <string>
#include <string_view>
#include <vector>

namespace convscope {

/// Blanks, tabs and ends of lines, as white space of files.
inline constexpr std::string_view blanks = " \t\r\n";

/// Without the white space at both ends.
std::string_view trimmed(std::string_view text);
/// What stands between separators; nothing empty.
std::vector<std::string> words(std::string_view text, std::string_view separators = blanks);

/// Valid UTF-8 without control characters: '?' stands for what is neither.
std::string clean(std::string_view text);
/// Fit for a message: cleaned, in quotes, at most 80 bytes.
std::string in_quotes(std::string_view text);
/// Fit for a message about a format of plain words: in quotes, at most 40 characters, nothing but printable ASCII.
std::string quoted(std::string_view text);

}  // namespace convscope
