#include "core/readers/common/protobuf_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/base/text.h"
#include "core/readers/common/protobuf_tokens.h"

namespace convscope::readers::protobuf_text {
namespace {

class Parser {
 public:
  Parser(std::string_view text, Report& report) : tokens_(text), report_(report) {}

  std::shared_ptr<Message> parse() {
    auto root = std::make_shared<Message>();
    root->line = 1;
    return read_fields(*root, '\0', 0) ? root : nullptr;
  }

 private:
  bool fail(const Token& at, const std::string& expected) {
    const std::string found =
        at.kind == Token::Kind::end ? std::string("the file ends") : convscope::quoted(at.value) + " stands";
    report_.error(at.line, {}, found + " where something else must be", expected);
    return false;
  }

  bool read_fields(Message& message, char closing, int depth) {
    while (true) {
      const Token token = tokens_.take();
      if (token.kind == Token::Kind::end && closing == '\0') return true;
      if (closing != '\0' && token.is(closing)) return true;
      if (token.is(',') || token.is(';')) continue;
      if (token.kind != Token::Kind::word)
        return fail(token, closing == '\0' ? "a field" : "a field or the closing bracket");
      if (!read_field(message, token, depth)) return false;
    }
  }

  bool read_field(Message& message, const Token& name, int depth) {
    if (++fields_ > field_cap) {
      report_.error(name.line, {}, "the file has too many fields", fmt::format("at most {}", field_cap));
      return false;
    }
    const bool colon = tokens_.peek().is(':');
    if (colon) tokens_.take();
    const Token& next = tokens_.peek();
    if (next.is('{') || next.is('<')) return read_message(message, name, depth);
    if (!colon) return fail(next, "':' or '{' after a field's name");
    if (next.is('[')) return read_list(message, name, depth);
    return read_value(message, name);
  }

  bool read_message(Message& message, const Token& name, int depth) {
    const Token opening = tokens_.take();
    if (depth >= depth_cap) {
      report_.error(opening.line, {}, "messages are nested too deeply", fmt::format("at most {} levels", depth_cap));
      return false;
    }
    auto inner = std::make_shared<Message>();
    inner->line = name.line;
    message.fields.push_back({name.value, name.line, {}, inner});
    return read_fields(*inner, opening.is('{') ? '}' : '>', depth + 1);
  }

  bool read_value(Message& message, const Token& name) {
    const Token value = tokens_.take();
    if (value.kind != Token::Kind::word && value.kind != Token::Kind::text) return fail(value, "a value");
    Field field{name.value, name.line, value.value, nullptr};
    while (value.kind == Token::Kind::text && tokens_.peek().kind == Token::Kind::text)
      field.value += tokens_.take().value;
    message.fields.push_back(std::move(field));
    return true;
  }

  bool read_list(Message& message, const Token& name, int depth) {
    tokens_.take();
    while (!tokens_.peek().is(']')) {
      const Token& next = tokens_.peek();
      if (++fields_ > field_cap) return fail(next, fmt::format("at most {} fields", field_cap));
      const bool read = next.is('{') || next.is('<') ? read_message(message, name, depth) : read_value(message, name);
      if (!read) return false;
      if (tokens_.peek().is(',')) {
        tokens_.take();
      } else if (!tokens_.peek().is(']')) {
        return fail(tokens_.peek(), "',' or ']' in a list");
      }
    }
    tokens_.take();
    return true;
  }

