#include "trained_model.h"

#include <cstring>

#include <gtest/gtest.h>

#include "core/network/shape_inference.h"
#include "core/quantization/network_formats.h"
#include "core/readers/onnx/onnx.h"
#include "core/snowflake/compile/layer_program.h"

namespace convscope::snowflake {

network::Network read_model(const std::string& path) {
  Diagnostics diagnostics;
  const auto file = MappedFile::open(path, diagnostics);
  auto network = file ? readers::read_onnx(*file, path, diagnostics) : std::nullopt;
  EXPECT_TRUE(network) << diagnostics.text();
  if (!network) return {};
  auto graph = std::make_shared<network::Graph>(*network->graph);
  EXPECT_TRUE(network::sort_topologically(*graph));
  network::infer_shapes(*graph, {}, path, diagnostics);
  network->layers = network::layers_of(*graph);
  network->graph = std::move(graph);
  return *std::move(network);
}

TrainedModel compile_model(network::Network network, FixedPoint fixed_point,
                           const std::vector<reference::FloatTensors>& calibration) {
  TrainedModel model;
  model.network = std::move(network);
  Machine machine;
  machine.fixed_point = fixed_point;
  model.plan = make_plan(model.network, machine, calibration);
  target::NoCache cache;
  const std::stop_token stop;
  const target::PassRun run{cache, stop};
  std::vector<Mapping> mappings;
  for (std::size_t i = 0; i < model.plan->parsed.layers.size(); ++i) {
    const auto alone = compile_alone(run, model.plan->parsed.layers[i].layer, machine, CompileLevel::paper);
    if (!alone->refused.empty())
      model.refused = model.plan->parsed.layers[i].layer.name + ": " + alone->refused;
    else
      mappings.push_back(alone->choice.mapping());
    model.positions.push_back(static_cast<int>(i));
  }
  if (!model.refused.empty()) return model;
  const auto together = compile_together(run, model.plan->parsed, mappings, machine);
  model.refused = together->refused;
  model.program = together->program;
  return model;
}

Agreement run_model(const TrainedModel& model, const std::vector<reference::FloatTensors>& inputs) {
  Agreement sum;
  for (const reference::FloatTensors& input : inputs) {
    Diagnostics diagnostics;
    const auto values = model.plan->trained->values(input, diagnostics, {});
    const auto run = values ? run_trained(model.program, *model.plan->trained, model.positions, *values, 1, diagnostics)
                            : std::nullopt;
    if (!run || !run->run.equal()) sum.wrong.push_back(run ? run->run.text() : diagnostics.text());
    if (!run) continue;
    sum.agreement.error.count += run->agreement.error.count;
    sum.agreement.error.signal += run->agreement.error.signal;
    sum.agreement.error.noise += run->agreement.error.noise;
    sum.agreement.pixels += run->agreement.pixels;
    sum.agreement.same += run->agreement.same;
  }
  return sum;
}

std::vector<double> answer_of(const TrainedModel& model, const reference::FloatTensors& input) {
  Diagnostics diagnostics;
  const TrainedNetwork& trained = *model.plan->trained;
  const auto values = trained.values(input, diagnostics, {});
  const auto run =
      values ? run_trained(model.program, trained, model.positions, *values, 1, diagnostics) : std::nullopt;
  EXPECT_TRUE(run) << diagnostics.text();
  if (!run) return {};
  EXPECT_EQ(run->run.text(), "equal");
  const MapsFormat& format = trained.format(trained.layer(model.positions.back()).layer.out);
  std::vector<double> answer;
  for (const std::int16_t word : run->run.outputs.back().values) answer.push_back(format.value(word));
  return answer;
}

reference::FloatTensor given_tensor(const std::string& path) {
  Diagnostics diagnostics;
  const auto file = MappedFile::open(path, diagnostics);
  const auto constant = file ? readers::read_onnx_tensor(*file, path, diagnostics) : std::nullopt;
  const auto tensor = constant ? reference::tensor_of(*constant) : std::nullopt;
  EXPECT_TRUE(tensor) << diagnostics.text();
  return tensor.value_or(reference::FloatTensor{});
}

// A ZIP archive that isn't compressed: the array begins behind its header's end of line, and ends where it is full.
std::vector<double> array_values(const std::string& path) {
  Diagnostics diagnostics;
  const auto file = MappedFile::open(path, diagnostics);
  EXPECT_TRUE(file) << diagnostics.text();
  if (!file) return {};
  const std::string_view bytes = file->bytes();
  const std::size_t header = bytes.find("\x93NUMPY"), first = bytes.find('\n', header);
  const std::size_t end = bytes.find("PK\x01\x02", first);
  EXPECT_LT(bytes.find("'descr': '<f4', 'fortran_order': False", header), first);
  if (end == std::string_view::npos) return {};
  std::vector<float> floats((end - first - 1) / sizeof(float));
  std::memcpy(floats.data(), bytes.data() + first + 1, floats.size() * sizeof(float));
  return {floats.begin(), floats.end()};
}

namespace {

const network::Tensor& only_input(const network::Network& network) {
  for (const int index : network.graph->inputs)
    if (!network.graph->tensors[static_cast<std::size_t>(index)].constant)
      return network.graph->tensors[static_cast<std::size_t>(index)];
  return network.graph->tensors.front();
}

}  // namespace

reference::FloatTensors given_input(const network::Network& network, const std::string& path) {
  return {{only_input(network).name, given_tensor(path)}};
}

reference::FloatTensors given_array(const network::Network& network, const std::string& path) {
  const network::Tensor& input = only_input(network);
  return {{input.name, {network::ElementType::float32, input.shape.dimensions, array_values(path)}}};
}

std::vector<reference::FloatTensors> seeded(const network::Network& network, std::uint64_t first_seed, int count) {
  std::vector<reference::FloatTensors> inputs;
  Diagnostics diagnostics;
  for (int i = 0; i < count; ++i)
    if (auto made =
            quantization::seeded_inputs(*network.graph, first_seed + static_cast<std::uint64_t>(i), diagnostics))
      inputs.push_back(*std::move(made));
  EXPECT_EQ(inputs.size(), static_cast<std::size_t>(count)) << diagnostics.text();
  return inputs;
}

}  // namespace convscope::snowflake
