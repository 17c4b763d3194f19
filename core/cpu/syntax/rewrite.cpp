#include "core/cpu/syntax/rewrite.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/cpu/syntax/build.h"

namespace convscope::cpu {
namespace {

void replace_all(std::string& text, const std::string& what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

void substitute_names(Node& node, std::string_view variable, const Affine& value) {
  const std::string what = fmt::format("${}", variable), by = fmt::format("{}", value.constant);
  replace_all(node.name, what, by);
  for (std::string& operand : node.operands) replace_all(operand, what, by);
}

bool mentions(const Affine& form, std::string_view variable) {
  return form.coefficient(variable) != 0;
}

void substitute_forms(Node& node, std::string_view variable, const Affine& value) {
  for (Access& access : node.accesses) {
    for (Access::Index& index : access.index)
      if (mentions(index.form, variable)) index.form = substitute(index.form, variable, value);
    if (access.offset) access.offset = substitute(*access.offset, variable, value);
  }
  for (Condition& test : node.conditions) test.form = substitute(test.form, variable, value);
}

NodePtr number(const NodePtr& node, int& next) {
  Node numbered = *node;
  numbered.id = next++;
  for (NodePtr& child : numbered.children) child = number(child, next);
  return make(std::move(numbered));
}

void print(const Node& node, std::string& text) {
  text += fmt::format("{} {} {} {} {} {} {} {} {} {} {}(", static_cast<int>(node.kind), label(node), node.type.lanes,
                      node.begin, node.end, node.count, node.first, node.accumulate, node.unrolled,
                      fmt::join(node.lanes, ","), fmt::join(node.operands, ","));
  for (const NodePtr& child : node.children) print(*child, text);
  text += ")";
}

}  // namespace

NodePtr with_children(const NodePtr& node, Nodes children) {
  if (children == node->children) return node;
  Node changed = *node;
  changed.children = std::move(children);
  return make(std::move(changed));
}

Nodes map_children(const Node& node, const std::function<Nodes(const NodePtr&)>& change) {
  Nodes children;
  for (const NodePtr& child : node.children)
    for (NodePtr& one : change(child)) children.push_back(std::move(one));
  return children;
}

NodePtr substitute(const NodePtr& node, std::string_view variable, const Affine& value, bool names) {
  Node changed = *node;
  substitute_forms(changed, variable, value);
  if (names) substitute_names(changed, variable, value);
  for (NodePtr& child : changed.children) child = substitute(child, variable, value, names);
  return make(std::move(changed));
}

void visit(const Node& node, const std::function<void(const Node&)>& action) {
  action(node);
  for (const NodePtr& child : node.children) visit(*child, action);
}

NodePtr numbered(const NodePtr& root) {
  int next = 0;
  return number(root, next);
}

std::string fingerprint(const Node& node) {
  std::string text;
  print(node, text);
  return text;
}

}  // namespace convscope::cpu
