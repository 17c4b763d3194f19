// Weights of calls to come. Source: ours; the thesis (section 7.2.1) asks for what lies some bytes ahead.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
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
    if (turn.distance != 0) return turn;
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

/// What a call reads of the weights.
struct WeightsOfCall {
  Affine address;
  std::int64_t lines = 0;  ///< in an iteration of its unrolled loop
};

/// The first microkernel below a node, with the loops on the way.
struct Below {
  const Node* microkernel = nullptr;
  Loops loops;
};

Below first_below(const Node& node) {
  for (const NodePtr& child : node.children) {
    if (child->kind == Kind::microkernel) return {child.get(), {}};
    Below found = first_below(*child);
    if (found.microkernel == nullptr) continue;
    if (child->kind == Kind::loop) found.loops.push_back(child.get());
    return found;
  }
  return {};
}

class Sharer {
 public:
  explicit Sharer(const SyntaxTree& tree) : tree_(tree) {}

  /// Where there are more calls than lines of an iteration, the first ones ask.
  Nodes run(const NodePtr& node) {
    if (node->kind == Kind::microkernel) return {in_microkernel(node)};
    if (node->kind != Kind::loop) return {inside(node)};
    const std::int64_t asking = iterations_that_ask(*node);
    if (asking >= node->end - node->begin) return {in_loop(node)};
    Node first = *node, others = *node;
    first.end = others.begin = node->begin + asking;
    return {in_loop(make(std::move(first))), make(std::move(others))};
  }

 private:
  NodePtr inside(const NodePtr& node) {
    return with_children(node, map_children(*node, [&](const NodePtr& child) { return run(child); }));
  }

  NodePtr in_loop(const NodePtr& node) {
    around_.push_back(node.get());
    NodePtr changed = inside(node);
    around_.pop_back();
    return changed;
  }

  std::int64_t line() const { return prefetched_line / tree_.tensor("kernel").layout.storage.bytes; }

  bool is_step(const Node& node) const {
    return node.kind == Kind::step && node.operands.front() == "kernel" && node.count >= line();
  }

  std::optional<WeightsOfCall> weights_of(const Node& microkernel) const {
    std::optional<WeightsOfCall> weights;
    visit(microkernel, [&](const Node& one) {
      if (one.kind == Kind::pointer && one.access().tensor == "kernel" && !weights)
        weights = WeightsOfCall{address(tree_.tensor("kernel"), one.access())};
      if (weights && is_step(one)) weights->lines = std::max(weights->lines, one.count / line());
    });
    return weights;
  }

  /// Of the outermost of the loops whose calls read the same weights so many that each line is asked for; of others
  /// all.
  std::int64_t iterations_that_ask(const Node& node) const {
    const std::int64_t all = node.end - node.begin;
    const Below below = first_below(node);
    const auto weights = below.microkernel == nullptr ? std::nullopt : weights_of(*below.microkernel);
    if (!weights || around_.empty()) return all;
    const auto moves = [&](const Node* loop) { return weights->address.coefficient(loop->name) != 0; };
    if (moves(&node) || !moves(around_.back()) || std::any_of(below.loops.begin(), below.loops.end(), moves))
      return all;
    std::int64_t calls = 1;
    for (const Node* loop : below.loops) calls *= loop->end - loop->begin;
    return std::max<std::int64_t>(1, (weights->lines + calls - 1) / calls);
  }

  NodePtr in_microkernel(const NodePtr& node) {
    const auto weights = weights_of(*node);
    const auto turn = weights ? turn_of(weights->address, around_) : std::nullopt;
    return turn ? asked(node, *turn).front() : node;
  }

  /// Of each iteration, the share of the lines that it reads, as far on as the next weights.
  Nodes asked(const NodePtr& node, const Turn& turn) const {
    if (!is_step(*node))
      return {with_children(node, map_children(*node, [&](const NodePtr& child) { return asked(child, turn); }))};
    const std::int64_t share = (node->count / line() + turn.calls - 1) / turn.calls;
    const std::int64_t bytes = turn.distance * tree_.tensor("kernel").layout.storage.bytes;
    Nodes nodes;
    for (std::int64_t i = 0; i < share; ++i)
      nodes.push_back(line_ahead(node, turn.number * (share * line()) + Affine(i * line()), bytes));
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
