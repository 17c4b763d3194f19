// Prefetching and streaming. Source: the thesis named in problem.h, section 7.2.1.

#include <algorithm>

#include "core/cpu/generate/stages.h"
#include "core/cpu/syntax/build.h"
#include "core/cpu/syntax/rewrite.h"

namespace convscope::cpu {
namespace {

/// Only pointers that go on by whole lines: the others would ask for one line again and again.
Nodes prefetch_step(const SyntaxTree& tree, const NodePtr& node, int bytes) {
  const bool steps = node->kind == Kind::step && node->operands.front() != "output";
  // Elements of a line; of three bytes those that begin in it.
  const std::int64_t line = steps ? prefetched_line / tree.tensor(node->operands.front()).layout.storage.bytes : 0;
  if (!steps || node->count < line)
    return {with_children(node, map_children(*node, [&](const NodePtr& c) { return prefetch_step(tree, c, bytes); }))};
  Nodes nodes;
  for (std::int64_t i = 0; i < std::min(node->count / line, most_prefetched); ++i) {
    Node ahead;
    ahead.kind = Kind::prefetch;
    ahead.accesses = {{node->operands.front(), {}, node->name, Affine(i * line)}};
    ahead.count = bytes;
    nodes.push_back(make(std::move(ahead)));
  }
  nodes.push_back(node);
  return nodes;
}

Nodes stream_store(const NodePtr& node) {
  if (node->kind == Kind::clear || node->kind == Kind::tile_copy) return {node};
  Node changed = *node;
  if (changed.kind == Kind::store && changed.access().tensor == "output") changed.kind = Kind::stream_store;
  changed.children = map_children(*node, stream_store);
  return {make(std::move(changed))};
}

NodePtr fence() {
  Node node;
  node.kind = Kind::fence;
  return make(std::move(node));
}

/// Fences behind each thread's iterations.
void fence_threads(NodePtr& node) {
  Nodes children = node->children;
  if (node->kind == Kind::loop && node->threads > 1)
    children.push_back(fence());
  else
    for (NodePtr& child : children) fence_threads(child);
  node = with_children(node, std::move(children));
}

/// Behind what each thread stores, and behind everything: the calling one may have stored alone.
void append_fence(Node& root) {
  for (NodePtr& child : root.children) fence_threads(child);
  root.children.push_back(fence());
}

}  // namespace

SyntaxTree prefetch(const SyntaxTree& tree, int bytes) {
  return {tree.tensors, prefetch_step(tree, tree.root, bytes).front()};
}

SyntaxTree stream(const SyntaxTree& tree) {
  Node root = *stream_store(tree.root).front();
  append_fence(root);
  return {tree.tensors, make(std::move(root))};
}

}  // namespace convscope::cpu
