#include "tests/core/cpu/small_network.h"

#include <memory>

#include <gtest/gtest.h>

#include "core/network/shape_inference.h"

namespace convscope::cpu {

using network::Attributes;

NetworkMaker::NetworkMaker(std::vector<std::int64_t> dimensions) {
  const int image = tensor("image");
  graph_.tensors.back().shape = {true, std::move(dimensions), {}};
  graph_.inputs = {image};
  graph_.opset = 13;
}

int NetworkMaker::tensor(std::string name) {
  graph_.tensors.push_back({std::move(name), network::ElementType::float32, {}, nullptr});
  return static_cast<int>(graph_.tensors.size()) - 1;
}

int NetworkMaker::coefficients(std::vector<std::int64_t> dimensions) {
  const int index = tensor("coefficients" + std::to_string(graph_.tensors.size()));
  auto constant = std::make_shared<network::Constant>();
  constant->type = network::ElementType::float32;
  constant->dimensions = dimensions;
  graph_.tensors.back().shape = {true, std::move(dimensions), {}};
  graph_.tensors.back().constant = std::move(constant);
  return index;
}

int NetworkMaker::add(const std::string& operator_name, std::vector<int> inputs, const Attributes& attributes) {
  const std::string name = operator_name + std::to_string(graph_.nodes.size());
  const int output = tensor(name);
  graph_.nodes.push_back({name, operator_name, "", std::move(inputs), {output}, attributes, 0});
  return output;
}

network::Network NetworkMaker::finish(int output) {
  graph_.outputs = {output};
  Diagnostics diagnostics;
  network::infer_shapes(graph_, {}, "made", diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << diagnostics.text();
  network::Network made;
  made.name = "made";
  made.graph = std::make_shared<const network::Graph>(graph_);
  made.layers = network::layers_of(graph_);
  return made;
}

network::Network small_network() {
  const auto with = [](std::initializer_list<std::pair<const char*, network::AttributeValue>> values) {
    Attributes attributes;
    for (const auto& [name, value] : values) attributes.set(name, value);
    return attributes;
  };
  using Integers = std::vector<std::int64_t>;
  const auto window = [&](std::int64_t kernel, std::int64_t stride, std::int64_t pad, std::int64_t groups = 1) {
    return with({{"kernel_shape", Integers{kernel, kernel}},
                 {"strides", Integers{stride, stride}},
                 {"pads", Integers{pad, pad, pad, pad}},
                 {"group", groups}});
  };
  NetworkMaker m({1, 3, 18, 14});
  const int stem =
      m.add("Relu", {m.add("Conv", {m.input(), m.coefficients({16, 3, 3, 3}), m.coefficients({16})}, window(3, 1, 1))});
  const int pooled = m.add("MaxPool", {stem}, window(3, 2, 1));
  const int left = m.add("Conv", {pooled, m.coefficients({10, 16, 1, 1})}, window(1, 1, 0));
  const int right = m.add("AveragePool", {pooled}, window(3, 1, 1));
  const int joined = m.add("Concat", {left, right}, with({{"axis", std::int64_t{1}}}));
  const int scaled = m.add("BatchNormalization", {joined, m.coefficients({26}), m.coefficients({26}),
                                                  m.coefficients({26}), m.coefficients({26})});
  const int depthwise = m.add("Conv", {scaled, m.coefficients({26, 1, 3, 3})}, window(3, 1, 1, 26));
  const int sum = m.add("Add", {depthwise, scaled});
  const int normalized = m.add("LRN", {sum}, with({{"size", std::int64_t{5}}, {"alpha", 1e-2}}));
  const int strided =
      m.add("Conv", {normalized, m.coefficients({21, 26, 3, 3}), m.coefficients({21})}, window(3, 2, 1));
  const int flat = m.add("Flatten", {m.add("LeakyRelu", {strided})});
  const int product =
      m.add("Gemm", {flat, m.coefficients({7, 21 * 5 * 4}), m.coefficients({7})}, with({{"transB", std::int64_t{1}}}));
  return m.finish(m.add("Softmax", {product}));
}

}  // namespace convscope::cpu
