#include "core/nve/architecture/assembly_lexer.h"

#include <charconv>

#include <fmt/format.h>

namespace convscope::nve {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
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
    if (is_digit(c) || (c == '-' && is_digit(at(position_ + 1)))) return take_number(token);
    if (is_letter(c)) return take_word(token);
    if (c == '"') return take_text(token);
    return take_sign(token);
  }

  bool take_number(Token& token) {
    token.kind = Token::Kind::number;
    const char* const first = line_.data() + position_;
    const auto [end, code] = std::from_chars(first, line_.data() + line_.size(), token.number);
    if (code != std::errc{}) return refuse("number is too large");
    token.spelling.assign(first, end);
    position_ += token.spelling.size();
    return true;
  }

  bool take_word(Token& token) {
    token.kind = Token::Kind::word;
    while (is_letter(at(position_)) || is_digit(at(position_))) token.spelling += line_[position_++];
    return true;
  }

  bool take_text(Token& token) {
    token.kind = Token::Kind::text;
    for (++position_; at(position_) != '"'; ++position_) {
      if (position_ >= line_.size()) return refuse("text has no closing quote");
      if (line_[position_] != '\\') {
        token.spelling += line_[position_];
      } else if (!take_escape(token)) {
        return false;
      }
    }
    ++position_;
    return true;
  }

  bool take_escape(Token& token) {
    const char c = at(++position_);
    if (c == '"' || c == '\\') {
      token.spelling += c;
      return true;
    }
    unsigned code = 0;
    const char* const digits = line_.data() + position_ + 1;
    if (c != 'x' || position_ + 2 >= line_.size() || std::from_chars(digits, digits + 2, code, 16).ptr != digits + 2)
      return refuse("unknown escape; expected \\\", \\\\ or \\x and two hexadecimal digits");
    token.spelling += static_cast<char>(code);
    position_ += 2;
    return true;
  }

  bool take_sign(Token& token) {
    const std::string_view two = line_.substr(position_, 2);
    const std::size_t size = two == "<-" || two == "->" ? 2 : 1;
    token.spelling = std::string(line_.substr(position_, size));
    position_ += size;
    const bool known = size == 2 || std::string_view("|:=+.-").find(token.spelling[0]) != std::string_view::npos;
    return known || refuse("character has no meaning here");
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

}  // namespace convscope::nve
