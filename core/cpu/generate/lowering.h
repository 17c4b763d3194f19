#pragma once
// Statements become fragments of C++ in rounds, until no rule applies. Source: the thesis named in problem.h,
// section 4.9. Vectors are those of GCC and Clang, without headers, which would take half of the compiling time.

#include <map>
#include <string>

#include "core/cpu/architecture/family.h"
#include "core/cpu/syntax/node.h"

namespace convscope::cpu {

/// What rules look at besides the node.
struct Lowering {
  const SyntaxTree& tree;
  Family family = Family::scalar;
  std::map<std::string, Type> types;

  int lanes(const std::string& variable) const;
  bool writable(const Access& access) const;
};

/// What a node is replaced by; null: the rule isn't for it.
using LoweringRule = NodePtr (*)(const Node& node, const Lowering& lowering);

NodePtr lower_general(const Node& node, const Lowering& lowering);
NodePtr lower_scalar(const Node& node, const Lowering& lowering);
NodePtr lower_vector(const Node& node, const Lowering& lowering);
NodePtr lower_x86(const Node& node, const Lowering& lowering);
NodePtr lower_avx512(const Node& node, const Lowering& lowering);
NodePtr lower_neon(const Node& node, const Lowering& lowering);

/// One round over the whole tree; the tree itself if no rule applied.
SyntaxTree lower_once(const SyntaxTree& tree, Family family);

// fragments
NodePtr literal(std::string text);
NodePtr variable(std::string name);
NodePtr concat(Nodes children);
NodePtr brackets(Nodes children);
NodePtr comma_list(Nodes children);
NodePtr function_name(std::string name);
NodePtr type_fragment(Type type);
NodePtr semicolon();
NodePtr declare(std::string name, Type type, NodePtr value);
NodePtr assign(std::string name, NodePtr value);
/// Declares the node's variable with a value, or assigns it if it is there already.
NodePtr give(const Node& node, NodePtr value);
/// "vector + a * b".
NodePtr multiply_add(const std::string& sum, NodePtr a, NodePtr b);
/// "const float*"; "const unsigned char*" to elements stored as flyte.
std::string pointer_type(const Tensor& tensor);
/// Pointer to an element: "p0 + 32"; in bytes where elements are stored as flyte.
NodePtr pointer_to(const Access& access, const Lowering& lowering);
/// An element, or as many as a vector has: "p0[32]", "*(const v8u*)(p0 + 32)", "load_flyte16_8(p0 + 64)".
NodePtr memory(const Access& access, int lanes, const Lowering& lowering);
/// The statement that puts a vector, or an element, there. Precondition: nothing is added to what is stored as flyte.
NodePtr store_at(const Access& access, int lanes, NodePtr value, bool accumulate, const Lowering& lowering);
/// Chosen lanes of two vectors side by side.
NodePtr choose(NodePtr a, NodePtr b, const std::vector<int>& lanes);

}  // namespace convscope::cpu
