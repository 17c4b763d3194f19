#include <set>

#include <fmt/format.h>

#include "core/cpu/generate/stages.h"
#include "core/cpu/syntax/build.h"
#include "core/cpu/syntax/rewrite.h"

namespace convscope::cpu {
namespace {

using Names = std::set<std::string>;

void collect_defined(const Node& node, Names& names) {
  switch (node.kind) {
    case Kind::definition:
    case Kind::load:
    case Kind::broadcast:
    case Kind::horizontal_add:
    case Kind::shuffle:
    case Kind::combine:
      names.insert(node.name);
      break;
    default:
      break;
  }
  for (const NodePtr& child : node.children) collect_defined(*child, names);
}

/// What one copy defines gets a name of its own.
NodePtr rename(const NodePtr& node, const Names& names, const std::string& suffix) {
  Node renamed = *node;
  if (names.contains(renamed.name)) renamed.name += suffix;
  for (std::string& operand : renamed.operands)
    if (names.contains(operand)) operand += suffix;
  for (NodePtr& child : renamed.children) child = rename(child, names, suffix);
  return make(std::move(renamed));
}

Nodes write_out(const Node& node, const Nodes& body) {
  Nodes nodes;
  for (std::int64_t i = node.begin; i < node.end; ++i)
    for (const NodePtr& one : body) nodes.push_back(substitute(one, node.name, i, true));
  return nodes;
}

Node part(const Node& node, std::int64_t begin, std::int64_t end, Nodes children) {
  Node changed = node;
  changed.begin = begin;
  changed.end = end;
  changed.unrolled = 1;
  changed.children = std::move(children);
  return changed;
}

/// A loop whose body stands there several times, then one over what is left over.
Nodes unroll_loop(const Node& node, const Nodes& body) {
  const std::int64_t factor = node.unrolled, trips = (node.end - node.begin) / factor;
  Names names;
  for (const NodePtr& one : body) collect_defined(*one, names);
  Nodes copies;
  for (std::int64_t u = 0; u < factor; ++u)
    for (const NodePtr& one : body)
      copies.push_back(rename(substitute(one, node.name, Affine::variable(node.name, factor) + Affine(node.begin + u)),
                              names, fmt::format("_u{}", u)));
  Nodes nodes{make(part(node, 0, trips, std::move(copies)))};
  if (const std::int64_t rest = node.begin + trips * factor; rest < node.end)
    nodes.push_back(make(part(node, rest, node.end, body)));
  return nodes;
}

/// The body of a loop's only iteration, whose variables stay its own.
NodePtr scope(const Node& node) {
  Nodes body;
  for (const NodePtr& child : node.children) body.push_back(substitute(child, node.name, node.begin));
  return body.size() == 1 ? body.front() : block(std::move(body));
}

/// A loop of one iteration is its body.
Nodes dissolve(const Nodes& loops) {
  Nodes nodes;
  for (const NodePtr& node : loops) {
    if (node->kind != Kind::loop || node->end - node->begin != 1 || !node->conditions.empty())
      nodes.push_back(node);
    else
      nodes.push_back(scope(*node));
  }
  return nodes;
}

Nodes run(const NodePtr& node) {
  Nodes body = map_children(*node, run);
  if (node->kind == Kind::unroll) return write_out(*node, body);
  if (node->kind != Kind::loop) return {with_children(node, std::move(body))};
  const bool unrolled = node->unrolled > 1 && node->conditions.empty() && node->end - node->begin >= node->unrolled;
  return dissolve(unrolled ? unroll_loop(*node, body) : Nodes{make(part(*node, node->begin, node->end, body))});
}

}  // namespace

SyntaxTree unroll(const SyntaxTree& tree) {
  return {tree.tensors, run(tree.root).front()};
}

}  // namespace convscope::cpu
