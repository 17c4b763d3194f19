#include "core/nmp/linked_network.h"

#include <algorithm>
#include <cmath>
#include <mutex>

#include <fmt/format.h>

#include "core/nmp/architecture/assembly.h"
#include "core/nmp/artifacts/layer_metrics.h"
#include "core/nmp/artifacts/program_view.h"
#include "core/nmp/program_tools.h"
#include "core/nmp/trained/trained_run.h"
#include "core/quantization/named_inputs.h"
#include "core/quantization/own_scales.h"

namespace convscope::nmp {
namespace {

using artifact::OperationClass;

std::string description(const LinkedProgram& linked) {
  if (!linked.program) return "no program of the network: " + linked.reason;
  const std::vector<std::string>& host = linked.flow.left_out;
  std::string program =
      fmt::format("one program of {} layer{}", linked.flow.steps.size(), linked.flow.steps.size() == 1 ? "" : "s");
  if (linked.images > 1) program += fmt::format(" for {} images, layer after layer", linked.images);
  if (host.empty()) return program;
  return fmt::format("{}; left to the host: {}{}", program, host.front(),
                     host.size() > 1 ? fmt::format(" and {} more", host.size() - 1) : "");
}

std::vector<const SolvedLayer*> solved_layers(const target::CompiledLayers& layers) {
  std::vector<const SolvedLayer*> solved;
  for (const auto& layer : layers) solved.push_back(dynamic_cast<const SolvedLayer*>(layer.get()));
  return solved;
}

/// "; 3 of 100 results are …": nothing if there are none.
std::string roundings(const TrainedRun& run) {
  if (run.rounded_otherwise == 0) return {};
  return fmt::format("; {} of {} results are up to {} last bits from their sum rounded once", run.rounded_otherwise,
                     run.results, run.most_apart);
}

class Linked : public target::LinkedNetwork {
 public:
  Linked(const target::NetworkRequest& request, const OperatorPlan& plan, LinkedProgram linked,
         target::CompiledLayers layers, artifact::Metrics total)
      : network_(*request.network),
        plan_(plan),
        linked_(std::move(linked)),
        layers_(std::move(layers)),
        total_(std::move(total)) {
    add_operation(total_, description(linked_));
  }

  const target::CompiledLayers& layers() const override { return layers_; }
  const artifact::Metrics& metrics() const override { return total_; }
  int program_count() const override { return linked_.program ? 1 : 0; }
  std::string program_name(int /*program*/) const override { return program().name + ": its program"; }
  std::shared_ptr<const artifact::Timeline> timeline(int /*program*/) const override {
    const std::lock_guard lock(mutex_);
    if (!timeline_) timeline_ = make_program_timeline(program());
    return timeline_;
  }
  std::shared_ptr<const artifact::Listing> listing(int /*program*/) const override { return make_listing(program()); }
  std::string program_file(int /*program*/) const override { return write_program_file(program()); }
  std::optional<target::SimulationResult> simulate(const target::OptionValues& options, const std::stop_token& stop,
                                                   Diagnostics& diagnostics) const override {
    if (!linked_.program) {
      diagnostics.error({}, linked_.reason);
      return std::nullopt;
    }
    if (!options.text("image").empty()) return simulate_trained(options, stop, diagnostics);
    if (asks_for_network(options, {network_.source_file, 0, "image"}, diagnostics)) return refused_run();
    return run_program(program(), options, stop, diagnostics);
  }

  // Maps live from the step that writes them to the last that reads them; steps last as long as they are estimated.
  std::shared_ptr<const artifact::MemoryMap> memory_map(int /*program*/) const override {
    const std::vector<std::int64_t> starts = starts_of_steps();
    auto map = std::make_shared<artifact::MemoryMap>(*make_program_map(program(), starts.back()));
    artifact::Memory& dram = map->memories.front();
    std::erase_if(dram.blocks, [&](const artifact::MemoryBlock& block) {
      return block.first_word == linked_.first_map_byte && block.words == linked_.maps.bytes;
    });
    for (std::size_t i = 0; i < linked_.flow.storages.size(); ++i) {
      const Storage& s = linked_.flow.storages[i];
      if (s.elements == 0) continue;
      const auto at = [&](int step) {
        return starts[static_cast<std::size_t>(std::clamp(step, 0, static_cast<int>(starts.size()) - 1))];
      };
      dram.blocks.push_back({s.name, OperationClass::pixels, linked_.first_map_byte + linked_.maps.first_bytes[i],
                             s.elements * linked_.images * program().machine.element_bytes, at(s.first_step),
                             at(s.last_step + 1)});
    }
    return map;
  }

