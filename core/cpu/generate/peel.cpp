// Where a loop runs over tiles at the edge and tiles inside, both in one body would have to test for padding at every
// tap. Split at the iterations where a test's outcome changes, each part knows its taps.

#include <algorithm>
#include <set>

#include "core/cpu/generate/stages.h"
#include "core/cpu/syntax/build.h"
#include "core/cpu/syntax/ranges.h"
#include "core/cpu/syntax/rewrite.h"

namespace convscope::cpu {
namespace {

constexpr std::size_t most_parts = 32;
constexpr std::int64_t most_values = 1 << 16;  ///< of the rest of a form that are looked at

std::int64_t ceil_divide(std::int64_t a, std::int64_t b) {
  return a >= 0 ? (a + b - 1) / b : -(-a / b);
}

/// What remains of a tap that no pixel of the tile has only loads.
bool computes(const Node& node) {
  bool found = false;
  visit(node, [&](const Node& one) {
    found = found || one.kind == Kind::fma || one.kind == Kind::fma_lane || one.kind == Kind::fma_memory ||
            one.kind == Kind::store;
  });
  return found;
}

class Peeler {
 public:
  explicit Peeler(std::string_view dimensions) : dimensions_(dimensions) {}

  Nodes run(const NodePtr& node) {
    if (node->kind == Kind::condition && peels(node->conditions.front())) return decide(node);
    if (!counts(*node)) return {with_children(node, map_children(*node, [&](const NodePtr& c) { return run(c); }))};
    return split(node);
  }

 private:
  bool peels(const Condition& test) const { return dimensions_.find(test.dimension) != std::string_view::npos; }

  Nodes decide(const NodePtr& node) {
    const Condition& test = node->conditions.front();
    if (never(test, outer_)) return {};
    Nodes children = map_children(*node, [&](const NodePtr& child) { return run(child); });
    return always(test, outer_) ? children : Nodes{with_children(node, std::move(children))};
  }

  Nodes split(const NodePtr& node) {
    const std::vector<std::int64_t> bounds = parts(*node);
    Nodes nodes;
    for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
      outer_[node->name] = {bounds[i], bounds[i + 1] - 1};
      Node part = *node;
      part.begin = bounds[i];
      part.end = bounds[i + 1];
      part.children = map_children(*node, [&](const NodePtr& child) { return run(child); });
      const bool kept = part.kind == Kind::unroll ? !part.children.empty() : computes(part);
      if (kept) nodes.push_back(make(std::move(part)));
    }
    outer_.erase(node->name);
    return nodes;
  }

  /// Begin, iterations where an outcome changes, end.
  std::vector<std::int64_t> parts(const Node& node) {
    std::set<std::int64_t> cuts;
    Ranges inner;
    for (const NodePtr& child : node.children) find_cuts(*child, node.name, inner, cuts);
    std::vector<std::int64_t> bounds{node.begin};
    for (const std::int64_t cut : cuts)
      if (cut > node.begin && cut < node.end) bounds.push_back(cut);
    if (bounds.size() > most_parts) bounds.resize(1);
    bounds.push_back(node.end);
    return bounds;
  }

  void find_cuts(const Node& node, const std::string& variable, Ranges& inner, std::set<std::int64_t>& cuts) {
    if (counts(node)) inner[node.name] = {node.begin, node.end - 1};
    if (node.kind == Kind::condition && peels(node.conditions.front()))
      add_cuts(node.conditions.front(), variable, inner, cuts);
    for (const NodePtr& child : node.children) find_cuts(*child, variable, inner, cuts);
    if (counts(node)) inner.erase(node.name);
  }

  void add_cuts(const Condition& test, const std::string& variable, const Ranges& inner,
                std::set<std::int64_t>& cuts) const {
    const std::int64_t coefficient = test.form.coefficient(variable);
    if (coefficient <= 0) return;
    for (const std::int64_t rest : rests(test.form, variable, inner))
      cuts.insert(ceil_divide((test.over ? test.limit : 0) - rest, coefficient));
  }

  /// Values of the form without the variable: every one that the loops inside give, of those outside the first, as
  /// all of them are alike.
  std::set<std::int64_t> rests(const Affine& form, const std::string& variable, const Ranges& inner) const {
    std::set<std::int64_t> values{form.constant};
    for (const Affine::Term& term : form.terms) {
      if (term.variable == variable) continue;
      const auto inside = inner.find(term.variable), outside = outer_.find(term.variable);
      if (inside == inner.end() && outside == outer_.end()) return {};
      const Range range = inside != inner.end() ? inside->second : Range{outside->second.low, outside->second.low};
      if ((range.high - range.low + 1) * static_cast<std::int64_t>(values.size()) > most_values) return {};
      std::set<std::int64_t> sums;
      for (const std::int64_t value : values)
        for (std::int64_t i = range.low; i <= range.high; ++i) sums.insert(value + term.coefficient * i);
      values = std::move(sums);
    }
    return values;
  }

  const std::string_view dimensions_;
  Ranges outer_;
};

}  // namespace

SyntaxTree peel(const SyntaxTree& tree, std::string_view dimensions) {
  const Nodes nodes = Peeler(dimensions).run(tree.root);
  return {tree.tensors, nodes.front()};
}

}  // namespace convscope::cpu
