#include "core/snowflake/snowflake_target.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/cancellation.h"
#include "core/snowflake/artifacts/figures.h"
#include "core/snowflake/artifacts/layer_metrics.h"
#include "core/snowflake/compile/network_plan.h"
#include "core/snowflake/compiled_layer.h"
#include "core/snowflake/program_tools.h"
#include "core/target/resources.h"

namespace convscope::snowflake {
namespace {

using artifact::Metrics;
using artifact::Roofline;
using target::CompiledLayer;

constexpr double operations_per_mac = 2;

CompileLevel level_of(const std::string& level) {
  return level == "best" ? CompileLevel::best : CompileLevel::paper;
}

artifact::RooflinePoint point_of(const network::Layer& layer, int index, const Metrics& m) {
  const Quantity* valid = m.find("valid_macs");
  const double operations = operations_per_mac * (valid ? valid->value : 0);
  const auto bytes = static_cast<double>(m.bytes_in + m.bytes_out + m.bytes_weights);
  return {layer.name, index, operations / bytes, operations / m.seconds.value, Origin::simulated, ""};
}

/// Whether every layer has a program; if one is refused, the host would have to step in between.
bool all_compiled(const ParsedNetwork& parsed, const target::CompiledLayers& layers) {
  return !parsed.layers.empty() &&
         std::all_of(parsed.layers.begin(), parsed.layers.end(), [&](const ParsedLayer& parsed_layer) {
           const auto& layer = layers[static_cast<std::size_t>(parsed_layer.network_layer)];
           return layer && layer->mapped();
         });
}

/// The layers of a network with their mappings, as they become one program.
struct LinkedLayers {
  std::vector<target::Remembered<TimedProgram>> alone;
  std::vector<Mapping> mappings;
  std::vector<std::string> remarks;
};

/// At level best, pools take turns with the convolutions before them where that is faster.
void take_turns(LinkedLayers& linked, const ParsedNetwork& parsed, const Machine& machine, const target::PassRun& run) {
  for (std::size_t i = 0; i + 1 < parsed.layers.size(); ++i) {
    const ProgramLayer &convolution = parsed.layers[i].layer, &pool = parsed.layers[i + 1].layer;
    if (!pools_all(convolution, pool)) continue;
    const auto turns = compile_turns(run, convolution, pool, linked.mappings[i], linked.mappings[i + 1], machine);
    const auto text = [&](double cycles) {
      return format_quantity({cycles / machine.clock_hz, "s", Origin::simulated});
    };
    if (!turns->faster()) {
      linked.remarks[i + 1] = fmt::format("taking turns with {} would not be faster", convolution.name);
      continue;
    }
    linked.mappings[i] = turns->convolution;
    linked.mappings[i + 1] = turns->pool;
    const std::string times = fmt::format("both take {} instead of {}", text(turns->cycles), text(turns->one_by_one));
    linked.remarks[i] = fmt::format("in the network it takes turns with {}, {} rows a tile: {}", pool.name,
                                    turns->convolution.rows, times);
    linked.remarks[i + 1] = fmt::format("in the network it takes turns with {}, {} rows of a CU a tile: {}",
                                        convolution.name, turns->pool.rows, times);
  }
}

class SnowflakeTarget : public target::Target {
 public:
  const std::string& id() const override { return id_; }
  const std::string& title() const override { return title_; }
  std::shared_ptr<const arch::MachineDescription> machine() const override { return machine_; }
  const std::vector<target::Level>& levels() const override { return levels_; }
  const std::string& default_level() const override { return levels_.front().name; }
  const std::string& default_preset() const override { return preset_; }
  const std::vector<artifact::FigureDescription>& figures() const override { return figure_descriptions(); }
  const target::SimulationTools* simulation_tools() const override { return &simulation_; }
  const target::ProgramTools* program_tools() const override { return &programs_; }

  std::shared_ptr<const target::NetworkPlan> prepare(const target::NetworkRequest& request, target::PassCache&,
                                                     const std::stop_token& stop) const override {
    throw_if_stopped(stop);
    return make_plan(*request.network, machine_from(*request.machine), {}, &known_ranges_, stop);
  }

  std::shared_ptr<const CompiledLayer> compile(const target::CompileRequest& request, target::PassCache& cache,
                                               const std::stop_token& stop) const override {
    throw_if_stopped(stop);
    const auto index = static_cast<std::size_t>(request.layer);
    const network::Layer& layer = request.network->layers[index];
    const ParsedNetwork& parsed = plan_of(request.plan).parsed;
    if (!parsed.reasons[index].empty()) return make_unmapped(layer, parsed.reasons[index]);
    const int position = parsed.computed_by[index];
    if (position < 0) return make_folded(layer, "");
    const ParsedLayer& own = parsed.layers[static_cast<std::size_t>(position)];
    const target::PassRun run{cache, stop};
    const auto timed = compile_alone(run, own.layer, machine_from(*request.machine), level_of(request.level));
    if (!timed->refused.empty()) return make_unmapped(layer, timed->refused, timed->fault);
    if (own.network_layer != request.layer) return make_folded(layer, own.layer.name);
    return make_mapped(layer, own, timed, {plan_of(request.plan).trained, {position}});
  }

