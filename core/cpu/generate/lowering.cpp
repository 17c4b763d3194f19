#include "core/cpu/generate/lowering.h"

#include <cmath>

#include <fmt/format.h>

#include "core/cpu/syntax/build.h"
#include "core/cpu/syntax/rewrite.h"

namespace convscope::cpu {
namespace {

NodePtr lower_call(const Node& node, const Lowering& lowering) {
  Nodes arguments;
  for (const Access& access : node.accesses) arguments.push_back(pointer_to(access, lowering));
  for (const std::string& name : node.operands) arguments.push_back(variable(name));
  return concat({function_name(node.name), brackets({comma_list(std::move(arguments))}), semicolon()});
}

/// Adding to it from time to time, unseen, keeps the compiler from making several pointers of one.
NodePtr lower_step(const Node& node, const Lowering& lowering) {
  const flyte::Storage& storage = lowering.tree.tensor(node.operands.front()).layout.storage;
  const std::int64_t count = node.count * (storage.complete() ? 1 : storage.bytes);
  return concat({variable(node.name), literal(fmt::format(" += {}", count)), semicolon(),
                 literal(fmt::format("asm volatile(\"\" : \"+r\"({}))", node.name)), semicolon()});
}

/// Without branches, so that what tests of a row and of a column share is computed once.
std::string all_of(const std::vector<Condition>& tests) {
  std::string all;
  for (const Condition& test : tests)
    all += fmt::format("{}({}{})", all.empty() ? "" : " & ", text(test.form),
                       test.over ? fmt::format(" < {}", test.limit) : " >= 0");
  return all;
}

NodePtr lower_pointer(const Node& node, const Lowering& lowering) {
  Nodes address{pointer_to(node.access(), lowering)};
  if (!node.conditions.empty()) {
    address.insert(address.begin(), literal(all_of(node.conditions) + " ? "));
    address.push_back(literal(" : "));
    address.push_back(pointer_to(node.accesses[1], lowering));
  }
  return concat({literal(pointer_type(lowering.tree.tensor(node.access().tensor)) + " "), variable(node.name),
                 literal(" = "), concat(std::move(address)), semicolon()});
}

/// A constant as C++ text.
std::string number(double value) {
  std::string digits = fmt::format("{}", static_cast<float>(value));
  if (digits.find_first_of(".e") == std::string::npos) digits += ".0";
  return digits + "F";
}

/// "a * 2.0F + b", "a - b": a sum of at most two.
NodePtr lower_combine(const Node& node) {
  const auto product = [&](std::size_t i) {
    const double factor = std::abs(node.factors[i]);
    return factor == 1 ? variable(node.operands[i])
                       : concat({variable(node.operands[i]), literal(" * " + number(node.factors[i]))});
  };
  const auto negative = [&](std::size_t i) { return node.factors[i] == -1; };
  Nodes sum{literal(negative(0) ? "-" : ""), product(0)};
  if (node.operands.size() > 1) {
    sum.push_back(literal(negative(1) ? " - " : " + "));
    sum.push_back(product(1));
  }
  return declare(node.name, node.type, concat(std::move(sum)));
}

NodePtr lower_prefetch(const Node& node, const Lowering& lowering) {
  Access ahead = node.access();
  ahead.offset = *ahead.offset + Affine(node.count / lowering.tree.tensor(ahead.tensor).layout.storage.bytes);
  return concat({function_name("__builtin_prefetch"), brackets({pointer_to(ahead, lowering)}), semicolon()});
}

Access moved(Access access, std::int64_t elements, const Lowering& lowering) {
  access.offset = address(lowering.tree.tensor(access.tensor), access) + Affine(elements);
  return access;
}

/// Some lanes of a vector: parts of 8, 4 and 1.
NodePtr lower_mask(const Node& node, const Lowering& lowering) {
  const Node& whole = *node.children.front();
  const std::string& value = whole.operands.front();
  Nodes parts;
  int width = 8;
  for (int at = 0; at < node.count; at += width) {
    while (width > node.count - at || width == 2) width /= 2;
    std::vector<int> lanes;
    for (int lane = 0; lane < width; ++lane) lanes.push_back(node.first + at + lane);
    NodePtr part = width > 1 ? choose(variable(value), variable(value), lanes)
                             : concat({variable(value), literal(fmt::format("[{}]", lanes.front()))});
    parts.push_back(store_at(moved(whole.access(), at, lowering), width, std::move(part), whole.accumulate, lowering));
  }
  return concat(std::move(parts));
}

/// Halves are added until four lanes are left, then those one by one.
NodePtr lower_horizontal_add(const Node& node, const Lowering& lowering) {
  Nodes nodes;
  Nodes terms;
  for (std::string name : node.operands) {
    int lanes = lowering.lanes(name);
    for (; lanes > 4; lanes /= 2) {
      std::vector<int> low, high;
      for (int lane = 0; lane < lanes / 2; ++lane) low.push_back(lane), high.push_back(lane + lanes / 2);
      const std::string half = fmt::format("{}_{}", node.operands.front(), lanes / 2);
      nodes.push_back(declare(half, vector_type(lanes / 2),
                              concat({choose(variable(name), variable(name), low), literal(" + "),
                                      choose(variable(name), variable(name), high)})));
      name = half;
    }
    for (int lane = 0; lane < lanes; ++lane) {
      if (!terms.empty()) terms.push_back(literal(" + "));
      terms.push_back(literal(lanes == 1 ? name : fmt::format("{}[{}]", name, lane)));
    }
  }
  nodes.push_back(declare(node.name, node.type, concat(std::move(terms))));
  return concat(std::move(nodes));
}

NodePtr lower_declaration(const Node& node) {
  return concat({type_fragment(node.type), literal(" "), variable(node.name), literal(" = "), node.children.front(),
                 semicolon()});
}

NodePtr with_origin(const NodePtr& node, int id) {
  if (node->id >= 0) return node;
  Node origin = *node;
  origin.id = id;
  for (NodePtr& child : origin.children) child = with_origin(child, id);
  return make(std::move(origin));
}

/// Rules of a family: the special ones first.
std::vector<LoweringRule> rules(Family family) {
  switch (family) {
    case Family::scalar:
      return {lower_scalar, lower_general};
    case Family::avx2:
      return {lower_x86, lower_scalar, lower_vector, lower_general};
    case Family::avx512:
    case Family::avx512vbmi:
      return {lower_avx512, lower_x86, lower_scalar, lower_vector, lower_general};
    default:
      return {lower_neon, lower_scalar, lower_vector, lower_general};
  }
}

NodePtr lower_node(const NodePtr& node, const Lowering& lowering, const std::vector<LoweringRule>& all) {
  for (const LoweringRule rule : all)
    if (NodePtr lowered = rule(*node, lowering)) return with_origin(lowered, node->id);
  return with_children(
      node, map_children(*node, [&](const NodePtr& child) { return Nodes{lower_node(child, lowering, all)}; }));
}

}  // namespace

bool Lowering::writable(const Access& access) const {
  return access.tensor == "output" || tree.tensor(access.tensor).buffer;
}

int Lowering::lanes(const std::string& name) const {
  const auto found = types.find(name);
  return found == types.end() ? 1 : found->second.lanes;
}

NodePtr lower_general(const Node& node, const Lowering& lowering) {
  switch (node.kind) {
    case Kind::call:
      return lower_call(node, lowering);
    case Kind::step:
      return lower_step(node, lowering);
    case Kind::pointer:
      return lower_pointer(node, lowering);
    case Kind::prefetch:
      return lower_prefetch(node, lowering);
    case Kind::mask:
      return lower_mask(node, lowering);
    case Kind::horizontal_add:
      return lower_horizontal_add(node, lowering);
    case Kind::store:
      return store_at(node.access(), lowering.lanes(node.operands.front()), variable(node.operands.front()),
                      node.accumulate, lowering);
    case Kind::definition:
      return declare(node.name, node.type, literal(node.type.lanes == 1 ? "0" : "{}"));
    case Kind::fma:
      return multiply_add(node.name, variable(node.operands[0]), variable(node.operands[1]));
    case Kind::combine:
      return lower_combine(node);
    case Kind::declaration:
      return lower_declaration(node);
    case Kind::assignment:
      return concat({variable(node.name), literal(" = "), node.children.front(), semicolon()});
    default:
      return nullptr;
  }
}

NodePtr lower_scalar(const Node& node, const Lowering& lowering) {
  const bool one = node.type.lanes == 1;
  if (node.kind == Kind::load && one) return give(node, memory(node.access(), 1, lowering));
  if (node.kind == Kind::broadcast && one) return give(node, memory(node.access(), 1, lowering));
  return nullptr;
}

SyntaxTree lower_once(const SyntaxTree& tree, Family family) {
  const std::vector<LoweringRule> all = rules(family);
  // Functions have variables of their own, and may use a name for another type.
  const auto lower_function = [&](const NodePtr& function) {
    return Nodes{lower_node(function, {tree, family, symbols(*function)}, all)};
  };
  return {tree.tensors, with_children(tree.root, map_children(*tree.root, lower_function))};
}

}  // namespace convscope::cpu
