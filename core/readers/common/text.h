#pragma once
// Text from hostile files, made fit for names and messages.

#include <string>
#include <string_view>

namespace convscope::readers {

/// Valid UTF-8 without control characters: '?' stands for what is neither.
std::string clean(std::string_view text);
/// Fit for a message: cleaned, in quotes, at most 80 bytes.
std::string in_quotes(std::string_view text);
/// Fit for a message about a format of plain words: in quotes, at most 40 characters, nothing but printable ASCII.
std::string quoted(std::string_view text);

}  // namespace convscope::readers