  std::shared_ptr<const target::LinkedNetwork> link(const target::NetworkRequest& request,
                                                    const target::NetworkPlan* plan,
                                                    const target::CompiledLayers& layers, target::PassCache& cache,
                                                    const std::stop_token& stop) const override {
    const ParsedNetwork& parsed = plan_of(plan).parsed;
    if (!all_compiled(parsed, layers)) return nullptr;
    const auto& trained = plan_of(plan).trained;
    const Machine machine = machine_from(*request.machine);
    const target::PassRun run{cache, stop};
    LinkedLayers chain;
    for (const ParsedLayer& layer : parsed.layers) {
      chain.alone.push_back(compile_alone(run, layer.layer, machine, level_of(request.level)));
      chain.mappings.push_back(chain.alone.back()->choice.mapping());
    }
    chain.remarks.resize(chain.alone.size());
    if (level_of(request.level) == CompileLevel::best) take_turns(chain, parsed, machine, run);
    const auto& alone = chain.alone;
    const auto together = compile_together(run, parsed, chain.mappings, machine);
    target::CompiledLayers linked = layers;
    std::vector<int> positions;
    for (std::size_t i = 0; i < alone.size(); ++i) {
      ParsedLayer own = parsed.layers[i];
      const int position = positions.emplace_back(static_cast<int>(i));
      const auto index = static_cast<std::size_t>(own.network_layer);
      if (!together->refused.empty()) {
        own.remarks.push_back("figures of the layer alone, as the network's program is refused: " + together->refused);
        linked[index] = make_mapped(request.network->layers[index], own, alone[i], {trained, {position}});
        continue;
      }
      if (!chain.remarks[i].empty()) own.remarks.push_back(chain.remarks[i]);
      const double imbalance = load_imbalance(together->run.sections, machine.load_units, static_cast<int>(i));
      linked[index] = make_mapped(request.network->layers[index], own, alone[i], {trained, {position}},
                                  LinkedRun{together->run.layers[i], imbalance, i == 0});
    }
    Metrics sum = total(linked, *request.machine);
    if (!together->refused.empty()) return make_unlinked(std::move(linked), std::move(sum), together->fault);
    return make_linked(request.network->name, std::move(linked), together, {trained, positions}, std::move(sum));
  }

  Metrics total(const target::CompiledLayers& layers, const arch::ParameterValues& machine) const override {
    std::vector<Metrics> mapped;
    for (const auto& layer : layers)
      if (layer && layer->mapped()) mapped.push_back(layer->metrics());
    return total_metrics(mapped, machine_from(machine));
  }

  Roofline roofline(const network::Network& network, const target::CompiledLayers& layers,
                    const arch::ParameterValues& values) const override {
    const Machine machine = machine_from(values);
    Roofline result;
    result.roofs = {{"peak", operations_per_mac * machine.peak(), 0, Origin::derived},
                    {"DRAM bandwidth", 0, machine.bandwidth, Origin::derived},
                    {"bandwidth that streams reach", 0, machine.bandwidth * machine.efficiency, Origin::estimate}};
    for (std::size_t i = 0; i < layers.size(); ++i)
      if (layers[i] && layers[i]->mapped() && layers[i]->program_count() > 0 && network.layers[i].macs() > 0)
        result.points.push_back(point_of(network.layers[i], static_cast<int>(i), layers[i]->metrics()));
    return result;
  }

  // The paper says nothing of ports: two for each bank, one that loads and one that computes, is the least.
  std::vector<artifact::NamedQuantity> resources(const arch::ParameterValues& values) const override {
    const Machine m = machine_from(values);
    const auto resource = [](const char* key, double value, Origin origin) {
      return artifact::described(target::shared_resources(), key, value, origin);
    };
    constexpr double banks = 2, word_bits = 8 * word_bytes, instruction_bits_each = 32;
    const double vmacs = static_cast<double>(m.cus) * m.vmacs;
    const double instructions = banks * m.instruction_bank * instruction_bits_each;
    const double words = banks * (static_cast<double>(m.cus) * m.maps_bank_words + vmacs * m.kernel_bank_stride());
    return {resource(target::mac_units, m.macs_per_cycle(), Origin::derived),
            resource(target::on_chip_bits, words * word_bits + instructions, Origin::derived),
            resource(target::instruction_bits, instructions, Origin::derived),
            resource(target::memory_ports, 2 * (m.cus + vmacs + 1), Origin::estimate)};
  }

 private:
  static const SnowflakePlan& plan_of(const target::NetworkPlan* plan) {
    return dynamic_cast<const SnowflakePlan&>(*plan);
  }

  std::string id_ = "snowflake", title_ = "Snowflake", preset_ = "snowflake-zc706";
  std::shared_ptr<const arch::MachineDescription> machine_ = machine_description();
  std::vector<target::Level> levels_ = {{"paper", "decisions by the paper's rules"},
                                        {"best", "the fastest mapping of all that were timed", "paper"}};
  mutable KnownRanges known_ranges_;
  SnowflakeSimulationTools simulation_;
  SnowflakeProgramTools programs_;
};

}  // namespace

std::shared_ptr<const target::Target> make_snowflake_target() {
  return std::make_shared<SnowflakeTarget>();
}

}  // namespace convscope::snowflake
