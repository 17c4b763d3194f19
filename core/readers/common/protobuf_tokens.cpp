#include "core/readers/common/protobuf_tokens.h"

#include <utility>

namespace convscope::readers::protobuf_text {
namespace {

bool in_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
         c == '-' || c == '+' || c == '/';
}

bool octal_digit(char c) {
  return c >= '0' && c <= '7';
}

bool hexadecimal_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

}  // namespace

Token Tokens::take() {
  Token taken = std::move(next_);
  advance();
  return taken;
}

void Tokens::skip_blanks() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '#') {
      at_ = std::min(text_.find('\n', at_), text_.size());
      continue;
    }
    if (c != ' ' && c != '\t' && c != '\r' && c != '\n' && c != '\f' && c != '\v') return;
    if (c == '\n') ++line_;
    ++at_;
  }
}

void Tokens::advance() {
  skip_blanks();
  next_ = {Token::Kind::end, {}, line_};
  if (at_ >= text_.size()) return;
  const char c = text_[at_];
  if (c == '"' || c == '\'') {
    read_text(c);
  } else if (in_word(c)) {
    const std::size_t start = at_;
    while (at_ < text_.size() && in_word(text_[at_])) ++at_;
    next_.kind = Token::Kind::word;
    next_.value = text_.substr(start, at_ - start);
  } else {
    next_.kind =
        std::string_view("{}<>[]:,;").find(c) != std::string_view::npos ? Token::Kind::symbol : Token::Kind::bad;
    next_.value = c;
    ++at_;
  }
}

void Tokens::read_text(char quote) {
  next_.kind = Token::Kind::text;
  ++at_;
  while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
    if (text_[at_] == '\\') {
      read_escape();
    } else {
      next_.value += text_[at_++];
    }
  }
  if (at_ >= text_.size() || text_[at_] == '\n') {
    next_.kind = Token::Kind::bad;
  } else {
    ++at_;
  }
}

void Tokens::read_escape() {
  ++at_;
  if (at_ >= text_.size() || text_[at_] == '\n') return;
  const char c = text_[at_++];
  if (octal_digit(c)) {
    --at_;
    next_.value += read_code(8, 3, octal_digit);
  } else if ((c == 'x' || c == 'X') && at_ < text_.size() && hexadecimal_digit(text_[at_])) {
    next_.value += read_code(16, 2, hexadecimal_digit);
  } else {
    constexpr std::string_view letters = "abfnrtv", meanings = "\a\b\f\n\r\t\v";
    const std::size_t letter = letters.find(c);
    next_.value += letter == std::string_view::npos ? c : meanings[letter];
  }
}

char Tokens::read_code(unsigned base, int most_digits, bool (*is_digit)(char)) {
  unsigned code = 0;
  for (int digit = 0; digit < most_digits && at_ < text_.size() && is_digit(text_[at_]); ++digit) {
    const char c = text_[at_++];
    const int value = c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
    code = code * base + static_cast<unsigned>(value);
  }
  return static_cast<char>(code & 0xFFU);
}

}  // namespace convscope::readers::protobuf_text
