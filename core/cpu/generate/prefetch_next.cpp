// Weights of calls to come. Source: ours; the thesis (section 7.2.1) asks for what lies some bytes ahead.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/cpu/generate/stages.h"
#include "core/cpu/syntax/build.h"
#include "core/cpu/syntax/rewrite.h"

namespace convscope::cpu {
namespace {

using Loops = std::vector<const Node*>;

/// Which of the calls that read the same weights this one is, how many there are, and how far on the next weights are.
struct Turn {
  Affine number;
  std::int64_t calls = 1;
  std::int64_t distance = 0;  ///< elements
};

/// Of weights at an address, within loops, the outermost first; nothing if no loop goes on to others.
std::optional<Turn> turn_of(const Affine& weights, const Loops& around) {
  Turn turn;
  for (auto loop = around.rbegin(); loop != around.rend(); ++loop) {
    const Node& one = **loop;
    turn.distance = weights.coefficient(one.name);
    if (turn.distance != 0) return turn.calls > 1 ? std::optional(turn) : std::nullopt;
    turn.number += (Affine::variable(one.name) + Affine(-one.begin)) * turn.calls;
    turn.calls *= one.end - one.begin;
  }
  return std::nullopt;
}

NodePtr line_ahead(const NodePtr& step, Affine offset, std::int64_t bytes) {
  Node ahead;
  ahead.kind = Kind::prefetch;
  ahead.accesses = {{step->operands.front(), {}, step->name, std::move(offset)}};
  ahead.count = bytes;
  return make(std::move(ahead));
}

class Sharer {
 public:
  explicit Sharer(const SyntaxTree& tree) : tree_(tree) {}

  Nodes run(const NodePtr& node) {
    if (node->kind == Kind::microkernel) return {in_microkernel(node)};
    const bool loop = node->kind == Kind::loop;
    if (loop) around_.push_back(node.get());
    const Nodes children = map_children(*node, [&](const NodePtr& child) { return run(child); });
    if (loop) around_.pop_back();
    return {with_children(node, children)};
  }

 private:
  NodePtr in_microkernel(const NodePtr& node) {
    std::optional<Turn> turn;
    visit(*node, [&](const Node& one) {
      if (one.kind == Kind::pointer && one.access().tensor == "kernel" && !turn)
        turn = turn_of(address(tree_.tensor("kernel"), one.access()), around_);
    });
    return turn ? asked(node, *turn).front() : node;
  }

  /// Of each iteration, the share of the lines that it reads, as far on as the next weights.
  Nodes asked(const NodePtr& node, const Turn& turn) const {
    const std::int64_t bytes = tree_.tensor("kernel").layout.storage.bytes, line = prefetched_line / bytes;
    const bool steps = node->kind == Kind::step && node->operands.front() == "kernel" && node->count >= line;
    if (!steps)
      return {with_children(node, map_children(*node, [&](const NodePtr& child) { return asked(child, turn); }))};
    const std::int64_t share = (node->count / line + turn.calls - 1) / turn.calls;
    Nodes nodes;
    for (std::int64_t i = 0; i < share; ++i)
      nodes.push_back(line_ahead(node, turn.number * (share * line) + Affine(i * line), turn.distance * bytes));
    nodes.push_back(node);
    return nodes;
  }

  const SyntaxTree& tree_;
  Loops around_;
};

}  // namespace

SyntaxTree prefetch_next(const SyntaxTree& tree) {
  return {tree.tensors, Sharer(tree).run(tree.root).front()};
}

}  // namespace convscope::cpu
