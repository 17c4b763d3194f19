#include "core/readers/caffe/tokens.h"

#include <utility>

namespace convscope::readers::caffe {
namespace {

bool in_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
         c == '-' || c == '+' || c == '/';
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
  // Names hold no other escapes; those that do keep the character.
  next_.value += c == 'n' ? '\n' : c == 't' ? '\t' : c;
}

}  // namespace convscope::readers::caffe
