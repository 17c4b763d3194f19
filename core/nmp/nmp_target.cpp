#include "core/nmp/nmp_target.h"

#include "core/base/cancellation.h"
#include "core/nmp/artifacts/figures.h"
#include "core/nmp/artifacts/layer_metrics.h"
#include "core/nmp/compiled_layer.h"
#include "core/nmp/linked_network.h"
#include "core/nmp/operators/free_layer.h"
#include "core/nmp/operators/fused_sums.h"
#include "core/nmp/operators/operator_search.h"
#include "core/nmp/program_tools.h"
#include "core/target/resources.h"

namespace convscope::nmp {
namespace {

using artifact::Metrics;
using artifact::Roofline;
using target::CompiledLayer;

CostLevel level_of(const std::string& level) {
  if (level == "volume") return CostLevel::volume;
  if (level == "walk") return CostLevel::walk;
  return level == "banked" ? CostLevel::banked : CostLevel::burst;
}

// Figure 11's axes: work for each byte loaded from DRAM. Rooflines count multiplications and additions, the figure
// MACs.
constexpr double operations_per_mac = 2;

artifact::RooflinePoint point_of(const network::Layer& layer, int index, const Metrics& m) {
  const auto loaded = static_cast<double>(m.bytes_in + m.bytes_weights);
  const double operations = operations_per_mac * static_cast<double>(m.macs);
  return {layer.name, index, operations / loaded, operations / m.seconds.value, Origin::estimate, "TSO"};
}

std::shared_ptr<const CompiledLayer> compile_operator(const target::CompileRequest& request, const Machine& machine,
                                                      CostLevel level, target::PassCache& cache,
                                                      const std::stop_token& stop) {
  const auto index = static_cast<std::size_t>(request.layer);
  const network::Layer& layer = request.network->layers[index];
  const auto* plan = dynamic_cast<const OperatorPlan*>(request.plan);
  const OperatorUse use =
      plan ? plan->uses[index] : plan_operators(*request.network, {}, machine.element_bytes).uses[index];
  if (use.kind == OperatorUse::Kind::unmapped) return make_unmapped(layer, use.text);
  if (use.kind == OperatorUse::Kind::free) return make_free_layer(use.text);
  OperatorWork work = solve_operator(use, machine, level, cache, stop);
  if (!work.solution->reason.empty()) return make_unmapped(layer, work.solution->reason);
  return make_mapped(layer.name, work.convolution, use.computing, work.machine, level, std::move(work.solution),
                     use.text);
}

class NmpTarget : public target::Target {
 public:
  const std::string& id() const override { return id_; }
  const std::string& title() const override { return title_; }
  std::shared_ptr<const arch::MachineDescription> machine() const override { return machine_; }
  const std::vector<target::Level>& levels() const override { return levels_; }
  const std::string& default_level() const override { return levels_[1].name; }
  const std::string& default_preset() const override { return preset_; }

  const std::vector<artifact::FigureDescription>& figures() const override { return figure_descriptions(); }
  const target::SimulationTools* simulation_tools() const override { return &simulation_; }
  const target::ProgramTools* program_tools() const override { return &programs_; }

  std::shared_ptr<const target::NetworkPlan> prepare(const target::NetworkRequest& request, target::PassCache& cache,
                                                     const std::stop_token& stop) const override {
    throw_if_stopped(stop);
    const Machine machine = machine_from(*request.machine);
    const CostLevel level = level_of(request.level);
    if (!machine.all_operators) return nullptr;
    return std::make_shared<const OperatorPlan>(plan_operators(
        *request.network,
        [&](const network::Layer& layer, const OperatorUse& sum) {
          return saves_time(layer, sum, machine, level, cache, stop);
        },
        machine.element_bytes));
  }

