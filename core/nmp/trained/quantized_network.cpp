#include "core/nmp/trained/quantized_network.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "core/base/cancellation.h"
#include "core/nmp/trained/given_tensors.h"
#include "core/quantization/compared_executions.h"

namespace convscope::nmp {
namespace {

using network::ElementType;
using network::Node;
using reference::FloatTensor;
using reference::FloatTensors;

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

bool is_linear(const Node& node) {
  return node.operator_name != "Relu" && node.operator_name != "Clip" && node.operator_name != "Floor";
}

/// Its work is done elsewhere.
void forget(Node& node) {
  node.operator_name = "Identity";
  node.domain.clear();
  node.attributes = {};
  node.inputs.resize(1);
  node.outputs.resize(1);
}

/// Of a product, filters are columns unless it is told otherwise.
bool filters_are_columns(const Node& node) {
  return node.operator_name == "MatMul" || (node.operator_name == "Gemm" && node.attributes.integer("transB", 0) == 0);
}

}  // namespace

QuantizedNetwork::QuantizedNetwork(const network::Network& network, const Dataflow& flow,
                                   const std::vector<const SolvedLayer*>& solved, const NetworkNumbers& numbers)
    : graph_(*network.graph),
      flow_(flow),
      numbers_(numbers),
      changes_(graph_.tensors.size()),
      sums_(flow.steps.size()),
      product_(flow.steps.size()),
      columns_(flow.steps.size()),
      floors_(flow.steps.size()),
      functions_(flow.steps.size()) {
  for (const int tensor : given_tensors(graph_, flow))
    if (tensor >= 0) changes_[at(tensor)].stored = numbers.formats[at(tensor)].has_value();
  for (std::size_t i = 0; i < flow.steps.size(); ++i) {
    const LinkedStep& step = flow.steps[i];
    changes_[at(step.out.tensor)].result_of = static_cast<int>(i);
    prepare(step, static_cast<int>(i), solved[at(step.layer)]->work(), network.layers[at(step.layer)].node);
  }
}

bool QuantizedNetwork::is_constant(int tensor) const {
  return tensor >= 0 && graph_.tensors[at(tensor)].constant != nullptr;
}

/// One of its own: others may take the same in another format. Its values are put in when an operator takes it.
int QuantizedNetwork::add_constant(const std::string& name, const std::vector<std::int64_t>& dimensions) {
  auto constant = std::make_shared<network::Constant>();
  constant->type = ElementType::float64;
  constant->dimensions = dimensions;
  constant->fill = 0;
  graph_.tensors.push_back({name, ElementType::float64, {true, dimensions, {}}, constant});
  changes_.emplace_back();
  return static_cast<int>(graph_.tensors.size()) - 1;
}

void QuantizedNetwork::prepare(const LinkedStep& step, int index, const LayerWork& work, int node) {
  Node& layer = graph_.nodes[at(node)];
  const quantization::Format& in = *numbers_.formats[at(step.in.tensor)];
  if (work.convolution.multiplies()) return prepare_sums(step, index, layer);
  if (!numbers_.constants[at(index)].empty()) return prepare_constants(index, layer);
  switch (work.computing.computation) {
    case Computation::slope:
      layer.attributes.set("alpha", std::ldexp(static_cast<double>(work.computing.slope), -15));
      return take_number(layer, std::ldexp(static_cast<double>(work.computing.slope), -15));
    case Computation::affine:
    case Computation::gate:
      return prepare_factors(step, index, layer);
    case Computation::table:
      functions_[at(index)] = ReferenceFunction::table(layer, graph_.opset, in, *numbers_.formats[at(step.out.tensor)]);
      break;
    default:
      return;
  }
  changes_[at(layer.outputs[0])].function_of = index;
  forget(layer);
}

void QuantizedNetwork::prepare_sums(const LinkedStep& step, int index, Node& layer) {
  const StepNumbers& numbers = numbers_.steps[at(index)];
  const int out_fraction = numbers_.formats[at(step.out.tensor)]->fraction;
  sums_[at(index)] = {32, out_fraction + numbers.format.shift};
  product_[at(index)] = layer.operator_name != "Conv";
  columns_[at(index)] = filters_are_columns(layer);
  const int weights = add_constant(layer.name + ".weights", graph_.tensors[at(layer.inputs[1])].shape.dimensions);
  changes_[at(weights)].weights_of = index;
  layer.inputs = {layer.inputs[0], weights};
  if (layer.operator_name == "Gemm") layer.attributes.set("alpha", 1.0);
  changes_[at(layer.outputs[0])].sums_of = index;
  for (const int folded : step.folded) {
    Node& next = graph_.nodes[at(folded)];
    const bool adds_residual = step.residual.tensor >= 0 && std::find(next.inputs.begin(), next.inputs.end(),
                                                                      step.residual.tensor) != next.inputs.end();
    floors_[at(index)] = floors_[at(index)] || next.operator_name == "Floor";
    if (is_linear(next) && !adds_residual) forget(next);
  }
}

/// Operands that are constant.
void QuantizedNetwork::prepare_constants(int index, Node& layer) {
  for (const ConstantWords& operand : numbers_.constants[at(index)]) {
    if (operand.tensor < 0) continue;
    const int words = add_constant(layer.name + ".words", graph_.tensors[at(operand.tensor)].shape.dimensions);
    for (const std::int32_t word : operand.words)
      changes_[at(words)].values.push_back(std::ldexp(static_cast<double>(word), -operand.fraction));
    std::replace(layer.inputs.begin(), layer.inputs.end(), operand.tensor, words);
  }
}

/// The factor and the constant that C48 and C49 stand for.
void QuantizedNetwork::prepare_factors(const LinkedStep& step, int index, Node& layer) {
  const Computing& words = *numbers_.steps[at(index)].computing;
  const bool gates = words.computation == Computation::gate;
  constexpr int open_bits = 14;
  const int in = numbers_.formats[at(step.in.tensor)]->fraction,
            out = gates ? open_bits : numbers_.formats[at(step.out.tensor)]->fraction;
  const double factor = std::ldexp(static_cast<double>(words.slope), in - out - numbers_.steps[at(index)].format.shift),
               constant = std::ldexp(static_cast<double>(words.offset), -out);
  if (gates) {
    functions_[at(index)] = ReferenceFunction::gate(factor, constant);
    changes_[at(layer.outputs[0])].function_of = index;
    return forget(layer);
  }
  const std::string& name = layer.operator_name;
  if (name == "Add" || name == "Sum") return take_number(layer, constant);
  if (name == "Sub") return take_number(layer, is_constant(layer.inputs[0]) ? constant : -constant);
  if (name == "Mul" || name == "Div") {
    layer.operator_name = "Mul";
    return take_number(layer, factor);
  }
  layer.attributes.set("alpha", factor);
  layer.attributes.set("beta", constant);
}

/// In the place of its constant, if it has one.
void QuantizedNetwork::take_number(Node& layer, double value) {
  for (int& input : layer.inputs) {
    if (!is_constant(input)) continue;
    const std::vector<std::int64_t> dimensions = graph_.tensors[at(input)].shape.dimensions;
    input = add_constant(layer.name + ".number", dimensions);
    changes_[at(input)].values = {value};
  }
}

void QuantizedNetwork::set_weights(int step, FloatTensor& value) const {
  const StepNumbers& numbers = numbers_.steps[at(step)];
  const int fraction = sums_[at(step)].fraction - numbers_.formats[at(flow_.steps[at(step)].in.tensor)]->fraction;
  const std::size_t count = numbers.weights.size();
  // Words lie filter by filter.
  const std::size_t filters = numbers.biases.size(), taps = count / std::max<std::size_t>(1, filters);
  value.values.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t word = columns_[at(step)] ? i % filters * taps + i / filters : i;
    value.values[i] = std::ldexp(static_cast<double>(numbers.weights[word]), -fraction);
  }
}

