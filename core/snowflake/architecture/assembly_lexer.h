#pragma once
// Tokens of one line of assembly (docs/snowflake-encoding.md) and a cursor over them. Private to
// core/snowflake/architecture.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace convscope::snowflake {

struct Token {
  enum class Kind { word, number, text, sign } kind = Kind::sign;
  std::string spelling;  ///< contents of a quoted text; else as written
  std::int64_t number = 0;
  std::size_t begin = 0;  ///< offset in the line
};

/// Words, numbers, quoted texts and signs (, : = <<) up to the comment; nothing, with a message, if malformed.
std::optional<std::vector<Token>> tokens_of(std::string_view line, std::string& error);

/// Walks over tokens and keeps the first complaint; after one, everything it returns is zero or empty.
class TokenCursor {
 public:
  explicit TokenCursor(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  bool at_end() const { return position_ == tokens_.size(); }
  const Token* peek(std::size_t ahead = 0) const;
  void take() { ++position_; }
  /// Takes a word or sign if it comes next.
  bool accept(std::string_view spelling);
  void expect(std::string_view spelling);
  void expect_end();
  std::int64_t number(const char* what, std::int64_t lowest, std::int64_t highest);
  std::string word(const char* what);
  std::string text(const char* what);
  void refuse(std::string what);
  const std::string& error() const { return error_; }

 private:
  bool next_is(Token::Kind kind, const char* what);
  std::string found() const;
  std::vector<Token> tokens_;
  std::size_t position_ = 0;
  std::string error_;
};

}  // namespace convscope::snowflake
