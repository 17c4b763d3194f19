#pragma once
// Nodes by hand: what microkernels are written with.

#include "core/cpu/syntax/node.h"

namespace convscope::cpu {

inline Type vector_type(int lanes) {
  return {Type::Base::floating, lanes};
}

/// Moves `more` behind `nodes`.
void append(Nodes& nodes, Nodes more);

NodePtr make(Node node);
NodePtr block(Nodes children);
NodePtr microkernel(Nodes children);
NodePtr loop(std::string name, std::int64_t trips, Nodes children, int unrolled = 1);
NodePtr unroll(std::string name, std::int64_t trips, Nodes children);
NodePtr condition(Condition test, Nodes children);
NodePtr definition(std::string name, Type type);
NodePtr load(std::string name, Type type, Access access);
NodePtr broadcast(std::string name, Type type, Access access);
NodePtr store(Access access, std::string name, bool accumulate);
/// A store of `count` lanes from `first` on.
NodePtr masked(NodePtr store, int first, int count);
NodePtr fma(std::string sum, std::string a, std::string b);
NodePtr fma_lane(std::string sum, std::string a, std::string b, int lane);
NodePtr fma_memory(std::string sum, std::string a, Access access);
/// Of all lanes of all operands.
NodePtr horizontal_add(std::string name, std::vector<std::string> operands);
/// A sum of one or two operands with factors.
NodePtr combine(std::string name, Type type, std::vector<std::string> operands, std::vector<double> factors);
NodePtr shuffle(std::string name, std::string a, std::string b, std::vector<int> lanes);

}  // namespace convscope::cpu