void QuantizedNetwork::add_biases(int step, FloatTensor& value) const {
  const StepNumbers& numbers = numbers_.steps[at(step)];
  const std::size_t filters = numbers.biases.size();
  // Maps of convolutions have rows and columns; those of products stand side by side.
  const std::size_t inner =
      product_[at(step)]
          ? 1
          : value.values.size() / std::max<std::size_t>(1, filters * at(static_cast<int>(value.dimensions[0])));
  // The machine rounds to the nearest what the graph rounds down: its biases are a half less, which is a word of sums.
  const double half = floors_[at(step)] && sums_[at(step)].fraction > 0 ? 0.5 : 0;
  for (std::size_t i = 0; i < value.values.size(); ++i)
    value.values[i] += quantization::dequantize(numbers.biases[i / inner % filters], sums_[at(step)]) + half;
}

void QuantizedNetwork::compare(const StepResult& result, int tensor, FloatTensor& value,
                               StepDifference& difference) const {
  const quantization::Format& format = *numbers_.formats[at(tensor)];
  const std::vector<std::int32_t>& words = result.words;
  if (words.size() != value.values.size()) {
    difference.elements += static_cast<std::int64_t>(words.size());
    difference.different += static_cast<std::int64_t>(words.size());
    difference.most = INT64_MAX;
    return;
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!result.written[i]) continue;
    const std::int64_t apart = std::abs(quantization::quantize(value.values[i], format) - words[i]);
    ++difference.elements;
    difference.different += apart > 0 ? 1 : 0;
    difference.most = std::max(difference.most, apart);
    value.values[i] = quantization::dequantize(words[i], format);
  }
}

std::optional<FloatTensors> QuantizedNetwork::execute(const FloatTensors& inputs,
                                                      const std::vector<StepResult>& results,
                                                      std::vector<StepDifference>& differences,
                                                      Diagnostics& diagnostics, const std::stop_token& stop) const {
  FloatTensors exact = inputs;
  for (auto& [name, tensor] : exact)
    if (quantization::is_real(tensor.type)) tensor.type = ElementType::float64;  // nothing is rounded on the way
  const auto change = [&](int tensor, FloatTensor& value) {
    throw_if_stopped(stop);
    const Change& what = changes_[at(tensor)];
    if (what.stored) quantization::round_all(value.values, *numbers_.formats[at(tensor)]);
    if (what.weights_of >= 0) set_weights(what.weights_of, value);
    if (!what.values.empty()) value.values = what.values;
    if (what.sums_of >= 0) add_biases(what.sums_of, value);
    if (what.function_of >= 0 && functions_[at(what.function_of)])
      for (double& each : value.values) each = (*functions_[at(what.function_of)])(each);
    if (what.result_of >= 0) compare(results[at(what.result_of)], tensor, value, differences[at(what.result_of)]);
  };
  return reference::execute(graph_, exact, diagnostics, {}, change);
}

}  // namespace convscope::nmp
