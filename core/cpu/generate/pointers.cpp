// Compilers that see how addresses of many pixels follow from a loop's variable make a pointer of each, more than there
// are registers. Pointers that step by themselves, and whose values the compiler is told nothing about, prevent that.

#include <algorithm>

#include <fmt/format.h>

#include "core/cpu/generate/stages.h"
#include "core/cpu/syntax/build.h"
#include "core/cpu/syntax/rewrite.h"

namespace convscope::cpu {
namespace {

/// Accesses of a loop's body that differ by constants share a pointer, which begins at the least of them.
struct Pointer {
  std::string name;
  std::string tensor;
  Affine form;  ///< with the loop's variable, without constant
  std::int64_t least = 0;
};

bool innermost(const Node& node) {
  bool inner = false;
  for (const NodePtr& child : node.children)
    visit(*child, [&](const Node& one) { inner = inner || one.kind == Kind::loop; });
  return !inner;
}

class Hoister {
 public:
  explicit Hoister(const SyntaxTree& tree) : tree_(tree) {}

  Nodes run(const NodePtr& node) {
    if (node->kind != Kind::loop || !innermost(*node) || !node->conditions.empty())
      return {with_children(node, map_children(*node, [&](const NodePtr& child) { return run(child); }))};
    return hoist(*node);
  }

 private:
  Affine form(const Access& access) const { return address(tree_.tensor(access.tensor), access); }

  Nodes hoist(const Node& loop) {
    std::vector<Pointer> pointers = find(loop);
    Nodes nodes;
    for (Pointer& pointer : pointers) {
      pointer.name = fmt::format("p{}", next_++);
      nodes.push_back(definition_of(pointer, loop));
    }
    Node stepped = loop;
    for (NodePtr& child : stepped.children) child = through(child, pointers);
    for (const Pointer& pointer : pointers) stepped.children.push_back(step(pointer, loop));
    nodes.push_back(make(std::move(stepped)));
    return nodes;
  }

  std::vector<Pointer> find(const Node& loop) const {
    std::vector<Pointer> pointers;
    visit(loop, [&](const Node& node) {
      for (const Access& access : node.accesses) {
        const Affine whole = form(access);
        if (whole.coefficient(loop.name) == 0 || !access.base.empty()) continue;
        Pointer* found = match(pointers, access.tensor, whole);
        if (found == nullptr)
          pointers.push_back({{}, access.tensor, whole + Affine(-whole.constant), whole.constant});
        else
          found->least = std::min(found->least, whole.constant);
      }
    });
    return pointers;
  }

  template <typename Pointers>
  static auto match(Pointers& pointers, const std::string& tensor, const Affine& whole) -> decltype(pointers.data()) {
    for (auto& one : pointers)
      if (one.tensor == tensor && one.form.terms == whole.terms) return &one;
    return nullptr;
  }

  static NodePtr definition_of(const Pointer& pointer, const Node& loop) {
    Node node;
    node.kind = Kind::pointer;
    node.name = pointer.name;
    node.type = {Type::Base::pointer, 1};
    node.accesses = {{pointer.tensor, {}, {}, substitute(pointer.form, loop.name, loop.begin) + Affine(pointer.least)}};
    return make(std::move(node));
  }

  static NodePtr step(const Pointer& pointer, const Node& loop) {
    Node node;
    node.kind = Kind::step;
    node.name = pointer.name;
    node.count = pointer.form.coefficient(loop.name);
    node.operands = {pointer.tensor};
    return make(std::move(node));
  }

  NodePtr through(const NodePtr& node, const std::vector<Pointer>& pointers) const {
    Node changed = *node;
    for (Access& access : changed.accesses) {
      if (!access.base.empty()) continue;
      const Affine whole = form(access);
      if (const Pointer* pointer = match(pointers, access.tensor, whole))
        access = {access.tensor, std::move(access.index), pointer->name, whole.constant - pointer->least};
    }
    for (NodePtr& child : changed.children) child = through(child, pointers);
    return make(std::move(changed));
  }

  const SyntaxTree& tree_;
  int next_ = 0;
};

/// Numbers begin anew in each microkernel, so that equal ones stay equal.
Nodes in_microkernels(const SyntaxTree& tree, const NodePtr& node) {
  if (node->kind == Kind::microkernel) return Hoister(tree).run(node);
  return {with_children(node, map_children(*node, [&](const NodePtr& child) { return in_microkernels(tree, child); }))};
}

}  // namespace

SyntaxTree hoist_pointers(const SyntaxTree& tree) {
  return {tree.tensors, in_microkernels(tree, tree.root).front()};
}

}  // namespace convscope::cpu
