#include "tests/made/mill/mill_target.h"

#include <thread>

#include "tests/made/mill/figures.h"
#include "tests/made/mill/tools.h"

namespace convscope::made {
namespace {

using namespace mill;

/// Programs with their artifacts: of one layer, or of all that were linked.
template <typename Base>
class Ground : public Base {
 public:
  Ground(std::vector<Grinding> layers, const Machine& machine, artifact::Metrics metrics, std::string name)
      : layers_(std::move(layers)), machine_(machine), metrics_(std::move(metrics)), name_(std::move(name)) {}

  const std::vector<Grinding>& grindings() const { return layers_; }
  const artifact::Metrics& metrics() const override { return metrics_; }
  int program_count() const override { return layers_.empty() ? 0 : 1; }
  std::string program_name(int) const override { return name_; }
  int program_of(artifact::OperationKey operation) const override { return links(0)->find(operation) ? 0 : -1; }
  std::shared_ptr<const artifact::Timeline> timeline(int) const override { return timeline_of(layers_); }
  std::shared_ptr<const artifact::Listing> listing(int) const override { return listing_of(layers_); }
  std::shared_ptr<const artifact::MemoryMap> memory_map(int) const override { return memory_map_of(layers_, machine_); }
  std::shared_ptr<const artifact::Links> links(int) const override { return links_of(layers_); }
  std::string program_file(int) const override { return listing_of(layers_)->assembly; }
  std::optional<target::SimulationResult> simulate(const target::OptionValues& options, const std::stop_token& stop,
                                                   Diagnostics&) const override {
    throw_if_stopped(stop);
    return mill::simulate(layers_, machine_, options);
  }

 private:
  std::vector<Grinding> layers_;
  Machine machine_;
  artifact::Metrics metrics_;
  std::string name_;
};

class MillLayer : public Ground<target::CompiledLayer> {
 public:
  MillLayer(const Grinding& grinding, const Machine& machine)
      : Ground({grinding}, machine, metrics_of(grinding, machine), grinding.layer) {}
  explicit MillLayer(std::string reason) : Ground({}, {}, {}, {}), reason_(std::move(reason)) {}
  const std::string& reason() const override { return reason_; }

 private:
  std::string reason_;
};

class LinkedMill : public Ground<target::LinkedNetwork> {
 public:
  LinkedMill(std::vector<Grinding> grindings, const Machine& machine, const artifact::Metrics& total,
             target::CompiledLayers layers)
      : Ground(std::move(grindings), machine, total, "the whole day"), layers_(std::move(layers)) {}
  const target::CompiledLayers& layers() const override { return layers_; }

 private:
  target::CompiledLayers layers_;
};

constexpr target::Pass barn{"mill.barn", &plan_barn};

artifact::Metrics total_of(const target::CompiledLayers& layers) {
  std::vector<artifact::Metrics> mapped;
  for (const auto& layer : layers)
    if (layer && layer->mapped()) mapped.push_back(layer->metrics());
  return sum_of(mapped);
}

class Mill : public target::Target {
 public:
  explicit Mill(std::chrono::milliseconds fine_time) : fine_time_(fine_time) {}

  const std::string& id() const override { return machine_->target; }
  const std::string& title() const override { return machine_->title; }
  std::shared_ptr<const arch::MachineDescription> machine() const override { return machine_; }
  const std::vector<target::Level>& levels() const override { return levels_; }
  const std::string& default_level() const override { return levels_.back().name; }
  const std::string& default_preset() const override { return preset_; }
  std::string preset_folder() const override { return CONVSCOPE_MILL_PRESETS; }
  const std::vector<artifact::FigureDescription>& figures() const override { return mill::figures(); }
  const target::SimulationTools* simulation_tools() const override { return &simulation_; }
  const target::MeasurementTools* measurement_tools() const override { return &measurement_; }
  const target::ProgramTools* program_tools() const override { return &programs_; }

