#include "core/cpu/syntax/node.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace convscope::cpu {
namespace {

/// Elements that an index form along the blocked dimension leads to: whole blocks and what is left within one.
Affine blocked_address(const Affine& form, std::int64_t block, std::int64_t block_stride) {
  const std::int64_t within = ((form.constant % block) + block) % block;
  Affine address = (form.constant - within) / block * block_stride + within;
  for (const Affine::Term& term : form.terms) {
    const bool whole = term.coefficient % block == 0;
    address += Affine::variable(term.variable, whole ? term.coefficient / block * block_stride : term.coefficient);
  }
  return address;
}

void collect(const Node& node, std::map<std::string, Type>& table) {
  switch (node.kind) {
    case Kind::definition:
    case Kind::load:
    case Kind::broadcast:
    case Kind::horizontal_add:
    case Kind::shuffle:
    case Kind::combine:
    case Kind::pointer:
      table[node.name] = node.type;
      break;
    case Kind::loop:
      table[node.name] = {Type::Base::integer, 1};
      break;
    default:
      break;
  }
  for (const NodePtr& child : node.children) collect(*child, table);
}

}  // namespace

const Affine& Access::at(char dimension) const {
  const auto found = std::find_if(index.begin(), index.end(), [&](const Index& i) { return i.dimension == dimension; });
  assert(found != index.end());
  return found->form;
}

const Tensor& SyntaxTree::tensor(std::string_view name) const {
  const auto found = std::find_if(tensors.begin(), tensors.end(), [&](const Tensor& t) { return t.name == name; });
  assert(found != tensors.end());
  return *found;
}

std::map<std::string, Type> symbols(const Node& root) {
  std::map<std::string, Type> table;
  collect(root, table);
  return table;
}

Affine address(const Tensor& tensor, const Access& access) {
  if (access.offset) return *access.offset;
  Affine sum;
  for (const Access::Index& index : access.index)
    sum += index.dimension == tensor.layout.blocked
               ? blocked_address(index.form, tensor.layout.block, block_stride(tensor.layout, tensor.extents))
               : index.form * stride(tensor.layout, tensor.extents, index.dimension);
  return sum;
}

}  // namespace convscope::cpu
