#include "tests/core/cpu/small_network.h"

#include <memory>
#include <span>

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

int NetworkMaker::integers(std::vector<std::int64_t> values) {
  const int index = coefficients({static_cast<std::int64_t>(values.size())});
  auto constant = std::make_shared<network::Constant>();
  constant->type = graph_.tensors.back().type = network::ElementType::int64;
  constant->dimensions = graph_.tensors.back().shape.dimensions;
  const auto kept = std::make_shared<std::vector<std::int64_t>>(std::move(values));
  constant->bytes = std::as_bytes(std::span<const std::int64_t>(*kept));
  constant->owner = kept;
  graph_.tensors.back().constant = std::move(constant);
  return index;
}

int NetworkMaker::add(const std::string& operator_name, std::vector<int> inputs, const Attributes& attributes) {
  const std::string name = operator_name + std::to_string(graph_.nodes.size());
  const int output = tensor(name);
  graph_.nodes.push_back({name, operator_name, "", std::move(inputs), {output}, attributes, 0});
  return output;
}

int NetworkMaker::also() {
  graph_.nodes.back().outputs.push_back(tensor(graph_.nodes.back().name + "also"));
  return graph_.nodes.back().outputs.back();
}

network::Network NetworkMaker::finish(int output) {
  return finish(std::vector{output});
}

network::Network NetworkMaker::finish(const std::vector<int>& outputs) {
  graph_.outputs = outputs;
  Diagnostics diagnostics;
  network::infer_shapes(graph_, {}, "made", diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << diagnostics.text();
  network::Network made;
  made.name = "made";
  made.graph = std::make_shared<const network::Graph>(graph_);
  made.layers = network::layers_of(graph_);
  return made;
}

Attributes attributes_of(std::initializer_list<std::pair<const char*, network::AttributeValue>> values) {
  Attributes attributes;
  for (const auto& [name, value] : values) attributes.set(name, value);
  return attributes;
}

network::Network small_network() {
  const auto with = attributes_of;
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

network::Network moving_network() {
  const auto with = attributes_of;
  using Integers = std::vector<std::int64_t>;
  NetworkMaker m({1, 3, 6, 8});
  const int image = m.add("Conv", {m.input(), m.coefficients({12, 3, 3, 3}), m.coefficients({12})},
                          with({{"kernel_shape", Integers{3, 3}}, {"pads", Integers{1, 1, 1, 1}}}));
  const auto one = [](std::int64_t value) { return network::AttributeValue(value); };
  // Boxes: pixels first, then pairs of numbers, halves of which are combined.
  const int pixels = m.add("Transpose", {image}, with({{"perm", Integers{0, 2, 3, 1}}}));
  const int rows = m.add("Reshape", {pixels, m.integers({1, 144, 4})});
  const int scores = m.add("Softmax", {m.add("Mul", {rows, m.coefficients({1})})}, with({{"axis", one(2)}}));
  const int first = m.add("Slice", {rows, m.integers({0}), m.integers({2}), m.integers({2})});
  const int last = m.add("Slice", {rows, m.integers({-1}), m.integers({1}), m.integers({-1}), m.integers({-1})});
  const int size = m.add("Exp", {m.add("Mul", {first, m.coefficients({1, 144, 2})})});
  const int corner = m.add("Sub", {last, m.add("Div", {size, m.coefficients({1})})});
  const int boxes =
      m.add("Concat", {corner, m.add("Add", {corner, size}), m.coefficients({1, 144, 1})}, with({{"axis", one(-1)}}));
  const int ratio = m.add("Div", {last, size});
  const int picked = m.add("Gather", {boxes, m.integers({3, -1, 0})}, with({{"axis", one(1)}}));
  // Channels shuffled by way of five dimensions.
  const int groups = m.add("Reshape", {image, m.integers({1, 3, 4, 6, 8})});
  const int turned = m.add("Transpose",
                           {
                               groups,
                           },
                           with({{"perm", Integers{0, 2, 1, 3, 4}}}));
  const int logarithms = m.add("LogSoftmax", {turned}, with({{"axis", one(-1)}}));
  const int shuffled = m.add("Reshape", {logarithms, m.integers({1, 12, 6, 8})});
  const int larger = m.add("Upsample", {shuffled}, with({{"scales", std::vector<double>{1, 1, 2, 3}}}));
  const int padded = m.add("Pad", {larger, m.integers({0, 0, 1, 0, 0, 0, 2, 3})});
  const int wide = m.add("DepthToSpace", {image}, with({{"blocksize", one(2)}}));
  const int deep = m.add("SpaceToDepth", {m.add("Relu", {wide})}, with({{"blocksize", one(2)}}));
  const int left = m.add("Split", {deep, m.integers({5, 4, 3})}, with({{"axis", one(1)}}));
  m.also();  // nobody reads it
  const int right = m.also();
  const int parts = m.add("Concat", {right, left}, with({{"axis", one(1)}}));
  const int columns = m.add("ReduceMean", {deep}, with({{"axes", Integers{3}}, {"keepdims", one(0)}}));
  const int means = m.add("ReduceMean", {columns}, with({{"axes", Integers{2}}, {"keepdims", one(0)}}));
  const int many = m.add("Expand", {means, m.integers({3, 5, 12})});
  return m.finish({scores, ratio, picked, padded, parts, many});
}

}  // namespace convscope::cpu
