#pragma once
// Tokens of protobuf's text format.

#include <string>
#include <string_view>

namespace convscope::readers::protobuf_text {

struct Token {
  enum class Kind { word, text, symbol, end, bad };
  Kind kind = Kind::end;
  std::string value;  ///< of texts without quotes, escapes resolved
  int line = 1;

  bool is(char symbol) const { return kind == Kind::symbol && value[0] == symbol; }
};

/// Words (names and numbers, with their sign), texts in quotes and symbols; comments from '#' to the end of the line
/// are skipped. What is none of these is a bad token, and so is a text that doesn't end on its line.
class Tokens {
 public:
  explicit Tokens(std::string_view text) : text_(text) { advance(); }

  const Token& peek() const { return next_; }
  Token take();

 private:
  void advance();
  void skip_blanks();
  void read_text(char quote);
  /// Also of bytes, by their octal or hexadecimal code.
  void read_escape();
  char read_code(unsigned base, int most_digits, bool (*is_digit)(char));

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
  Token next_;
};

}  // namespace convscope::readers::protobuf_text
