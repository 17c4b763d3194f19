#include "core/nve/linked_network.h"

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/nve/run_network.h"
#include "core/nve/simulation_options.h"
#include "core/nve/simulation_result.h"
#include "core/quantization/own_scales.h"

namespace convscope::nve {
namespace {

std::vector<const LayerPrograms*> programs_of(const target::CompiledLayers& layers) {
  std::vector<const LayerPrograms*> programs;
  for (const auto& layer : layers) {
    const auto* own = dynamic_cast<const LayerPrograms*>(layer.get());
    programs.push_back(layer && layer->mapped() ? own : nullptr);
  }
  return programs;
}

class NveNetwork : public target::LinkedNetwork {
 public:
  NveNetwork(network::Network network, target::CompiledLayers layers, artifact::Metrics total, int most_bias_shift)
      : network_(std::move(network)),
        layers_(std::move(layers)),
        metrics_(std::move(total)),
        most_bias_shift_(most_bias_shift) {}

  const artifact::Metrics& metrics() const override { return metrics_; }
  const target::CompiledLayers& layers() const override { return layers_; }

  std::optional<target::SimulationResult> simulate(const target::OptionValues& options, const std::stop_token& stop,
                                                   Diagnostics& diagnostics) const override {
    const SimulationInput input = simulation_input(options);
    if (input.strips > 0) {
      diagnostics.error({{}, 0, network_.name}, "a network runs as a whole", "all strips");
      return program_result({});
    }
    const network::Network network = quantization::in_real_numbers(network_, diagnostics);
    const auto chain = chain_of(network, programs_of(layers_));
    if (chain.empty()) {
      diagnostics.error({{}, 0, network_.name}, "the file has no weights for the layers that NVE computes");
      return program_result({});
    }
    const auto inputs = named_inputs(*network.graph, input.image, input.pixels, diagnostics);
    if (!inputs) return program_result({});
    const auto run = run_network(network, chain, most_bias_shift_, *inputs, stop, diagnostics);
    if (!run) return program_result({});
    if (run->check.matches)
      diagnostics.note({{}, 0, network_.name},
                       fmt::format("{} layers on the machine, {} operators on the host; outputs are {}{}", chain.size(),
                                   run->on_host, run->error.from_floats(), answer(*run)));
    return layer_result(run->check, metrics_, false);
  }

 private:
  // A classifier's; of several outputs, none is the answer.
  std::string answer(const NetworkRun& run) const {
    if (network_.graph->outputs.size() != 1) return {};
    return run.same_answer ? ", the largest in the same place" : ", the largest not in the same place";
  }

  network::Network network_;
  target::CompiledLayers layers_;
  artifact::Metrics metrics_;
  int most_bias_shift_;
};

}  // namespace

std::shared_ptr<const target::LinkedNetwork> link_network(const network::Network& network,
                                                          const target::CompiledLayers& layers, artifact::Metrics total,
                                                          int most_bias_shift) {
  if (!network.graph) return nullptr;
  for (std::size_t i = 0; i < layers.size(); ++i)
    if (network.layers[i].kernel.height > 0 && (!layers[i] || !layers[i]->mapped())) return nullptr;
  return std::make_shared<NveNetwork>(network, layers, std::move(total), most_bias_shift);
}

}  // namespace convscope::nve
