#include "core/nmp/trained/reference_function.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/reference/executor.h"

namespace convscope::nmp {
namespace {

constexpr int segments = 128;
constexpr quantization::Format open_bits{16, 14};  // of a gate

/// The operator alone. A constant among its operands isn't known here.
std::optional<std::vector<double>> values_at(const network::Node& node, int opset, std::vector<double> at) {
  network::Graph graph;
  graph.opset = opset;
  graph.tensors.resize(2);
  const std::vector<std::int64_t> dimensions{static_cast<std::int64_t>(at.size())};
  for (std::size_t i = 0; i < 2; ++i) {
    graph.tensors[i].name = i == 0 ? "x" : "y";
    graph.tensors[i].type = network::ElementType::float64;
    graph.tensors[i].shape = {true, dimensions, {}};
  }
  graph.nodes = {node};
  graph.nodes.front().inputs = graph.inputs = {0};
  graph.nodes.front().outputs = graph.outputs = {1};
  Diagnostics unused;
  auto found = reference::execute(graph, {{"x", {network::ElementType::float64, dimensions, std::move(at)}}}, unused);
  if (!found || found->empty()) return std::nullopt;
  return std::move(found->begin()->second.values);
}

}  // namespace

std::optional<ReferenceFunction> ReferenceFunction::table(const network::Node& node, int opset,
                                                          const quantization::Format& in,
                                                          const quantization::Format& out) {
  ReferenceFunction made;
  made.least_ = -std::ldexp(1.0, in.bits - 1 - in.fraction);
  made.length_ = -2 * made.least_ / segments;
  std::vector<double> at;
  for (int i = 0; i <= segments; ++i) at.push_back(made.least_ + i * made.length_);
  auto ends = values_at(node, opset, std::move(at));
  if (!ends) return std::nullopt;
  made.ends_ = *std::move(ends);
  for (double& end : made.ends_) end = quantization::rounded(end, out);
  return made;
}

ReferenceFunction ReferenceFunction::gate(double factor, double constant) {
  ReferenceFunction made;
  made.factor_ = factor;
  made.constant_ = constant;
  return made;
}

double ReferenceFunction::operator()(double x) const {
  if (ends_.empty()) return x * std::clamp(quantization::rounded(factor_ * x + constant_, open_bits), 0.0, 1.0);
  const double at = (x - least_) / length_, segment = std::min(std::floor(at), double{segments - 1});
  const auto begin = static_cast<std::size_t>(segment);
  return ends_[begin] + (ends_[begin + 1] - ends_[begin]) * (at - segment);
}

}  // namespace convscope::nmp
