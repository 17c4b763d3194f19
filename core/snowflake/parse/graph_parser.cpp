#include "core/snowflake/parse/graph_parser.h"

#include <algorithm>
#include <limits>
#include <string_view>

#include <fmt/format.h>

namespace convscope::snowflake {
namespace {

constexpr const char* mapped_operators =
    "convolutions, fully connected layers, pools, additions of two maps, ReLU and concatenations";

std::vector<int> readers_of(const network::Graph& graph) {
  std::vector<int> readers(graph.tensors.size(), 0);
  for (const network::Node& node : graph.nodes)
    for (const int tensor : node.inputs)
      if (tensor >= 0) ++readers[static_cast<std::size_t>(tensor)];
  for (const int tensor : graph.outputs) ++readers[static_cast<std::size_t>(tensor)];
  return readers;
}

bool batched(const network::Graph& graph) {
  return std::any_of(graph.inputs.begin(), graph.inputs.end(), [&](int tensor) {
    const auto& shape = graph.tensors[static_cast<std::size_t>(tensor)].shape;
    return shape.dimensions.size() == 4 && shape.dimensions[0] > 1;
  });
}

}  // namespace

GraphParser::GraphParser(const network::Network& network, int macs)
    : network_(network),
      graph_(*network.graph),
      macs_(macs),
      maps_(graph_.tensors.size(), -1),
      readers_(readers_of(graph_)) {
  parsed_.computed_by.assign(network.layers.size(), -1);
  parsed_.reasons.resize(network.layers.size());
}

ParsedNetwork GraphParser::run() {
  const bool batch = batched(graph_);
  for (std::size_t i = 0; i < network_.layers.size(); ++i) {
    current_ = static_cast<int>(i);
    parsed_.reasons[i] =
        batch ? "Snowflake runs one image at a time, the network's input has several" : step(network_.layers[i]);
    if (!parsed_.reasons[i].empty()) keep_inputs();
  }
  for (const int tensor : graph_.outputs)
    if (const int maps = maps_[static_cast<std::size_t>(tensor)]; maps >= 0) kept_.push_back(maps);
  place_maps(table_, kept_, macs_, parsed_);
  return std::move(parsed_);
}

GraphParser::Reason GraphParser::step(const network::Layer& layer) {
  const std::string& name = layer.operator_name;
  if (name == "Conv") return convolution(layer);
  if (name == "Gemm" || name == "MatMul") return fully_connected(layer);
  if (name == "MaxPool") return pool(layer, LayerKind::max_pool, false);
  if (name == "AveragePool") return pool(layer, LayerKind::average_pool, false);
  if (name == "GlobalMaxPool") return pool(layer, LayerKind::max_pool, true);
  if (name == "GlobalAveragePool") return pool(layer, LayerKind::average_pool, true);
  if (name == "ReduceMean") return mean(layer);
  if (name == "Relu" || name == "Clip") return rectify(layer);
  if (name == "Add" || name == "Sum") return add(layer);
  if (name == "BatchNormalization") return normalize(layer);
  if (name == "Concat") return concatenate(layer);
  if (name == "Identity" || name == "Dropout" || name == "Flatten" || name == "Reshape" || name == "Squeeze")
    return pass(layer);
  if (name == "Softmax" || name == "LogSoftmax") return fmt::format("{} is left to the host", name);
  return fmt::format("Snowflake maps {}, not {}", mapped_operators, name);
}

const network::Node& GraphParser::node() const {
  return graph_.nodes[static_cast<std::size_t>(network_.layers[static_cast<std::size_t>(current_)].node)];
}

int GraphParser::input(std::size_t index) const {
  return index < node().inputs.size() ? node().inputs[index] : -1;
}

int GraphParser::output() const {
  return node().outputs.empty() ? -1 : node().outputs.front();
}

bool GraphParser::constant(int tensor) const {
  return tensor >= 0 && graph_.tensors[static_cast<std::size_t>(tensor)].constant != nullptr;
}

std::optional<double> GraphParser::clip_limit(const char* attribute, std::size_t index) const {
  const double none = std::string_view(attribute) == "min" ? -std::numeric_limits<double>::infinity()
                                                           : std::numeric_limits<double>::infinity();
  if (node().attributes.has(attribute)) return node().attributes.real(attribute, none);
  const int tensor = input(index);
  if (tensor < 0) return none;
  if (!constant(tensor)) return std::nullopt;
  const auto values = graph_.tensors[static_cast<std::size_t>(tensor)].constant->floats(1);
  return values && values->size() == 1 ? std::optional<double>(values->front()) : std::nullopt;
}

int GraphParser::maps_of(int tensor, const network::Shape& shape) {
  int& maps = maps_[static_cast<std::size_t>(tensor)];
  if (maps < 0) {
    maps = static_cast<int>(table_.maps.size());
    table_.maps.push_back({shape});
  }
  return maps;
}

ParsedLayer* GraphParser::only_reader_of(int tensor) {
  if (tensor < 0 || readers_[static_cast<std::size_t>(tensor)] != 1) return nullptr;
  const int maps = maps_[static_cast<std::size_t>(tensor)];
  const int producer = maps < 0 ? -1 : table_.maps[static_cast<std::size_t>(maps)].producer;
  if (producer < 0 || table_.maps[static_cast<std::size_t>(maps)].joined >= 0) return nullptr;
  return &parsed_.layers[static_cast<std::size_t>(producer)];
}

void GraphParser::emit(ProgramLayer layer, int in, const network::Shape& out) {
  const int position = static_cast<int>(parsed_.layers.size());
  const int maps = static_cast<int>(table_.maps.size());
  table_.maps.push_back({out, position});
  table_.uses.push_back({in, maps, -1});
  if (layer.name.empty()) layer.name = network_.layers[static_cast<std::size_t>(current_)].name;
  parsed_.layers.push_back({std::move(layer), Dependency::sequential, current_, {}});
  parsed_.layers.back().tensors = {input(0), output(), -1};
  parsed_.computed_by[static_cast<std::size_t>(current_)] = position;
  if (output() >= 0) maps_[static_cast<std::size_t>(output())] = maps;
}

int GraphParser::copy(const std::string& name, int maps, int tensor) {
  ProgramLayer layer;
  layer.name = name;
  layer.kind = LayerKind::max_pool;
  const int before = output() >= 0 ? maps_[static_cast<std::size_t>(output())] : -1;
  emit(std::move(layer), maps, table_.maps[static_cast<std::size_t>(maps)].shape);
  parsed_.layers.back().tensors = {tensor, tensor, -1};
  if (output() >= 0) maps_[static_cast<std::size_t>(output())] = before;
  return static_cast<int>(table_.maps.size()) - 1;
}

bool GraphParser::whole_vectors(int maps) const {
  const Maps& m = table_.maps[static_cast<std::size_t>(maps)];
  return m.producer >= 0 || !m.parts.empty() || m.shape.maps % macs_ == 0;
}

bool GraphParser::lie_as(int maps, const network::Shape& shape) const {
  return table_.maps[static_cast<std::size_t>(maps)].shape == shape;
}

int GraphParser::producer_of(int maps) const {
  const Maps& m = table_.maps[static_cast<std::size_t>(maps)];
  return m.parts.empty() ? m.producer : producer_of(m.parts.back());
}

void GraphParser::fold_into(ParsedLayer& layer, int tensor) {
  layer.folded.push_back(current_);
  layer.tensors.out = output();
  parsed_.computed_by[static_cast<std::size_t>(current_)] = static_cast<int>(&layer - parsed_.layers.data());
  maps_[static_cast<std::size_t>(output())] = maps_[static_cast<std::size_t>(tensor)];
}

void GraphParser::keep_inputs() {
  for (const int tensor : node().inputs)
    if (tensor >= 0 && maps_[static_cast<std::size_t>(tensor)] >= 0)
      kept_.push_back(maps_[static_cast<std::size_t>(tensor)]);
}

}  // namespace convscope::snowflake
