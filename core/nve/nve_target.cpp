#include "core/nve/nve_target.h"

#include "core/nve/architecture/instruction.h"
#include "core/nve/artifacts/figures.h"
#include "core/nve/artifacts/layer_metrics.h"
#include "core/nve/compile_layer.h"
#include "core/nve/linked_network.h"
#include "core/nve/program_tools.h"
#include "core/nve/simulation_options.h"
#include "core/target/resources.h"

namespace convscope::nve {
namespace {

using artifact::Metrics;
using artifact::Roofline;

// Levels of the thesis's Figs 36 and 37, each adding one optimization, and two beyond them.
Switches switches_of(const std::string& level) {
  if (level == "none") return {};
  if (level == "packing") return {.packing = true};
  if (level == "modulo") return {.packing = true, .modulo = true};
  Switches switches{.packing = true, .modulo = true, .fusion = true};
  if (level == "fusion") return switches;
  switches.exact = switches.circular = switches.peeling = switches.partition = switches.sharing = true;
  switches.polyphase = switches.half_vector = switches.tiling = level == "optimal";
  return switches;
}

double value(const Metrics& metrics, const char* key) {
  const Quantity* found = metrics.find(key);
  return found == nullptr ? 0 : found->value;
}

struct Transfer {
  TransferMode mode;
  const char* name;
};
constexpr Transfer transfers[] = {{TransferMode::continuous, "ideal continuous"},
                                  {TransferMode::host_reordered, "host-reordered"},
                                  {TransferMode::scatter_gather, "scatter-gather per column"}};

// Operations are multiplications and additions; bytes are all that the layer moves (Fig. 35's axes).
artifact::RooflinePoint point_of(const network::Layer& layer, int index, const Metrics& m, const Transfer& transfer,
                                 const Machine& machine) {
  const auto bytes = static_cast<double>(m.bytes_in + m.bytes_out + m.bytes_weights);
  const double seconds = std::max(value(m, "seconds_compute"),
                                  transfer_seconds(transfer.mode, static_cast<std::int64_t>(bytes), m.bytes_in,
                                                   static_cast<std::int64_t>(value(m, "pixel_columns")), machine));
  const auto operations = 2.0 * static_cast<double>(m.macs);
  const bool exact = seconds <= value(m, "seconds_compute");
  return {layer.name,   index, operations / bytes, operations / seconds, exact ? Origin::derived : Origin::estimate,
          transfer.name};
}

// A bank of true dual-port memory has two ports, one of simple dual-port memory one to read and one to write.
int buffer_ports(const Machine& machine) {
  return machine.memory == MemoryKind::two_banks ? 4 : 2;
}

artifact::NamedQuantity shared(const char* key, double value) {
  return artifact::described(target::shared_resources(), key, value, Origin::derived);
}

class NveTarget : public target::Target {
 public:
  const std::string& id() const override { return id_; }
  const std::string& title() const override { return title_; }
  std::shared_ptr<const arch::MachineDescription> machine() const override { return machine_; }
  const std::vector<target::Level>& levels() const override { return levels_; }
  const std::string& default_level() const override { return default_level_; }
  const std::string& default_preset() const override { return preset_; }
  const std::vector<artifact::FigureDescription>& figures() const override { return figure_descriptions(); }
  const target::ProgramTools* program_tools() const override { return &tools_; }
  const target::SimulationTools* simulation_tools() const override { return &simulation_; }

  std::shared_ptr<const target::CompiledLayer> compile(const target::CompileRequest& request, target::PassCache& cache,
                                                       const std::stop_token& stop) const override {
    const Machine machine = machine_from(*request.machine);
    Switches switches = switches_of(request.level);
    switches.looped = machine.loop == InnerLoop::on;
    return compile_layer(request.network->layers[static_cast<std::size_t>(request.layer)], machine, switches, cache,
                         stop, request.network->graph);
  }

  std::shared_ptr<const target::LinkedNetwork> link(const target::NetworkRequest& request, const target::NetworkPlan*,
                                                    const target::CompiledLayers& layers, target::PassCache&,
                                                    const std::stop_token&) const override {
    const Machine machine = machine_from(*request.machine);
    if (machine.loop == InnerLoop::off) return nullptr;
    return link_network(*request.network, layers, total(layers, *request.machine), machine.bias_shift);
  }

  Metrics total(const std::vector<std::shared_ptr<const target::CompiledLayer>>& layers,
                const arch::ParameterValues& machine) const override {
    std::vector<Metrics> mapped;
    for (const auto& layer : layers)
      if (layer && layer->mapped()) mapped.push_back(layer->metrics());
    return total_metrics(mapped, machine_from(machine));
  }

  Roofline roofline(const network::Network& network,
                    const std::vector<std::shared_ptr<const target::CompiledLayer>>& layers,
                    const arch::ParameterValues& values) const override {
    const Machine machine = machine_from(values);
    Roofline result;
    result.roofs = {{"peak", 2.0 * machine.lanes * machine.cores * machine.clock_hz, 0, Origin::derived},
                    {"DRAM bandwidth", 0, machine.bandwidth, Origin::derived}};
    for (const Transfer& transfer : transfers)
      for (std::size_t i = 0; i < layers.size(); ++i)
        if (layers[i] && layers[i]->mapped())
          result.points.push_back(
              point_of(network.layers[i], static_cast<int>(i), layers[i]->metrics(), transfer, machine));
    return result;
  }

  std::vector<artifact::NamedQuantity> resources(const arch::ParameterValues& values) const override {
    const Machine m = machine_from(values);
    const double cores = m.cores;
    const double buffer = static_cast<double>(m.local_buffer_words) * m.port_bits;
    const double instructions = static_cast<double>(m.instruction_buffer_words) * instruction_bits(m);
    return {shared(target::mac_units, m.lanes * cores), shared(target::on_chip_bits, (buffer + instructions) * cores),
            shared(target::instruction_bits, instructions * cores),
            shared(target::memory_ports, (buffer_ports(m) + 1) * cores),
            artifact::described(figures(), "port_bits", buffer_ports(m) * cores * m.port_bits, Origin::derived)};
  }

 private:
  std::string id_ = "nve", title_ = "Neuro Vector Engine", preset_ = "nve-thesis";
  std::shared_ptr<const arch::MachineDescription> machine_ = machine_description();
  std::vector<target::Level> levels_ = {
      {"none", "no optimization"},
      {"packing", "coefficient packing"},
      {"modulo", "packing and modulo scheduling"},
      {"fusion", "packing, modulo scheduling and feature map fusion"},
      {"optimal-thesis-layout", "exact schedules, fusion by cost, the thesis's layout"},
      {"optimal", "exact schedules, fusion by cost, in-map tiling, polyphase and half-vector layout"}};
  std::string default_level_ = "fusion";
  NveProgramTools tools_;
  NveSimulationTools simulation_;
};

}  // namespace

std::shared_ptr<const target::Target> make_nve_target() {
  return std::make_shared<NveTarget>();
}

}  // namespace convscope::nve
