#include "core/snowflake/architecture/assembly_lexer.h"

#include <charconv>

#include <fmt/format.h>

#include "core/base/text.h"

namespace convscope::snowflake {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool begins_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.';
}

class Lexer {
 public:
  Lexer(std::string_view line, std::string& error) : line_(line), error_(error) {}

  std::optional<std::vector<Token>> all() {
    std::vector<Token> tokens;
    while (skip_space()) {
      Token token;
      token.begin = position_;
      if (!take(token)) return std::nullopt;
      tokens.push_back(std::move(token));
    }
    return tokens;
  }

 private:
  char at(std::size_t i) const { return i < line_.size() ? line_[i] : '\0'; }

  /// False at the end of what counts.
  bool skip_space() {
    while (at(position_) == ' ' || at(position_) == '\t' || at(position_) == '\r') ++position_;
    return position_ < line_.size() && line_[position_] != ';';
  }

  bool take(Token& token) {
    const char c = at(position_);
    if (is_digit(c) || ((c == '-' || c == '+') && is_digit(at(position_ + 1)))) return take_number(token);
    if (begins_word(c)) return take_word(token);
    if (c == '"') return take_text(token);
    return take_sign(token);
  }

  bool take_number(Token& token) {
    token.kind = Token::Kind::number;
    const std::size_t begin = position_;
    if (at(position_) == '+') ++position_;
    const bool hexadecimal = at(position_) == '0' && at(position_ + 1) == 'x';
    if (hexadecimal) position_ += 2;
    const char* const first = line_.data() + position_;
    const auto [end, code] = std::from_chars(first, line_.data() + line_.size(), token.number, hexadecimal ? 16 : 10);
    if (code != std::errc{} || (hexadecimal && *first == '-')) return refuse("no number, or one that is too large");
    position_ += static_cast<std::size_t>(end - first);
    token.spelling = std::string(line_.substr(begin, position_ - begin));
    return !begins_word(at(position_)) || refuse("a letter behind a number");
  }

  /// Words hold hyphens and points: max-pool, in.region, mac.coop.wb.
  bool take_word(Token& token) {
    token.kind = Token::Kind::word;
    while (begins_word(at(position_)) || is_digit(at(position_)) || at(position_) == '-')
      token.spelling += line_[position_++];
    return true;
  }

  bool take_text(Token& token) {
    token.kind = Token::Kind::text;
    for (++position_; at(position_) != '"'; ++position_) {
      if (position_ < line_.size() && line_[position_] == '\\') ++position_;
      if (position_ >= line_.size()) return refuse("text has no closing quote");
      token.spelling += line_[position_];
    }
    ++position_;
    return token.spelling == clean(token.spelling) || refuse("text is no clean UTF-8");
  }

  bool take_sign(Token& token) {
    const std::size_t size = line_.substr(position_, 2) == "<<" ? 2 : 1;
    token.spelling = std::string(line_.substr(position_, size));
    if (size == 1 && std::string_view(",:=").find(token.spelling[0]) == std::string_view::npos)
      return refuse("character has no meaning here");
    position_ += size;
    return true;
  }

  bool refuse(const char* what) {
    error_ = fmt::format("column {}: {}", position_ + 1, what);
    return false;
  }

  std::string_view line_;
  std::string& error_;
  std::size_t position_ = 0;
};

}  // namespace

std::optional<std::vector<Token>> tokens_of(std::string_view line, std::string& error) {
  return Lexer(line, error).all();
}

const Token* TokenCursor::peek(std::size_t ahead) const {
  return position_ + ahead < tokens_.size() ? &tokens_[position_ + ahead] : nullptr;
}

bool TokenCursor::accept(std::string_view spelling) {
  if (at_end() || tokens_[position_].kind == Token::Kind::text || tokens_[position_].spelling != spelling) return false;
  ++position_;
  return true;
}

void TokenCursor::expect(std::string_view spelling) {
  if (error_.empty() && !accept(spelling)) refuse(fmt::format("{} instead of '{}'", found(), spelling));
}

void TokenCursor::expect_end() {
  if (error_.empty() && !at_end()) refuse(fmt::format("{} instead of the line's end", found()));
}

bool TokenCursor::next_is(Token::Kind kind, const char* what) {
  if (error_.empty() && (at_end() || tokens_[position_].kind != kind))
    refuse(fmt::format("{} instead of {}", found(), what));
  return error_.empty();
}

std::int64_t TokenCursor::number(const char* what, std::int64_t lowest, std::int64_t highest) {
  if (!next_is(Token::Kind::number, what)) return 0;
  const std::int64_t value = tokens_[position_].number;
  if (value < lowest || value > highest) {
    refuse(fmt::format("{} {}; expected {} to {}", what, value, lowest, highest));
    return 0;
  }
  ++position_;
  return value;
}

std::string TokenCursor::word(const char* what) {
  return next_is(Token::Kind::word, what) ? tokens_[position_++].spelling : std::string();
}

std::string TokenCursor::text(const char* what) {
  return next_is(Token::Kind::text, what) ? tokens_[position_++].spelling : std::string();
}

void TokenCursor::refuse(std::string what) {
  if (error_.empty()) error_ = std::move(what);
}

std::string TokenCursor::found() const {
  if (at_end()) return "the line's end";
  return fmt::format("{} in column {}", convscope::quoted(tokens_[position_].spelling), tokens_[position_].begin + 1);
}

}  // namespace convscope::snowflake
