#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/explore/space/expression_node.h"

namespace convscope::explore {
namespace {

using Node = Expression::Node;
using Kind = Node::Kind;
using NodePointer = std::shared_ptr<const Node>;

constexpr int deepest = 100;
constexpr std::size_t longest = 4000;

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

struct Operator {
  std::string_view sign;
  Kind kind;
};
// Longer signs first, so that none is taken for the beginning of another.
constexpr std::array<Operator, 7> comparisons{{{"==", Kind::equal},
                                               {"!=", Kind::different},
                                               {"<=", Kind::less_or_equal},
                                               {">=", Kind::greater_or_equal},
                                               {"=", Kind::equal},
                                               {"<", Kind::less},
                                               {">", Kind::greater}}};
constexpr std::array<Operator, 2> sums{{{"+", Kind::add}, {"-", Kind::subtract}}};
constexpr std::array<Operator, 3> products{{{"*", Kind::multiply}, {"/", Kind::divide}, {"%", Kind::remainder}}};
constexpr std::array<Operator, 8> functions{{{"min", Kind::minimum},
                                             {"max", Kind::maximum},
                                             {"floor", Kind::floor},
                                             {"ceil", Kind::ceil},
                                             {"round", Kind::round},
                                             {"abs", Kind::absolute},
                                             {"log2", Kind::logarithm},
                                             {"near", Kind::near}}};

/// Arguments of a function; 0: one or more.
std::size_t arguments_of(Kind kind) {
  if (kind == Kind::minimum || kind == Kind::maximum) return 0;
  return kind == Kind::near ? 3 : 1;
}

/// Recursive descent, one function for each rank of operators. The first mistake is kept; null means that there was
/// one.
class Parser {
 public:
  Parser(std::string_view text, Expression::Subjects subjects) : text_(text), subjects_(subjects) {}

  NodePointer parse() {
    NodePointer root = either();
    skip_blanks();
    if (root && at_ < text_.size()) return fail("an operator or the end");
    return root;
  }
  const std::string& expected() const { return expected_; }
  std::size_t position() const { return mistake_; }

 private:
  NodePointer fail(std::string expected) {
    if (expected_.empty()) expected_ = std::move(expected), mistake_ = at_;
    return nullptr;
  }

  void skip_blanks() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
  }

  bool take(std::string_view sign) {
    skip_blanks();
    if (text_.substr(at_, sign.size()) != sign) return false;
    at_ += sign.size();
    return true;
  }

  bool take_word(std::string_view word) {
    skip_blanks();
    const std::size_t end = at_ + word.size();
    if (text_.substr(at_, word.size()) != word) return false;
    if (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) return false;
    at_ = end;
    return true;
  }

  template <std::size_t count>
  std::optional<Kind> take_one(const std::array<Operator, count>& operators) {
    for (const Operator& item : operators)
      if (take(item.sign)) return item.kind;
    return std::nullopt;
  }

  static NodePointer make(Kind kind, std::vector<NodePointer> operands) {
    for (const NodePointer& operand : operands)
      if (!operand) return nullptr;
    return std::make_shared<const Node>(Node{kind, 0, {}, std::move(operands)});
  }

  // Long chains are limited as nesting is: evaluation descends into both.
  bool deeper() { return ++depth_ <= deepest; }

  NodePointer either() {
    if (!deeper()) return fail(fmt::format("at most {} operators and parentheses", deepest));
    NodePointer left = both();
    while (left && take_word("or")) left = deeper() ? make(Kind::either, {left, both()}) : fail("fewer operators");
    return left;
  }

  NodePointer both() {
    NodePointer left = inverted();
    while (left && take_word("and")) left = deeper() ? make(Kind::both, {left, inverted()}) : fail("fewer operators");
    return left;
  }

  NodePointer inverted() {
    if (!take_word("not")) return comparison();
    return deeper() ? make(Kind::invert, {inverted()}) : fail("fewer operators");
  }

  NodePointer comparison() {
    NodePointer left = sum();
    if (!left) return nullptr;
    const auto kind = take_one(comparisons);
    return kind ? make(*kind, {left, sum()}) : left;
  }

  NodePointer sum() {
    NodePointer left = product();
    while (left) {
      const auto kind = take_one(sums);
      if (!kind) break;
      left = deeper() ? make(*kind, {left, product()}) : fail("fewer operators");
    }
    return left;
  }