 private:
  const Program& program() const { return *linked_.program; }

  static std::optional<std::vector<double>> magnitudes(const network::Graph& graph, const std::string& ranges,
                                                       const std::vector<reference::FloatTensors>& inputs,
                                                       const std::stop_token& stop, Diagnostics& diagnostics) {
    return ranges.empty() ? seen_magnitudes(graph, inputs, stop, diagnostics)
                          : magnitudes_of_file(graph, ranges, diagnostics);
  }

  /// On the input that is asked for, with the network's own weights.
  target::SimulationResult simulate_trained(const target::OptionValues& options, const std::stop_token& stop,
                                            Diagnostics& diagnostics) const {
    const reference::PixelScale pixels{static_cast<double>(options.integer("image-mean")),
                                       static_cast<double>(options.integer("image-scale"))};
    const std::vector<const SolvedLayer*> solved = solved_layers(layers_);
    const network::Network network = quantization::in_real_numbers(network_, diagnostics);
    const auto inputs = quantization::named_inputs(*network.graph, options.text("image"), pixels, diagnostics);
    const auto most =
        inputs ? magnitudes(*network.graph, options.text("ranges"), *inputs, stop, diagnostics) : std::nullopt;
    const auto calibration =
        options.text("ranges").empty() && inputs ? *inputs : std::vector<reference::FloatTensors>();
    const auto trained =
        most ? link_trained(network, plan_, solved, *most, calibration, stop, diagnostics) : std::nullopt;
    const auto run =
        trained ? run_trained(network, *trained, solved, inputs->front(), {}, stop, diagnostics) : std::nullopt;
    if (!run) return refused_run();
    const Location where{network_.source_file, 0, {}};
    for (const std::string& wrong : {run->run.equal() ? std::string() : run->run.text(), run->fault})
      if (!wrong.empty()) diagnostics.error(where, wrong, "the outputs of the fixed-point reference");
    if (run->run.result.refusal) return refused_run();
    target::SimulationResult result = result_of(*trained->linked.program, run->run, stop);
    result.matches = result.matches && run->fault.empty();
    constexpr double most_sqnr = 200;  // without noise the ratio is infinite
    result.counted.push_back(count("rounded_otherwise", static_cast<double>(run->rounded_otherwise)));
    result.counted.push_back(count("sqnr", std::clamp(run->error.sqnr(), -most_sqnr, most_sqnr)));
    result.counted.push_back(count("same_answer", run->same_answer ? 1 : 0));
    if (result.matches)
      diagnostics.note(
          where, fmt::format("{} layers on the machine, {} on the host; outputs are {}{}{}", linked_.flow.steps.size(),
                             linked_.flow.left_out.size(), run->error.from_floats(), answer(*run), roundings(*run)));
    return result;
  }

  // A classifier's; of several outputs, none is the answer.
  std::string answer(const TrainedRun& run) const {
    if (network_.graph->outputs.size() != 1) return {};
    return run.same_answer ? ", the largest in the same place" : ", the largest not in the same place";
  }

  std::vector<std::int64_t> starts_of_steps() const {
    std::vector<std::int64_t> starts{0};
    double cycles = 0;
    for (const LinkedStep& step : linked_.flow.steps) {
      cycles += layers_[static_cast<std::size_t>(step.layer)]->metrics().cycles.value * linked_.images;
      starts.push_back(std::llround(cycles));
    }
    return starts;
  }

  network::Network network_;
  OperatorPlan plan_;
  LinkedProgram linked_;
  target::CompiledLayers layers_;
  artifact::Metrics total_;
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const artifact::Timeline> timeline_;
};

}  // namespace

std::shared_ptr<const target::LinkedNetwork> make_linked(const target::NetworkRequest& request,
                                                         const OperatorPlan& plan, const target::CompiledLayers& layers,
                                                         artifact::Metrics total, const std::stop_token& stop) {
  return std::make_shared<const Linked>(
      request, plan, link_program(*request.network, plan, solved_layers(layers), {}, stop), layers, std::move(total));
}

}  // namespace convscope::nmp
