#pragma once
// A directive's "name=value" fields. Private to core/snowflake/architecture.

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/base/text.h"
#include "core/snowflake/architecture/assembly_lexer.h"
#include "core/snowflake/architecture/program_fields.h"

namespace convscope::snowflake {

/// Takes the rest of a line; fields that it doesn't name keep their values. Complaints stay in the cursor.
class DirectiveFields {
 public:
  explicit DirectiveFields(TokenCursor& cursor) : cursor_(cursor) {
    while (!cursor_.at_end() && cursor_.error().empty()) take();
  }

  template <typename Part>
  void read(Part& part) {
    visit_fields(*this, part);
    if (!values_.empty()) cursor_.refuse("unknown field " + convscope::quoted(values_.begin()->first));
  }

  void text(const char* name, std::string& value) {
    if (auto token = field(name); token.second) {
      if (token.first.kind != Token::Kind::text) return refuse(name, token.first, "a text in quotes");
      value = token.first.spelling;
    }
  }
  void flag(const char* name, bool& value) {
    if (auto token = field(name); token.second) {
      value = token.first.spelling == "yes";
      if (!value && token.first.spelling != "no") refuse(name, token.first, "yes or no");
    }
  }
  template <typename Choice>
  void choice(const char* name, Choice& value, std::span<const std::string_view> names) {
    if (auto token = field(name); token.second) {
      const auto found = std::find(names.begin(), names.end(), token.first.spelling);
      if (found == names.end()) return refuse(name, token.first, fmt::format("{}", fmt::join(names, ", ")));
      value = static_cast<Choice>(found - names.begin());
    }
  }
  template <typename Number>
  void number(const char* name, Number& value, std::int64_t lowest, std::int64_t highest) {
    if (auto token = field(name); token.second) {
      const bool is_number = token.first.kind == Token::Kind::number;
      if (!is_number || token.first.number < lowest || token.first.number > highest)
        return refuse(name, token.first, fmt::format("{} to {}", lowest, highest));
      value = static_cast<Number>(token.first.number);
    }
  }
  template <typename Part>
  void part(const char* name, Part& value) {
    const std::string outer = std::exchange(prefix_, prefix_ + name + '.');
    visit_fields(*this, value);
    prefix_ = outer;
  }

 private:
  void take() {
    const std::string name = cursor_.word("a field's name");
    cursor_.expect("=");
    const Token* const value = cursor_.peek();
    if (!value || value->kind == Token::Kind::sign) return cursor_.refuse(convscope::quoted(name) + " without a value");
    if (!values_.emplace(name, *value).second) return cursor_.refuse(convscope::quoted(name) + " is given twice");
    cursor_.take();
  }
  std::pair<Token, bool> field(const char* name) {
    const auto found = values_.find(prefix_ + name);
    if (found == values_.end()) return {};
    const Token token = found->second;
    values_.erase(found);
    return {token, true};
  }
  void refuse(const char* name, const Token& token, const std::string& expected) {
    cursor_.refuse(fmt::format("{}{} is {}; expected {}", prefix_, name, convscope::quoted(token.spelling), expected));
  }

  TokenCursor& cursor_;
  std::map<std::string, Token> values_;
  std::string prefix_;
};

}  // namespace convscope::snowflake
