#include "core/cpu/syntax/build.h"

#include <utility>

namespace convscope::cpu {
namespace {

Node bare(Kind kind, std::string name = {}, std::vector<std::string> operands = {}, std::vector<Access> accesses = {}) {
  Node node;
  node.kind = kind;
  node.name = std::move(name);
  node.operands = std::move(operands);
  node.accesses = std::move(accesses);
  return node;
}

Node counting(Kind kind, std::string name, std::int64_t trips, Nodes children) {
  Node node = bare(kind, std::move(name));
  node.end = trips;
  node.children = std::move(children);
  return node;
}

NodePtr typed(Node node, Type type) {
  node.type = type;
  return make(std::move(node));
}

}  // namespace

void append(Nodes& nodes, Nodes more) {
  for (NodePtr& one : more) nodes.push_back(std::move(one));
}

NodePtr make(Node node) {
  return std::make_shared<const Node>(std::move(node));
}

NodePtr block(Nodes children) {
  return make(counting(Kind::block, {}, 0, std::move(children)));
}

NodePtr microkernel(Nodes children) {
  return make(counting(Kind::microkernel, {}, 0, std::move(children)));
}

NodePtr loop(std::string name, std::int64_t trips, Nodes children, int unrolled) {
  Node node = counting(Kind::loop, std::move(name), trips, std::move(children));
  node.unrolled = unrolled;
  return make(std::move(node));
}

NodePtr unroll(std::string name, std::int64_t trips, Nodes children) {
  return make(counting(Kind::unroll, std::move(name), trips, std::move(children)));
}

NodePtr condition(Condition test, Nodes children) {
  Node node = counting(Kind::condition, {}, 0, std::move(children));
  node.conditions = {std::move(test)};
  return make(std::move(node));
}

NodePtr definition(std::string name, Type type) {
  return typed(bare(Kind::definition, std::move(name)), type);
}

NodePtr load(std::string name, Type type, Access access) {
  return typed(bare(Kind::load, std::move(name), {}, {std::move(access)}), type);
}

NodePtr broadcast(std::string name, Type type, Access access) {
  return typed(bare(Kind::broadcast, std::move(name), {}, {std::move(access)}), type);
}

NodePtr store(Access access, std::string name, bool accumulate) {
  Node node = bare(Kind::store, {}, {std::move(name)}, {std::move(access)});
  node.accumulate = accumulate;
  return make(std::move(node));
}

NodePtr masked(NodePtr store, int first, int count) {
  Node node = counting(Kind::mask, {}, 0, {std::move(store)});
  node.first = first;
  node.count = count;
  return make(std::move(node));
}

NodePtr fma(std::string sum, std::string a, std::string b) {
  return make(bare(Kind::fma, std::move(sum), {std::move(a), std::move(b)}));
}

NodePtr fma_lane(std::string sum, std::string a, std::string b, int lane) {
  Node node = bare(Kind::fma_lane, std::move(sum), {std::move(a), std::move(b)});
  node.first = lane;
  return make(std::move(node));
}

NodePtr fma_memory(std::string sum, std::string a, Access access) {
  return make(bare(Kind::fma_memory, std::move(sum), {std::move(a)}, {std::move(access)}));
}

NodePtr horizontal_add(std::string name, std::vector<std::string> operands) {
  return typed(bare(Kind::horizontal_add, std::move(name), std::move(operands)), vector_type(1));
}

NodePtr combine(std::string name, Type type, std::vector<std::string> operands, std::vector<double> factors) {
  Node node = bare(Kind::combine, std::move(name), std::move(operands));
  node.factors = std::move(factors);
  return typed(std::move(node), type);
}

NodePtr shuffle(std::string name, std::string a, std::string b, std::vector<int> lanes) {
  Node node = bare(Kind::shuffle, std::move(name), {std::move(a), std::move(b)});
  node.type = vector_type(static_cast<int>(lanes.size()));
  node.lanes = std::move(lanes);
  return make(std::move(node));
}

}  // namespace convscope::cpu