  NodePointer product() {
    NodePointer left = sign();
    while (left) {
      const auto kind = take_one(products);
      if (!kind) break;
      left = deeper() ? make(*kind, {left, sign()}) : fail("fewer operators");
    }
    return left;
  }

  NodePointer sign() {
    if (!take("-")) return power();
    return deeper() ? make(Kind::negate, {sign()}) : fail("fewer operators");
  }

  NodePointer power() {
    NodePointer base = primary();
    if (!base || !take("^")) return base;
    return deeper() ? make(Kind::power, {base, sign()}) : fail("fewer operators");
  }

  NodePointer primary() {
    skip_blanks();
    if (at_ >= text_.size()) return fail("a number, a name or a parenthesis");
    if (take("(")) return closed(either());
    if (text_[at_] == '\'') return quoted();
    if (is_digit(text_[at_]) || text_[at_] == '.') return number();
    if (is_letter(text_[at_])) return named();
    return fail("a number, a name or a parenthesis");
  }

  NodePointer closed(NodePointer inner) {
    if (inner && !take(")")) return fail("')'");
    return inner;
  }

  NodePointer quoted() {
    const std::size_t end = text_.find('\'', at_ + 1);
    if (end == std::string_view::npos) return fail("a quote that ends the text");
    const std::string_view content = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return std::make_shared<const Node>(Node{Kind::text, 0, std::string(content), {}});
  }

  NodePointer number() {
    const auto number = leading_number(text_.substr(at_));
    if (!number) return fail("a number");
    at_ = text_.size() - number->rest.size();
    return std::make_shared<const Node>(Node{Kind::number, number->value, {}, {}});
  }

  NodePointer named() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]) || text_[at_] == '.')) ++at_;
    const std::string_view name = text_.substr(begin, at_ - begin);
    if (take("(")) return call(name);
    return std::make_shared<const Node>(Node{Kind::name, 0, std::string(name), {}});
  }

  NodePointer call(std::string_view name) {
    const auto known = std::find_if(functions.begin(), functions.end(), [&](const auto& f) { return f.sign == name; });
    if (known == functions.end()) return subjects_ == Expression::Subjects::quoted ? with_subject(name) : unknown();
    std::vector<NodePointer> operands;
    do operands.push_back(either());
    while (operands.back() && take(","));
    if (!operands.back()) return nullptr;
    const std::size_t wanted = arguments_of(known->kind);
    if (wanted > 0 && operands.size() != wanted) return fail(wanted == 1 ? "one argument" : "three arguments");
    return closed(make(known->kind, std::move(operands)));
  }

  NodePointer unknown() { return fail("min, max, floor, ceil, round, abs, log2 or near"); }

  NodePointer with_subject(std::string_view name) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != '\'') return fail("a name in single quotes");
    const NodePointer subject = quoted();
    if (!subject) return nullptr;
    return closed(std::make_shared<const Node>(Node{Kind::name, 0, fmt::format("{}('{}')", name, subject->text), {}}));
  }

  std::string_view text_;
  Expression::Subjects subjects_;
  std::size_t at_ = 0, mistake_ = 0;
  int depth_ = 0;
  std::string expected_;
};

void collect_names(const Node& node, std::vector<std::string>& names) {
  if (node.kind == Kind::name && std::find(names.begin(), names.end(), node.text) == names.end())
    names.push_back(node.text);
  for (const NodePointer& operand : node.operands) collect_names(*operand, names);
}

}  // namespace

std::optional<Expression> Expression::parse(std::string_view text, const Location& where, Diagnostics& diagnostics,
                                            Subjects subjects) {
  if (text.size() > longest) {
    diagnostics.error(where, fmt::format("an expression of {} characters", text.size()),
                      fmt::format("at most {}", longest));
    return std::nullopt;
  }
  Parser parser(text, subjects);
  Expression expression;
  expression.text_ = text;
  expression.root_ = parser.parse();
  if (!expression.root_) {
    diagnostics.error(where, fmt::format("'{}' is no expression: mistake at character {}", text, parser.position() + 1),
                      parser.expected());
    return std::nullopt;
  }
  collect_names(*expression.root_, expression.names_);
  return expression;
}

}  // namespace convscope::explore
