#include "core/nmp/trained/trained_run.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "core/base/cancellation.h"
#include "core/nmp/host/reference_output.h"
#include "core/nmp/trained/quantized_network.h"
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

/// What lies in DRAM before the run.
class DramWriter {
 public:
  DramWriter(const TrainedProgram& trained, const Graph& graph)
      : trained_(trained), program_(*trained.linked.program), graph_(graph) {}

  std::optional<std::vector<std::uint8_t>> write(const FloatTensors& inputs, const network::Network& network,
                                                 Diagnostics& diagnostics) {
    dram_.resize(static_cast<std::size_t>(program_.dram_bytes));
    if (const Region* const tables = program_.tables_region())
      for (std::size_t i = 0; i < program_.tables.size(); ++i)
        write_element(dram_, tables->first_byte + static_cast<std::int64_t>(4 * i), 4,
                      static_cast<std::int32_t>(program_.tables[i]));
    for (std::size_t i = 0; i < program_.layers.size(); ++i)
      put(program_.layers[i].weights.first_byte, trained_.numbers.steps[trained_.linked.computed[i].step].weights);
    for (const int input : graph_.inputs) {
      const auto& format = trained_.numbers.formats[static_cast<std::size_t>(input)];
      const std::string& name = graph_.tensors[static_cast<std::size_t>(input)].name;
      const auto value = inputs.find(name);
      if (!format) continue;
      if (value != inputs.end() && write_input(name, value->second.values, *format)) continue;
      diagnostics.error({network.source_file, 0, fmt::format("input '{}'", name)},
                        "there are no values of the size that the program reads");
      return std::nullopt;
    }
    return std::move(dram_);
  }

 private:
  int bytes() const { return program_.machine.element_bytes; }

  void put(std::int64_t byte, const std::vector<std::int32_t>& words) {
    for (const std::int32_t word : words) write_element(dram_, std::exchange(byte, byte + bytes()), bytes(), word);
  }

  /// Each image of a batch has it.
  bool write_input(const std::string& name, const std::vector<double>& values, const quantization::Format& format) {
    std::vector<std::int32_t> words;
    words.reserve(values.size());
    for (const double value : values) words.push_back(static_cast<std::int32_t>(quantization::quantize(value, format)));
    const std::vector<Storage>& storages = trained_.linked.flow.storages;
    for (std::size_t i = 0; i < storages.size(); ++i) {
      if (storages[i].name != name || storages[i].first_step >= 0) continue;
      if (storages[i].elements != static_cast<std::int64_t>(words.size())) return false;
      for (int image = 0; image < trained_.linked.images; ++image)
        put(trained_.linked.first_map_byte + trained_.linked.maps.first_bytes[i] +
                image * storages[i].elements * bytes(),
            words);
      return true;
    }
    return false;
  }

  const TrainedProgram& trained_;
  const Program& program_;
  const Graph& graph_;
  std::vector<std::uint8_t> dram_;
};

/// Last bits by which results may differ from a sum that is rounded once: averages have a rounded factor, and partial
/// sums are rounded on the way, some bits below or, where there is no room for these, saturated as well.
std::int64_t most_by_rounding(const ProgramLayer& layer) {
  if (layer.channel_parts.size() > 1) return layer.guard > 0 ? 2 : INT64_MAX - 1;
  const bool averages =
      layer.computation == Computation::average_pool || layer.computation == Computation::average_pool_inside;
  return averages ? 1 : 0;
}

void add(const std::vector<StepDifference>& differences, const TrainedProgram& trained, TrainedRun& run) {
  for (std::size_t i = 0; i < trained.linked.computed.size(); ++i) {
    const auto [step, image] = trained.linked.computed[i];
    if (image > 0) continue;
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

/// Whether numbers with points of their own can go through the step: no constants or functions that would need theirs.
bool has_formats(const LayerWork& work, const LinkedStep& step) {
  if (work.convolution.multiplies()) return true;
  const Computation what = work.computing.computation;
  const bool plain = what <= Computation::minimum || what == Computation::copy || what == Computation::slope;
  return plain && step.more.empty() && (step.other.tensor >= 0 || !work.convolution.combines());
}

/// Operators that seeded words are taken through as they are, and numbers with a point can't be; empty if there are
/// none.
std::string refusal_of(const Graph& graph, const Dataflow& flow, const std::vector<const SolvedLayer*>& solved) {
  const auto name = [&](int node) -> const std::string& {
    return graph.nodes[static_cast<std::size_t>(node)].operator_name;
  };
  for (const int view : flow.views)
    if (name(view) == "QuantizeLinear" || name(view) == "DequantizeLinear")
      return fmt::format("the file states scales of its own ({}), which no shift expresses", name(view));
  for (const LinkedStep& step : flow.steps) {
    for (const int folded : step.folded)
      if (name(folded) == "Floor") return "Floor rounds to whole numbers, NMP's words to their last bit";
    const LayerWork& work = solved[static_cast<std::size_t>(step.layer)]->work();
    if (!has_formats(work, step))
      return fmt::format("'{}' computes with words alone: what formats its constants and functions take isn't known",
                         work.name);
  }
  return {};
}

}  // namespace

std::optional<TrainedProgram> link_trained(const network::Network& network, const OperatorPlan& plan,
                                           const std::vector<const SolvedLayer*>& solved,
                                           const std::vector<double>& most, const std::stop_token& stop,
                                           Diagnostics& diagnostics) {
  const Location where{network.source_file, 0, {}};
  LinkedProgram seeded = link_program(network, plan, solved, {}, stop);
  if (!seeded.program) return diagnostics.error(where, seeded.reason), std::nullopt;
  if (const std::string why = refusal_of(*network.graph, seeded.flow, solved); !why.empty())
    return diagnostics.error(where, why), std::nullopt;
  auto numbers = choose_numbers(network, seeded.flow, solved, most, diagnostics);
  if (!numbers) return std::nullopt;
  TrainedProgram trained{link_program(network, plan, solved, numbers->steps, stop), *std::move(numbers)};
  if (!trained.linked.program) return diagnostics.error(where, trained.linked.reason), std::nullopt;
  return trained;
}

std::optional<TrainedRun> run_trained(const network::Network& network, const TrainedProgram& trained,
                                      const std::vector<const SolvedLayer*>& solved, const FloatTensors& inputs,
                                      const SimulationOptions& options, const std::stop_token& stop,
                                      Diagnostics& diagnostics) {
  auto dram = DramWriter(trained, *network.graph).write(inputs, network, diagnostics);
  if (!dram) return std::nullopt;
  const auto poll = [&](int /*tensor*/, reference::FloatTensor& /*value*/) { throw_if_stopped(stop); };
  const auto exact = reference::execute(*network.graph, inputs, diagnostics, {}, poll);
  if (!exact) return std::nullopt;
  std::vector<std::vector<std::int32_t>> results(trained.linked.flow.steps.size());
  const auto keep = [&](std::size_t layer, const std::vector<std::int32_t>& output) {
    const auto [step, image] = trained.linked.computed[layer];
    if (image == 0) results[step] = output;
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
