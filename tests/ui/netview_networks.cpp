#include "netview_networks.h"

#include <string>

#include "core/network/graph.h"
#include "core/network/shape_inference.h"

namespace convscope::ui::test {
namespace {

/// 8 maps everywhere, so that everything fits everything.
class Maker {
 public:
  Maker() {
    graph_.tensors.push_back({"image", network::ElementType::float32, {true, {1, 8, 16, 16}, {}}, nullptr});
    graph_.inputs = {0};
  }

  int constant(std::vector<std::int64_t> dimensions, network::ElementType type = network::ElementType::float32) {
    auto values = std::make_shared<network::Constant>();
    values->type = type;
    values->dimensions = dimensions;
    values->fill = 8;
    graph_.tensors.push_back({"constant", type, {true, std::move(dimensions), {}}, values});
    return static_cast<int>(graph_.tensors.size()) - 1;
  }

  int add(const std::string& operator_name, std::vector<int> inputs) {
    graph_.tensors.push_back({});
    const int output = static_cast<int>(graph_.tensors.size()) - 1;
    const std::string name = operator_name + "_" + std::to_string(graph_.nodes.size());
    graph_.tensors.back().name = name + "_out";
    graph_.nodes.push_back({name, operator_name, "", std::move(inputs), {output}, {}, 0});
    return output;
  }

  int convolution(int data) {
    const int output = add("Conv", {data, constant({8, 8, 3, 3})});
    graph_.nodes.back().attributes.set("pads", std::vector<std::int64_t>{1, 1, 1, 1});
    return output;
  }

  int normalization(int data) {
    return add("BatchNormalization", {data, constant({8}), constant({8}), constant({8}), constant({8})});
  }

  std::shared_ptr<const network::Network> finish(int output) {
    graph_.outputs = {output};
    Diagnostics diagnostics;
    network::infer_shapes(graph_, {}, "made by hand", diagnostics);
    auto network = std::make_shared<network::Network>();
    network->name = "made by hand";
    network->layers = network::layers_of(graph_);
    network->graph = std::make_shared<const network::Graph>(graph_);
    return network;
  }

 private:
  network::Graph graph_;
};

}  // namespace

std::shared_ptr<const network::Network> residual_network() {
  Maker maker;
  const int first = maker.add("Relu", {maker.normalization(maker.convolution(0))});
  const int second = maker.normalization(maker.convolution(first));
  return maker.finish(maker.add("Relu", {maker.add("Add", {second, first})}));
}

std::shared_ptr<const network::Network> network_with_made_weights() {
  Maker maker;
  const int weights = maker.add("ConstantOfShape", {maker.constant({4}, network::ElementType::int64)});
  return maker.finish(maker.add("Conv", {0, weights}));
}

std::shared_ptr<const network::Network> long_network(int pairs) {
  Maker maker;
  int data = 0;
  for (int pair = 0; pair < pairs; ++pair) data = maker.add("Relu", {maker.convolution(data)});
  return maker.finish(data);
}

}  // namespace convscope::ui::test
