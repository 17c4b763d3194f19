#include "core/nmp/trained/trained_run.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "core/base/cancellation.h"
#include "core/nmp/trained/given_tensors.h"
#include "core/nmp/trained/partial_sums.h"
#include "core/nmp/trained/quantized_network.h"
#include "core/nmp/trained/step_values.h"
#include "core/nmp/trained/trained_dram.h"
#include "core/quantization/fold_normalizations.h"
#include "core/quantization/given_ranges.h"

namespace convscope::nmp {
namespace {

using network::Graph;
using reference::FloatTensors;

/// A network's graph as its layers compute it.
Graph folded(const Graph& graph) {
  Graph copy = graph;
  quantization::fold_normalizations(copy);
  return copy;
}

/// Last bits by which results may differ from a sum that is rounded once: averages have a rounded factor, and partial
/// sums are rounded on the way, each time by half of their last bit at most, and then the result is; where they have no
/// bits below the result's, they may have saturated as well.
std::int64_t most_by_rounding(const ProgramLayer& layer) {
  const auto roundings = static_cast<std::int64_t>(layer.channel_parts.size()) - 1;
  if (roundings > 0) return layer.guard > 0 ? 1 + (roundings >> (layer.guard + 1)) : INT64_MAX - 1;
  const bool averages =
      layer.computation == Computation::average_pool || layer.computation == Computation::average_pool_inside;
  return averages ? 1 : 0;
}

void add(const std::vector<StepDifference>& differences, const TrainedProgram& trained, TrainedRun& run) {
  for (std::size_t i = 0; i < trained.linked.computed.size(); ++i) {
    const auto [step, image, part] = trained.linked.computed[i];
    if (image > 0 || part > 0) continue;
    const ProgramLayer& layer = trained.linked.program->layers[i];
    const StepDifference& found = differences[step];
    run.results += found.elements;
    run.rounded_otherwise += found.different;
    run.most_apart = std::max(run.most_apart, found.most);
    if (found.most > most_by_rounding(layer) && run.fault.empty())
      run.fault = fmt::format("layer '{}': {} of {} results differ from the rounded sums, by up to {} last bits",
                              layer.name, found.different, found.elements, found.most);
  }
}

/// Where an output of a program's layer belongs in its step's. Of several passes over the same, the last one's stay.
void keep_result(const LinkedProgram& linked, std::size_t layer, const std::vector<std::int32_t>& output,
                 std::vector<StepResult>& results) {
  const std::size_t step = linked.computed[layer].step;
  const StorageUse& out = linked.flow.steps[step].out;
  const MapsPlace& place = linked.program->layers[layer].out;
  const std::int64_t bytes = linked.program->machine.element_bytes;
  const std::int64_t first = linked.first_map_byte + linked.maps.first_bytes[static_cast<std::size_t>(out.storage)] +
                             out.first_element * bytes;
  StepResult& result = results[step];
  result.words.resize(static_cast<std::size_t>(out.elements));
  result.written.resize(result.words.size());
  auto word = output.begin();
  for (int map = 0; map < place.maps; ++map)
    for (int row = 0; row < place.rows; ++row) {
      const std::int64_t byte = place.first_byte - first + map * place.map_pitch + row * place.row_pitch;
      for (int column = 0; column < place.columns; ++column) {
        const auto element = static_cast<std::size_t>(byte / bytes + column);
        result.words[element] = *word++;
        result.written[element] = true;
      }
    }
}

void add(const FloatTensors& exact, const FloatTensors& found, TrainedRun& run) {
  for (const auto& [name, tensor] : exact) {
    const auto other = found.find(name);
    if (other == found.end() || other->second.values.size() != tensor.values.size()) continue;
    run.error.add(tensor.values, other->second.values);
    run.same_answer = run.same_answer && quantization::same_largest(tensor.values, other->second.values);
  }
}

std::optional<std::vector<double>> of_graph(std::vector<double> most, const Graph& graph) {
  most.resize(graph.tensors.size());
  return most;
}

/// Operators that seeded words are taken through as they are, and numbers with a point can't be; empty if there are
/// none.
std::string refusal_of(const Graph& graph, const Dataflow& flow) {
  const auto name = [&](int node) -> const std::string& {
    return graph.nodes[static_cast<std::size_t>(node)].operator_name;
  };
  for (const network::Tensor& tensor : graph.tensors)
    if (tensor.scale)
      return fmt::format("the file states scales of its own (of '{}'), which no shift expresses", tensor.name);
  for (const int view : flow.views)
    if (name(view) == "QuantizeLinear" || name(view) == "DequantizeLinear")
      return fmt::format("the file states scales of its own ({}), which no shift expresses", name(view));
  return {};
}

}  // namespace

std::optional<TrainedProgram> link_trained(const network::Network& network, const OperatorPlan& plan,
                                           const std::vector<const SolvedLayer*>& solved,
                                           const std::vector<double>& most, const std::vector<FloatTensors>& inputs,
                                           const std::stop_token& stop, Diagnostics& diagnostics) {
  const Location where{network.source_file, 0, {}};
  LinkedProgram seeded = link_program(network, plan, solved, {}, stop);
  if (!seeded.program) return diagnostics.error(where, seeded.reason), std::nullopt;
  if (const std::string why = refusal_of(*network.graph, seeded.flow); !why.empty())
    return diagnostics.error(where, why), std::nullopt;
  const auto values = values_of_steps(network, plan, seeded.flow, solved, diagnostics);
  if (!values) return std::nullopt;
  auto sums = observe_partial_sums(network, seeded, solved, *values, most, inputs, diagnostics, stop);
  if (!sums) return std::nullopt;
  if (inputs.empty()) sums->clear();
  auto numbers = choose_numbers(network, seeded.flow, solved, *values, {most, *std::move(sums)}, diagnostics);
  if (!numbers) return std::nullopt;
  TrainedProgram trained{link_program(network, plan, solved, numbers->steps, stop), *std::move(numbers)};
  if (!trained.linked.program) return diagnostics.error(where, trained.linked.reason), std::nullopt;
  return trained;
}

std::optional<TrainedRun> run_trained(const network::Network& network, const TrainedProgram& trained,
                                      const std::vector<const SolvedLayer*>& solved, const FloatTensors& inputs,
                                      const SimulationOptions& options, const std::stop_token& stop,
                                      Diagnostics& diagnostics) {
  const std::vector<int> given = given_tensors(*network.graph, trained.linked.flow);
  std::map<int, std::vector<double>> values;
  const auto look = [&](int tensor, const reference::FloatTensor& value) {
    throw_if_stopped(stop);
    if (std::find(given.begin(), given.end(), tensor) != given.end()) values[tensor] = value.values;
  };
  const auto exact = reference::execute(*network.graph, inputs, diagnostics, {}, look);
  if (!exact) return std::nullopt;
  auto dram = write_trained_dram(trained.linked, trained.numbers, given, values, network, diagnostics);
  if (!dram) return std::nullopt;
  std::vector<StepResult> results(trained.linked.flow.steps.size());
  const auto keep = [&](std::size_t layer, const std::vector<std::int32_t>& output) {
    if (trained.linked.computed[layer].image == 0) keep_result(trained.linked, layer, output, results);
  };
  TrainedRun run;
  run.run = run_and_compare(*trained.linked.program, *std::move(dram), options, nullptr, stop, keep);
  if (run.run.result.refusal) return run;
  std::vector<StepDifference> differences(results.size());
  const QuantizedNetwork quantized(network, trained.linked.flow, solved, trained.numbers);
  const auto found = quantized.execute(inputs, results, differences, diagnostics, stop);
  if (!found) return std::nullopt;
  add(differences, trained, run);
  add(*exact, *found, run);
  return run;
}

std::optional<std::vector<double>> seen_magnitudes(const Graph& graph, const std::vector<FloatTensors>& inputs,
                                                   const std::stop_token& stop, Diagnostics& diagnostics) {
  const auto seen = quantization::observe(folded(graph), inputs, {}, diagnostics, stop);
  return seen ? of_graph(seen->most, graph) : std::nullopt;
}

std::optional<std::vector<double>> magnitudes_of_file(const Graph& graph, const std::string& file,
                                                      Diagnostics& diagnostics) {
  const auto given = quantization::read_ranges(file, diagnostics);
  const auto formats =
      given ? quantization::formats_of_ranges(folded(graph), *given, {}, file, diagnostics) : std::nullopt;
  if (!formats) return std::nullopt;
  std::vector<double> most;
  for (const quantization::Range& range : formats->ranges) most.push_back(std::max(-range.least, range.most));
  return of_graph(std::move(most), graph);
}

}  // namespace convscope::nmp
