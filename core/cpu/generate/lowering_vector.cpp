// What is particular to vectors, and to families of them.

#include <numeric>

#include <fmt/format.h>

#include "core/cpu/generate/lowering.h"
#include "core/cpu/syntax/build.h"

namespace convscope::cpu {
namespace {

/// The same lanes twice.
NodePtr load_twice(const Node& node, const Lowering& lowering) {
  const int half = node.type.lanes / 2;
  std::vector<int> lanes(static_cast<std::size_t>(node.type.lanes));
  for (std::size_t i = 0; i < lanes.size(); ++i) lanes[i] = static_cast<int>(i) % half;
  const NodePtr part = memory(node.access(), half, lowering);
  return declare(node.name, node.type, choose(part, part, lanes));
}

}  // namespace

NodePtr lower_vector(const Node& node, const Lowering& lowering) {
  switch (node.kind) {
    case Kind::load:
      if (node.count > 1) return load_twice(node, lowering);
      return give(node, memory(node.access(), node.type.lanes, lowering));
    case Kind::broadcast:
      return give(node, concat({memory(node.access(), 1, lowering), literal(" - "),
                                brackets({type_fragment(node.type)}), literal("{}")}));
    case Kind::shuffle:
      return declare(node.name, node.type, choose(variable(node.operands[0]), variable(node.operands[1]), node.lanes));
    default:
      return nullptr;
  }
}

/// Past the caches.
NodePtr lower_x86(const Node& node, const Lowering& lowering) {
  if (node.kind == Kind::fence) return concat({literal("__builtin_ia32_sfence()"), semicolon()});
  if (node.kind != Kind::stream_store) return nullptr;
  const int lanes = lowering.lanes(node.operands.front());
  return concat({function_name(fmt::format("stream{}", lanes)),
                 brackets({comma_list({pointer_to(node.access(), lowering), variable(node.operands.front())})}),
                 semicolon()});
}

/// The element is broadcast by the instruction itself; compilers rather take a register for what is used twice.
NodePtr lower_avx512(const Node& node, const Lowering& lowering) {
  if (node.kind != Kind::fma_memory) return nullptr;
  return concat({literal(R"(asm("vfmadd231ps %2%{1to16%}, %1, %0" : "+v")"), brackets({variable(node.name)}),
                 literal(R"( : "v")"), brackets({variable(node.operands[0])}), literal(R"(, "m")"),
                 brackets({memory(node.access(), 1, lowering)}), literal(")"), semicolon()});
}

/// A lane that scales; compilers make one instruction of it.
NodePtr lower_neon(const Node& node, const Lowering& lowering) {
  if (node.kind != Kind::fma_lane) return nullptr;
  const int lanes = lowering.lanes(node.name);
  const std::string& vector = node.operands[1];
  NodePtr lane = literal(fmt::format("{}[{}]", vector, node.first));
  if (lanes > 1)
    lane = choose(variable(vector), variable(vector), std::vector<int>(static_cast<std::size_t>(lanes), node.first));
  return multiply_add(node.name, variable(node.operands[0]), lane);
}

}  // namespace convscope::cpu