  Tokens tokens_;
  Report& report_;
  int fields_ = 0;
};

}  // namespace

const Field* Message::find(std::string_view name) const {
  for (auto field = fields.rbegin(); field != fields.rend(); ++field)
    if (field->name == name) return &*field;
  return nullptr;
}

std::vector<const Field*> Message::all(std::string_view name) const {
  std::vector<const Field*> found;
  for (const Field& field : fields)
    if (field.name == name) found.push_back(&field);
  return found;
}

const Message& Message::sub(std::string_view name) const {
  static const Message none;
  const Field* field = find(name);
  return field != nullptr && field->message ? *field->message : none;
}

std::shared_ptr<const Message> parse_text(std::string_view text, Report& report, std::size_t cap) {
  if (text.size() > cap) {
    report.error(0, {}, fmt::format("the file has {} bytes", text.size()), fmt::format("at most {}", cap));
    return nullptr;
  }
  return Parser(text, report).parse();
}

bool has_message(std::string_view text, const std::vector<std::string_view>& names, std::size_t limit) {
  Tokens tokens(text.substr(0, limit));
  int depth = 0;
  bool value = false;  // what stands behind a colon
  while (true) {
    const Token token = tokens.take();
    if (token.kind == Token::Kind::end || token.kind == Token::Kind::bad) return false;
    if (token.is('{') || token.is('<') || token.is('[')) ++depth;
    if ((token.is('}') || token.is('>') || token.is(']')) && --depth < 0) return false;
    if (depth == 0 && token.kind == Token::Kind::word && !value) {
      const Token& next = tokens.peek();
      if (next.is('{') && std::find(names.begin(), names.end(), token.value) != names.end()) return true;
      if (!next.is(':') && !next.is('{') && !next.is('<')) return false;
    }
    value = token.is(':');
  }
}

std::int64_t Fields::integer_of(const Field& field, std::int64_t fallback, std::int64_t smallest,
                                std::int64_t largest) const {
  const auto value = parse_integer<std::int64_t>(field.value);
  if (value && *value >= smallest && *value <= largest) return *value;
  report_.error(field.line, layer_, fmt::format("{} is {}", field.name, convscope::quoted(field.value)),
                fmt::format("an integer from {} to {}", smallest, largest));
  return fallback;
}

double Fields::real_of(const Field& field, double fallback) const {
  std::string_view text = field.value;
  if (const auto value = parse_number(text)) return *value;
  if (text.ends_with('f') || text.ends_with('F')) text.remove_suffix(1);  // as in C
  if (const auto value = parse_number(text)) return *value;
  report_.error(field.line, layer_, fmt::format("{} is {}", field.name, convscope::quoted(field.value)), "a number");
  return fallback;
}

std::int64_t Fields::integer(std::string_view name, std::int64_t fallback, std::int64_t smallest,
                             std::int64_t largest) const {
  const Field* field = message_.find(name);
  return field == nullptr ? fallback : integer_of(*field, fallback, smallest, largest);
}

double Fields::real(std::string_view name, double fallback) const {
  const Field* field = message_.find(name);
  return field == nullptr ? fallback : real_of(*field, fallback);
}

bool Fields::boolean(std::string_view name, bool fallback) const {
  const Field* field = message_.find(name);
  if (field == nullptr) return fallback;
  for (const char* yes : {"true", "True", "t", "1"})
    if (field->value == yes) return true;
  for (const char* no : {"false", "False", "f", "0"})
    if (field->value == no) return false;
  report_.error(field->line, layer_, fmt::format("{} is {}", field->name, convscope::quoted(field->value)),
                "true or false");
  return fallback;
}

std::string Fields::text(std::string_view name, const std::string& fallback) const {
  const Field* field = message_.find(name);
  return field == nullptr ? fallback : clean_name(field->value);
}

std::vector<std::int64_t> Fields::integers(std::string_view name, std::int64_t smallest, std::int64_t largest) const {
  std::vector<std::int64_t> values;
  for (const Field* field : message_.all(name)) values.push_back(integer_of(*field, smallest, smallest, largest));
  return values;
}

std::vector<double> Fields::reals(std::string_view name) const {
  std::vector<double> values;
  for (const Field* field : message_.all(name)) values.push_back(real_of(*field, 0));
  return values;
}

std::vector<std::string> Fields::texts(std::string_view name) const {
  std::vector<std::string> values;
  for (const Field* field : message_.all(name)) values.push_back(clean_name(field->value));
  return values;
}

}  // namespace convscope::readers::protobuf_text
