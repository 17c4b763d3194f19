#pragma once
// Tokens of one line of assembly (docs/nve-encoding.md). Private to core/nve/architecture.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace convscope::nve {

struct Token {
  enum class Kind { word, number, text, sign } kind = Kind::sign;
  std::string spelling;  ///< contents of a quoted text; else as written
  int number = 0;
  std::size_t begin = 0;  ///< offset in the line
};

/// Words, numbers, quoted texts and signs (| : = + . - <- ->) up to the comment; nothing, with a message, if malformed.
std::optional<std::vector<Token>> tokens_of(std::string_view line, std::string& error);

}  // namespace convscope::nve