  std::shared_ptr<const target::NetworkPlan> prepare(const target::NetworkRequest& request, target::PassCache& cache,
                                                     const std::stop_token& stop) const override {
    throw_if_stopped(stop);
    std::vector<std::int64_t> grains;
    for (const network::Layer& layer : request.network->layers) grains.push_back(layer.macs());
    return barn({cache, stop}, grains).pointer();
  }

  std::shared_ptr<const target::CompiledLayer> compile(const target::CompileRequest& request, target::PassCache&,
                                                       const std::stop_token& stop) const override {
    const network::Layer& layer = request.network->layers[static_cast<std::size_t>(request.layer)];
    if (layer.macs() == 0) return std::make_shared<MillLayer>("there is nothing to grind");
    const bool fine = request.level == "fine";
    if (fine) wait(stop);
    const auto& plan = dynamic_cast<const BarnPlan&>(*request.plan);
    const Machine machine = machine_from(*request.machine);
    return std::make_shared<MillLayer>(
        grind(layer, machine, fine, plan.shelves[static_cast<std::size_t>(request.layer)]), machine);
  }

  std::shared_ptr<const target::LinkedNetwork> link(const target::NetworkRequest& request, const target::NetworkPlan*,
                                                    const target::CompiledLayers& layers, target::PassCache&,
                                                    const std::stop_token& stop) const override {
    throw_if_stopped(stop);
    const Machine machine = machine_from(*request.machine);
    std::vector<Grinding> day;
    target::CompiledLayers linked;
    for (const auto& layer : layers) {
      linked.push_back(layer);
      if (!layer->mapped()) continue;
      Grinding now = dynamic_cast<const MillLayer&>(*layer).grindings().front();
      if (machine.early_carts && !day.empty()) now.hidden_turns = std::min(now.cart_turns, day.back().stone_turns);
      day.push_back(now);
      linked.back() = std::make_shared<MillLayer>(now, machine);
    }
    return std::make_shared<LinkedMill>(std::move(day), machine, total_of(linked), linked);
  }

  artifact::Metrics total(const target::CompiledLayers& layers, const arch::ParameterValues&) const override {
    return total_of(layers);
  }

  artifact::Roofline roofline(const network::Network& network, const target::CompiledLayers& layers,
                              const arch::ParameterValues& values) const override {
    const Machine machine = machine_from(values);
    artifact::Roofline result;
    result.roofs = {{"stones", 2.0 * machine.stones * machine.clock_hz, 0, Origin::derived},
                    {"carts", 0, 64 * machine.clock_hz, Origin::derived}};
    for (std::size_t i = 0; i < layers.size(); ++i) {
      if (!layers[i] || !layers[i]->mapped()) continue;
      const artifact::Metrics& m = layers[i]->metrics();
      const auto bytes = static_cast<double>(m.bytes_in + m.bytes_out + m.bytes_weights);
      result.points.push_back({network.layers[i].name, static_cast<int>(i), 2.0 * static_cast<double>(m.macs) / bytes,
                               2.0 * static_cast<double>(m.macs) / m.seconds.value, Origin::derived, "mill"});
    }
    return result;
  }

  std::vector<artifact::NamedQuantity> resources(const arch::ParameterValues& values) const override {
    return {number(stone_weight, 900.0 * machine_from(values).stones)};
  }

 private:
  void wait(const std::stop_token& stop) const {
    const auto end = std::chrono::steady_clock::now() + fine_time_;
    for (throw_if_stopped(stop); std::chrono::steady_clock::now() < end; throw_if_stopped(stop))
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  std::chrono::milliseconds fine_time_;
  std::shared_ptr<const arch::MachineDescription> machine_ = machine_description();
  std::string preset_ = "mill-village";
  std::vector<target::Level> levels_ = {{"coarse", "groats"}, {"fine", "flour, which takes its time", "coarse"}};
  MillSimulationTools simulation_;
  MillMeasurementTools measurement_;
  MillProgramTools programs_;
};

}  // namespace

std::shared_ptr<const target::Target> make_mill(std::chrono::milliseconds fine_time) {
  return std::make_shared<Mill>(fine_time);
}

}  // namespace convscope::made