  std::shared_ptr<const CompiledLayer> compile(const target::CompileRequest& request, target::PassCache& cache,
                                               const std::stop_token& stop) const override {
    throw_if_stopped(stop);
    const network::Layer& layer = request.network->layers[static_cast<std::size_t>(request.layer)];
    const Machine machine = machine_from(*request.machine);
    const CostLevel level = level_of(request.level);
    if (machine.all_operators && !layer.multiplies()) return compile_operator(request, machine, level, cache, stop);
    std::string reason, operation;
    auto convolution = convolution_of(layer, reason);
    if (!convolution) return make_unmapped(layer, reason);
    if (machine.all_operators) operation = use_percept(*convolution, machine) ? "percept" : "convolution";
    const auto* plan = dynamic_cast<const OperatorPlan*>(request.plan);
    if (plan && plan->uses[static_cast<std::size_t>(request.layer)].residual >= 0) {
      convolution->residual = true;
      operation += ", " + plan->uses[static_cast<std::size_t>(request.layer)].text;
    }
    auto solution = solve(*convolution, machine, {level, {}, {}}, cache, stop);
    if (!solution->reason.empty()) return make_unmapped(layer, *convolution, machine, solution->reason);
    return make_mapped(layer.name, *convolution, usual_computing(*convolution), machine, level, std::move(solution),
                       operation);
  }

  // A layer alone has no network that could be joined.
  std::shared_ptr<const target::LinkedNetwork> link(const target::NetworkRequest& request,
                                                    const target::NetworkPlan* plan,
                                                    const target::CompiledLayers& layers, target::PassCache& /*cache*/,
                                                    const std::stop_token& stop) const override {
    const auto* operators = dynamic_cast<const OperatorPlan*>(plan);
    if (!operators || request.network->layers.size() < 2) return nullptr;
    return make_linked(request, *operators, layers, total(layers, *request.machine), stop);
  }

  Metrics total(const std::vector<std::shared_ptr<const CompiledLayer>>& layers,
                const arch::ParameterValues& machine) const override {
    std::vector<Metrics> mapped;
    for (const auto& layer : layers)
      if (layer && layer->mapped()) mapped.push_back(layer->metrics());
    return total_metrics(mapped, machine_from(machine));
  }

  Roofline roofline(const network::Network& network, const std::vector<std::shared_ptr<const CompiledLayer>>& layers,
                    const arch::ParameterValues& values) const override {
    const Machine machine = machine_from(values);
    Roofline result;
    result.roofs = {{"peak", operations_per_mac * machine.peak(), 0, Origin::derived},
                    {"DRAM bandwidth", 0, machine.bandwidth, Origin::derived}};
    if (machine.mac_efficiency < 1)
      result.roofs.push_back({"reached peak", operations_per_mac * machine.reached_peak(), 0, Origin::estimate});
    for (std::size_t i = 0; i < layers.size(); ++i)
      if (layers[i] && layers[i]->mapped() && layers[i]->metrics().macs > 0)
        result.points.push_back(point_of(network.layers[i], static_cast<int>(i), layers[i]->metrics()));
    return result;
  }

  // The paper says nothing of ports and of instruction memories: one port a memory is the least, and an estimate.
  std::vector<artifact::NamedQuantity> resources(const arch::ParameterValues& values) const override {
    const double shared = values.get("shared_buffer");
    const double tlts = static_cast<double>(values.get_int("tles")) * values.get_int("tlts");
    const double bytes = values.get("input_memory") + values.get("weight_memory") + values.get("output_memory");
    const auto resource = [](const char* key, double value, Origin origin) {
      return artifact::described(target::shared_resources(), key, value, origin);
    };
    return {resource(target::mac_units, tlts * machine_from(values).macs_per_cycle, Origin::derived),
            resource(target::on_chip_bits, (tlts * bytes + shared) * 8, Origin::derived),
            resource(target::memory_ports, tlts * 3 + (shared > 0 ? 1 : 0), Origin::estimate)};
  }

 private:
  std::string id_ = "nmp", title_ = "NeuroMorphic Processor", preset_ = "nmp-board";
  std::shared_ptr<const arch::MachineDescription> machine_ = machine_description();
  std::vector<target::Level> levels_ = {
      {"volume", "tilings chosen by volume, timed by bursts"},
      {"burst", "tilings chosen by bursts"},
      {"banked", "tilings chosen and timed by banks and rows"},
      {"walk", "tilings chosen by banks and rows, timed by a walk over the transfers"}};
  NmpSimulationTools simulation_;
  NmpProgramTools programs_;
};

}  // namespace

std::shared_ptr<const target::Target> make_nmp_target() {
  return std::make_shared<NmpTarget>();
}

}  // namespace convscope::nmp
