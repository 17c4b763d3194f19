// The four tests of padding. Source: the thesis named in problem.h, section 4.8.3.

#include <algorithm>
#include <optional>

#include "core/cpu/generate/stages.h"
#include "core/cpu/syntax/build.h"
#include "core/cpu/syntax/ranges.h"
#include "core/cpu/syntax/rewrite.h"

namespace convscope::cpu {
namespace {

bool counts(const Node& node) {
  return node.kind == Kind::loop || node.kind == Kind::unroll;
}

void add_unique(std::vector<Affine>& forms, const Affine& form) {
  if (std::find(forms.begin(), forms.end(), form) == forms.end()) forms.push_back(form);
}

class Inserter {
 public:
  Inserter(const SyntaxTree& tree, bool clip) : extents_(tree.tensor("image").extents), clip_(clip) {}

  NodePtr run(const NodePtr& root) { return with_children(root, guard(root->children, "HW", nullptr)); }

 private:
  /// Forms along a dimension of all image elements.
  void collect(const NodePtr& node, char dimension, std::vector<Affine>& forms) {
    if (counts(*node)) known_[node->name] = {node->begin, node->end - 1};
    for (const Access& access : node->accesses)
      if (access.tensor == "image") add_unique(forms, access.at(dimension));
    for (const NodePtr& child : node->children) collect(child, dimension, forms);
    if (counts(*node)) known_.erase(node->name);
  }

  std::vector<Condition> tests(const Affine& form, char dimension) const {
    std::vector<Condition> needed;
    for (const Condition& test :
         {Condition{form, false, 0, dimension}, Condition{form, true, extents_.at(dimension), dimension}})
      if (!always(test, known_)) needed.push_back(test);
    return needed;
  }

  bool known(const Affine& form) const {
    return std::all_of(form.terms.begin(), form.terms.end(),
                       [&](const Affine::Term& term) { return known_.contains(term.variable); });
  }

  /// The one form along a dimension that all image elements of the nodes have, if its variables are known here. Those
  /// of other forms may lie inside where this one doesn't.
  std::optional<Affine> common(const Nodes& nodes, char dimension) {
    std::vector<Affine> forms;
    for (const NodePtr& node : nodes) collect(node, dimension, forms);
    return forms.size() == 1 && known(forms.front()) ? std::optional(forms.front()) : std::nullopt;
  }

  /// Nodes with what is still to be tested around or in them; `clips`: of the loop whose whole body they are.
  Nodes guard(const Nodes& nodes, std::string dimensions, std::vector<Condition>* clips) {
    std::vector<Condition> around;
    for (const char dimension : std::string(dimensions)) {
      const auto form = common(nodes, dimension);
      if (!form) continue;
      std::erase(dimensions, dimension);
      const bool clipped = clip_ && dimension == 'H' && clips != nullptr;
      for (const Condition& test : tests(*form, dimension)) (clipped ? *clips : around).push_back(test);
    }
    Nodes inside;
    for (const NodePtr& node : nodes) inside.push_back(within(node, nodes.size(), dimensions));
    for (auto test = around.rbegin(); test != around.rend(); ++test) inside = {condition(*test, std::move(inside))};
    return inside;
  }

  NodePtr within(const NodePtr& node, std::size_t siblings, const std::string& dimensions) {
    if (dimensions.empty()) return node;
    if (siblings > 1 && !counts(*node)) {
      Nodes alone = guard({node}, dimensions, nullptr);
      return alone.front();
    }
    if (!counts(*node)) return with_children(node, guard(node->children, dimensions, nullptr));
    known_[node->name] = {node->begin, node->end - 1};
    Node changed = *node;
    changed.children = guard(node->children, dimensions, node->kind == Kind::loop ? &changed.conditions : nullptr);
    known_.erase(node->name);
    return make(std::move(changed));
  }

  Extents extents_;
  bool clip_;
  Ranges known_;
};

}  // namespace

SyntaxTree insert_conditions(const SyntaxTree& tree, bool clip) {
  return {tree.tensors, Inserter(tree, clip).run(tree.root)};
}

}  // namespace convscope::cpu
