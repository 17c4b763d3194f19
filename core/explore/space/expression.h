#pragma once
// Arithmetic over parameters: links such as `mb1 = mb0` and constraints such as `lanes * cores <= 256`.
//   or, and, not; = == != < <= > >=; + - * / %; ^; min(a, b, …) max(a, b, …) floor ceil round abs log2;
//   near(a, b, tolerance); numbers, names of parameters, 'names of choices'. A choice whose name is a number counts as
//   that number.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/diagnostic.h"

namespace convscope::explore {

class Expression {
 public:
  using Value = std::variant<double, std::string>;
  /// The value of a name; nothing if it has none.
  using Lookup = std::function<std::optional<Value>(std::string_view name)>;

  /// Whether names may have a subject: `cycles('L3')` is then a name as it stands.
  enum class Subjects { none, quoted };

  /// Nothing, with a diagnostic that says at which character, if the text is none.
  static std::optional<Expression> parse(std::string_view text, const Location& where, Diagnostics& diagnostics,
                                         Subjects subjects = Subjects::none);

  const std::string& text() const { return text_; }
  /// Names that it reads, each once, in order of appearance.
  const std::vector<std::string>& names() const { return names_; }
  /// Nothing if it has no value: a name without one, a text where a number is needed, a quotient by zero, a number that
  /// is not finite.
  std::optional<Value> value(const Lookup& lookup) const;
  /// Whether it holds: its value is a number other than 0. No value is no.
  bool holds(const Lookup& lookup) const;

  struct Node;

 private:
  std::string text_;
  std::vector<std::string> names_;
  std::shared_ptr<const Node> root_;
};

}  // namespace convscope::explore
