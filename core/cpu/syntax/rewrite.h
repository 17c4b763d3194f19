#pragma once
// Trees from trees.

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "core/cpu/syntax/node.h"

namespace convscope::cpu {

/// The same node with other children; the node itself if they are the same ones.
NodePtr with_children(const NodePtr& node, Nodes children);
/// What `change` makes of each child, one after the other.
Nodes map_children(const Node& node, const std::function<Nodes(const NodePtr&)>& change);
/// The variable replaced in all forms; with `name`, "$variable" in names too, by the value, which is then a number.
NodePtr substitute(const NodePtr& node, std::string_view variable, const Affine& value, bool names = false);
/// Calls for every node, depth first.
void visit(const Node& node, const std::function<void(const Node&)>& action);
/// Nodes numbered in order of depth first, from 0 on.
NodePtr numbered(const NodePtr& root);
/// A text that is equal for equal trees and different for others.
std::string fingerprint(const Node& node);

}  // namespace convscope::cpu
