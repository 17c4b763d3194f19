// The four tests of padding. Source: the thesis named in problem.h, section 4.8.3.

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <set>
#include <string>

#include "core/cpu/generate/stages.h"
#include "core/cpu/syntax/build.h"
#include "core/cpu/syntax/ranges.h"
#include "core/cpu/syntax/rewrite.h"

namespace convscope::cpu {
namespace {

void add_unique(std::vector<Affine>& forms, const Affine& form) {
  if (std::find(forms.begin(), forms.end(), form) == forms.end()) forms.push_back(form);
}

/// Whether an output is made here, not added to.
bool stores_result(const Nodes& nodes) {
  bool stored = false, loaded = false;
  for (const NodePtr& node : nodes)
    visit(*node, [&](const Node& one) {
      const bool output = !one.accesses.empty() && one.access().tensor == "output";
      stored = stored || (output && one.kind == Kind::store && !one.accumulate);
      loaded = loaded || (output && one.kind == Kind::load);
    });
  return stored && !loaded;
}

/// Sums are there before something is added to them.
bool defines(const Node& node) {
  return node.kind == Kind::definition || node.kind == Kind::load || node.kind == Kind::broadcast ||
         node.kind == Kind::horizontal_add || node.kind == Kind::shuffle || node.kind == Kind::combine;
}

/// Neighbours in a list of nodes.
struct Span {
  std::ptrdiff_t begin, end;
};

bool reads(const Node& node, const std::set<std::string>& names) {
  bool found = false;
  visit(node, [&](const Node& one) {
    for (const std::string& operand : one.operands) found = found || names.contains(operand);
  });
  return found;
}

bool only_loads(const Node& node) {
  if (node.kind == Kind::load) return true;
  return node.kind == Kind::unroll && std::all_of(node.children.begin(), node.children.end(),
                                                  [](const NodePtr& child) { return child->kind == Kind::load; });
}

/// From the first node that looks at the image, and kernels loaded for it, to the last that does, or takes what those
/// between them define.
Span span_of_image(const Nodes& nodes) {
  const auto size = static_cast<std::ptrdiff_t>(nodes.size());
  const auto looks = [](const NodePtr& node) {
    bool found = false;
    visit(*node, [&](const Node& one) {
      for (const Access& access : one.accesses) found = found || access.tensor == "image";
    });
    return found;
  };
  auto first = std::find_if(nodes.begin(), nodes.end(), looks);
  while (first != nodes.begin() && only_loads(**std::prev(first))) --first;
  Span span{first - nodes.begin(), first - nodes.begin()};
  for (std::ptrdiff_t i = span.begin; i < size; ++i)
    if (looks(nodes[static_cast<std::size_t>(i)])) span.end = i + 1;
  std::set<std::string> defined;
  for (std::ptrdiff_t i = span.begin, taken = i; i < size; ++i) {
    for (; taken < span.end; ++taken)
      if (const Node& node = *nodes[static_cast<std::size_t>(taken)]; defines(node)) defined.insert(node.name);
    if (i >= span.end && reads(*nodes[static_cast<std::size_t>(i)], defined)) span.end = i + 1;
  }
  return span;
}

/// Cut behind each node that stores a result; what follows the last one belongs to it.
std::vector<Nodes> result_by_result(const Nodes& nodes) {
  if (!stores_result(nodes)) return {nodes};
  std::vector<Nodes> parts;
  bool complete = true;
  for (const NodePtr& node : nodes) {
    if (complete) parts.emplace_back();
    parts.back().push_back(node);
    complete = stores_result({node});
  }
  if (!complete && parts.size() > 1) {
    Nodes rest = std::move(parts.back());
    parts.pop_back();
    parts.back().insert(parts.back().end(), rest.begin(), rest.end());
  }
  return parts;
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

  /// Nodes with what is still to be tested around or in them; `clips`: of the loop whose whole body they are. What
  /// stores a result, rather than adds to one, is never left out: an output all of whose taps miss the image is zero.
  Nodes guard(const Nodes& nodes, std::string dimensions, std::vector<Condition>* clips) {
    if (const auto results = result_by_result(nodes); results.size() > 1) {
      Nodes all;
      for (const Nodes& one : results)
        for (NodePtr& node : guard(one, dimensions, nullptr)) all.push_back(std::move(node));
      return all;
    }
    const Span span = stores_result(nodes) ? span_of_image(nodes) : Span{0, static_cast<std::ptrdiff_t>(nodes.size())};
    Nodes part(nodes.begin() + span.begin, nodes.begin() + span.end);
    std::vector<Condition> around;
    for (const char dimension : std::string(stores_result(part) ? "" : dimensions)) {
      const auto form = common(part, dimension);
      if (!form) continue;
      std::erase(dimensions, dimension);
      const bool clipped = clip_ && dimension == 'H' && clips != nullptr && part.size() == nodes.size();
      for (const Condition& test : tests(*form, dimension)) (clipped ? *clips : around).push_back(test);
    }
    for (NodePtr& node : part) node = within(node, nodes.size(), dimensions);
    for (auto test = around.rbegin(); test != around.rend(); ++test) part = {condition(*test, std::move(part))};
    Nodes all(nodes.begin(), nodes.begin() + span.begin);
    all.insert(all.end(), part.begin(), part.end());
    all.insert(all.end(), nodes.begin() + span.end, nodes.end());
    return all;
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
