// Each distinct microkernel once, as a function of pointers to where it begins in each tensor and of the loop variables
// that its tests and bounds look at, or its prefetching.

#include <map>
#include <set>

#include <fmt/format.h>

#include "core/cpu/generate/stages.h"
#include "core/cpu/syntax/build.h"
#include "core/cpu/syntax/rewrite.h"

namespace convscope::cpu {
namespace {

using Names = std::set<std::string>;

/// Where a tensor's accesses of one microkernel begin: variables of loops outside, and the first access's constant.
using Origins = std::map<std::string, Affine>;

Affine of_variables(const Affine& form, const Names& inside, bool wanted) {
  Affine part;
  for (const Affine::Term& term : form.terms)
    if (inside.contains(term.variable) == wanted) part += Affine::variable(term.variable, term.coefficient);
  return part;
}

class Maker {
 public:
  explicit Maker(const SyntaxTree& tree) : tree_(tree) {}

  NodePtr run() {
    Nodes body = map_children(*tree_.root, [&](const NodePtr& child) { return replace(child); });
    Node nest = function("convolution", {});
    nest.children = std::move(body);
    functions_.push_back(make(std::move(nest)));
    return block(std::move(functions_));
  }

 private:
  static Node function(std::string name, std::vector<std::string> parameters) {
    Node node;
    node.kind = Kind::function;
    node.name = std::move(name);
    node.operands = std::move(parameters);
    return node;
  }

  Nodes replace(const NodePtr& node) {
    if (node->kind == Kind::microkernel) return {call(*node)};
    return {with_children(node, map_children(*node, [&](const NodePtr& child) { return replace(child); }))};
  }

  NodePtr call(const Node& kernel) {
    inside_.clear();
    visit(kernel, [&](const Node& node) {
      if (node.kind == Kind::loop) inside_.insert(node.name);
    });
    const Origins origins = find_origins(kernel);
    Node body = function("", free_variables(kernel));
    for (const NodePtr& child : kernel.children) body.children.push_back(relative(child, origins));
    for (const auto& [tensor, form] : origins) body.accesses.push_back({tensor, {}, {}, Affine()});
    Node call = function(name_of(std::move(body)), free_variables(kernel));
    call.kind = Kind::call;
    for (const auto& [tensor, form] : origins) call.accesses.push_back({tensor, {}, {}, form});
    return make(std::move(call));
  }

  Origins find_origins(const Node& kernel) const {
    Origins origins;
    visit(kernel, [&](const Node& node) {
      for (const Access& access : node.accesses) {
        if (!access.base.empty() || origins.contains(access.tensor)) continue;
        const Affine form = address(tree_.tensor(access.tensor), access);
        origins[access.tensor] = of_variables(form, inside_, false) + Affine(form.constant);
      }
    });
    return origins;
  }

  void add_outside(const Affine& form, Names& names) const {
    for (const Affine::Term& term : form.terms)
      if (!inside_.contains(term.variable)) names.insert(term.variable);
  }

  /// Of tests and bounds, and of what is added to a pointer.
  std::vector<std::string> free_variables(const Node& kernel) const {
    Names names;
    visit(kernel, [&](const Node& node) {
      for (const Condition& test : node.conditions) add_outside(test.form, names);
      for (const Access& access : node.accesses)
        if (!access.base.empty() && access.offset) add_outside(*access.offset, names);
    });
    return {names.begin(), names.end()};
  }

  NodePtr relative(const NodePtr& node, const Origins& origins) const {
    Node changed = *node;
    for (Access& access : changed.accesses) {
      if (!access.base.empty()) {
        access.index.clear();
        continue;
      }
      const Affine form = address(tree_.tensor(access.tensor), access);
      access.index.clear();
      access.offset = of_variables(form, inside_, true) + Affine(form.constant - origins.at(access.tensor).constant);
    }
    for (NodePtr& child : changed.children) child = relative(child, origins);
    return make(std::move(changed));
  }

  /// The name of the function with this body, which becomes one if there is none.
  std::string name_of(Node body) {
    const auto [found, fresh] = names_.try_emplace(fingerprint(body), fmt::format("tile_{}", names_.size()));
    if (fresh) {
      body.name = found->second;
      functions_.push_back(make(std::move(body)));
    }
    return found->second;
  }

  const SyntaxTree& tree_;
  Names inside_;
  std::map<std::string, std::string> names_;
  Nodes functions_;
};

}  // namespace

SyntaxTree make_functions(const SyntaxTree& tree) {
  return {tree.tensors, Maker(tree).run()};
}

}  // namespace convscope::cpu
