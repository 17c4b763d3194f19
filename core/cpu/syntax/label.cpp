#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/cpu/syntax/node.h"

namespace convscope::cpu {
namespace {

constexpr std::array<std::string_view, 35> keys{
    "block",      "microkernel", "function",       "call",          "loop",         "unroll",     "if",
    "definition", "load",        "broadcast",      "store",         "stream-store", "mask",       "fma",
    "fma-lane",   "fma-memory",  "horizontal-add", "shuffle",       "combine",      "prefetch",   "pointer",
    "step",       "clear",       "tile-copy",      "fence",         "declaration",  "assignment", "concat",
    "type",       "variable",    "literal",        "function-name", "brackets",     "comma-list", "semicolon"};
static_assert(keys.size() == static_cast<std::size_t>(Kind::semicolon) + 1);

std::string place(const Access& access) {
  if (access.offset)
    return fmt::format("{}[{}]", access.base.empty() ? access.tensor : access.base, text(*access.offset));
  std::string place = access.tensor;
  for (const Access::Index& index : access.index) place += fmt::format("[{}]", text(index.form));
  return place;
}

std::string range(const Node& node) {
  std::string range = fmt::format("{} from {} to {}", node.name, node.begin, node.end - 1);
  for (const Condition& clip : node.conditions)
    range +=
        clip.over ? fmt::format(", {} < {}", text(clip.form), clip.limit) : fmt::format(", {} >= 0", text(clip.form));
  if (node.threads > 1) range += fmt::format(", {} threads", node.threads);
  if (node.unrolled > 1) range += fmt::format(", unroll {}", node.unrolled);
  return range;
}

std::string type_text(const Type& type) {
  if (type.base == Type::Base::pointer) return "pointer";
  if (type.base == Type::Base::integer) return "integer";
  return type.lanes == 1 ? "float" : fmt::format("float x {}", type.lanes);
}

std::string combination(const Node& node) {
  std::string sum;
  for (std::size_t i = 0; i < node.operands.size(); ++i)
    sum += fmt::format("{}{} * {}", i > 0 ? " + " : "", node.factors[i], node.operands[i]);
  return sum;
}

std::string test_text(const Condition& test) {
  return text(test.form) + (test.over ? fmt::format(" < {}", test.limit) : " >= 0");
}

/// What a pointer becomes where one of its conditions doesn't hold.
std::string otherwise(const Node& node) {
  if (node.conditions.empty()) return {};
  std::string tests;
  for (const Condition& test : node.conditions) tests += (tests.empty() ? "" : " and ") + test_text(test);
  return fmt::format(" if {}, else {}", tests, place(node.accesses[1]));
}

/// What follows the kind's name.
std::string details(const Node& node) {
  const auto operand = [&](std::size_t i) { return i < node.operands.size() ? node.operands[i] : std::string(); };
  const auto where = [&] { return node.accesses.empty() ? std::string() : place(node.access()); };
  switch (node.kind) {
    case Kind::loop:
    case Kind::unroll:
      return range(node);
    case Kind::condition:
      return test_text(node.conditions.front());
    case Kind::definition:
      return fmt::format("{} {} = 0", type_text(node.type), node.name);
    case Kind::declaration:
      return fmt::format("{} {}", type_text(node.type), node.name);
    case Kind::load:
    case Kind::broadcast:
      return fmt::format("{} {} = {}", type_text(node.type), node.name, where());
    case Kind::store:
    case Kind::stream_store:
      return fmt::format("{} {} {}", where(), node.accumulate ? "+=" : "=", operand(0));
    case Kind::mask:
      return fmt::format("{} lanes from {}", node.count, node.first);
    case Kind::fma:
      return fmt::format("{} += {} * {}", node.name, operand(0), operand(1));
    case Kind::fma_lane:
      return fmt::format("{} += {} * {}[{}]", node.name, operand(0), operand(1), node.first);
    case Kind::fma_memory:
      return fmt::format("{} += {} * {}", node.name, operand(0), where());
    case Kind::horizontal_add:
      return fmt::format("{} = {}", node.name, fmt::join(node.operands, " + "));
    case Kind::shuffle:
      return fmt::format("{} = {}, {} [{}]", node.name, operand(0), operand(1), fmt::join(node.lanes, " "));
    case Kind::combine:
      return fmt::format("{} = {}", node.name, combination(node));
    case Kind::prefetch:
      return fmt::format("{} + {} bytes", where(), node.count);
    case Kind::pointer:
      return fmt::format("{} = {}{}", node.name, where(), otherwise(node));
    case Kind::step:
      return fmt::format("{} + {}", node.name, node.count);
    default:
      return node.name;
  }
}

}  // namespace

std::string_view key(Kind kind) {
  return keys[static_cast<std::size_t>(kind)];
}

std::string label(const Node& node) {
  const std::string rest = details(node);
  return rest.empty() ? std::string(key(node.kind)) : fmt::format("{} {}", key(node.kind), rest);
}

}  // namespace convscope::cpu
