#include <cassert>

#include <fmt/format.h>

#include "core/cpu/generate/flyte_text.h"
#include "core/cpu/generate/lowering.h"
#include "core/cpu/syntax/build.h"

namespace convscope::cpu {
namespace {

NodePtr fragment(Kind kind, std::string name, Nodes children = {}) {
  Node node;
  node.kind = kind;
  node.name = std::move(name);
  node.children = std::move(children);
  return make(std::move(node));
}

}  // namespace

NodePtr literal(std::string text) {
  return fragment(Kind::literal, std::move(text));
}
NodePtr variable(std::string name) {
  return fragment(Kind::variable, std::move(name));
}
NodePtr concat(Nodes children) {
  return fragment(Kind::concat, {}, std::move(children));
}
NodePtr brackets(Nodes children) {
  return fragment(Kind::brackets, {}, std::move(children));
}
NodePtr comma_list(Nodes children) {
  return fragment(Kind::comma_list, {}, std::move(children));
}
NodePtr function_name(std::string name) {
  return fragment(Kind::function_name, std::move(name));
}
NodePtr semicolon() {
  return fragment(Kind::semicolon, {});
}

NodePtr type_fragment(Type type) {
  Node node = *fragment(Kind::type, {});
  node.type = type;
  return make(std::move(node));
}

NodePtr declare(std::string name, Type type, NodePtr value) {
  Node node = *fragment(Kind::declaration, std::move(name), {std::move(value)});
  node.type = type;
  return make(std::move(node));
}

NodePtr assign(std::string name, NodePtr value) {
  return fragment(Kind::assignment, std::move(name), {std::move(value)});
}

NodePtr give(const Node& node, NodePtr value) {
  return node.assigns ? assign(node.name, std::move(value)) : declare(node.name, node.type, std::move(value));
}

NodePtr multiply_add(const std::string& sum, NodePtr a, NodePtr b) {
  return assign(sum, concat({variable(sum), literal(" + "), std::move(a), literal(" * "), std::move(b)}));
}

std::string pointer_type(const Tensor& tensor) {
  return fmt::format("{}{}*", tensor.name == "output" || tensor.buffer ? "" : "const ",
                     tensor.layout.storage.complete() ? "float" : "unsigned char");
}

NodePtr pointer_to(const Access& access, const Lowering& lowering) {
  const Tensor& tensor = lowering.tree.tensor(access.tensor);
  const Affine offset = address(tensor, access) * (tensor.layout.storage.complete() ? 1 : tensor.layout.storage.bytes);
  NodePtr base = variable(access.base.empty() ? access.tensor : access.base);
  return offset == Affine() ? base : concat({base, literal(" + " + text(offset))});
}

NodePtr memory(const Access& access, int lanes, const Lowering& lowering) {
  if (const Tensor& tensor = lowering.tree.tensor(access.tensor); !tensor.layout.storage.complete())
    return concat(
        {function_name(flyte_load_name(tensor.layout.storage, lanes)), brackets({pointer_to(access, lowering)})});
  if (lanes > 1) {
    const char* constant = lowering.writable(access) ? "" : "const ";
    return concat({literal(fmt::format("*({}v{}u*)", constant, lanes)), brackets({pointer_to(access, lowering)})});
  }
  const Affine offset = address(lowering.tree.tensor(access.tensor), access);
  return concat({variable(access.base.empty() ? access.tensor : access.base), literal("[" + text(offset) + "]")});
}

NodePtr store_at(const Access& access, int lanes, NodePtr value, bool accumulate, const Lowering& lowering) {
  if (const Tensor& tensor = lowering.tree.tensor(access.tensor); !tensor.layout.storage.complete()) {
    assert(!accumulate);
    return concat({function_name(flyte_store_name(tensor.layout.storage, lanes)),
                   brackets({comma_list({pointer_to(access, lowering), std::move(value)})}), semicolon()});
  }
  return concat({memory(access, lanes, lowering), literal(accumulate ? " += " : " = "), std::move(value), semicolon()});
}

NodePtr choose(NodePtr a, NodePtr b, const std::vector<int>& lanes) {
  Nodes list{std::move(a), std::move(b)};
  for (const int lane : lanes) list.push_back(literal(fmt::format("{}", lane)));
  return concat({function_name("__builtin_shufflevector"), brackets({comma_list(std::move(list))})});
}

}  // namespace convscope::cpu
