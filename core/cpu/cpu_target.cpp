#include "core/cpu/cpu_target.h"

#include <utility>

#include "core/base/cancellation.h"
#include "core/cpu/architecture/units.h"
#include "core/cpu/artifacts/figures.h"
#include "core/cpu/artifacts/layer_metrics.h"
#include "core/cpu/compiled_layer.h"
#include "core/cpu/layers/layer_problem.h"
#include "core/cpu/measuring/measurement_tools.h"
#include "core/cpu/rank/ranking.h"
#include "core/cpu/simulate/simulation.h"
#include "core/cpu/store/store.h"
#include "core/cpu/stored/stored_runs.h"
#include "core/target/resources.h"

namespace convscope::cpu {
namespace {

using artifact::Metrics;
using artifact::Roofline;
using target::CompiledLayer;

constexpr const char* stored_level = "stored";

struct CpuPlan : target::NetworkPlan {
  StoredChoices stored;
};

artifact::RooflinePoint point_of(const network::Layer& layer, int index, const Metrics& m) {
  const Quantity* macs = m.find("method_macs");
  const double operations = operations_per_mac * (macs ? macs->value : 0);
  const auto bytes = static_cast<double>(m.bytes_in + m.bytes_out + m.bytes_weights);
  return {layer.name, index, operations / bytes, operations / m.seconds.value, m.seconds.origin, ""};
}

/// The fastest other library beside it, as if it computed what ours does: at the same intensity, so that the distance
/// is that of the times; nothing where none was measured.
std::optional<artifact::RooflinePoint> peer_point_of(artifact::RooflinePoint ours, const Metrics& m) {
  const Quantity* seconds = m.find("peer_seconds");
  if (seconds == nullptr || seconds->value <= 0) return std::nullopt;
  ours.operations_per_second *= m.seconds.value / seconds->value;
  ours.origin = seconds->origin;
  ours.series = m.text("peer");
  return ours;
}

/// The stored path in the place of the ranked one, if it still is one.
void take_stored(ChosenProgram& program, const StoredChoice& choice) {
  program.remark = choice.remark;
  program.tries = choice.tries;
  program.error_bound = choice.error_bound;
  if (choice.path.choices.empty()) return;
  Diagnostics diagnostics;
  auto nest = describe(program.problem, choice.path, diagnostics);
  if (!nest) {
    program.remark = "the stored path is none of this version's: this is the estimate";
    return;
  }
  program.path = choice.path;
  program.nest = std::move(*nest);
  program.estimate = estimate(program.nest, program.machine);
  program.run = choice.run;
}

class CpuTarget : public target::Target {
 public:
  explicit CpuTarget(std::string store) : store_(std::move(store)) {}

  const std::string& id() const override { return id_; }
  const std::string& title() const override { return title_; }
  std::shared_ptr<const arch::MachineDescription> machine() const override { return machine_; }
  const std::vector<target::Level>& levels() const override { return levels_; }
  const std::string& default_level() const override { return levels_.front().name; }
  const std::string& default_preset() const override { return preset_; }
  const std::vector<artifact::FigureDescription>& figures() const override { return figure_descriptions(); }
  const target::MeasurementTools* measurement_tools() const override { return &measurement_; }
  const target::SimulationTools* simulation_tools() const override { return &simulation_; }

  std::shared_ptr<const target::NetworkPlan> prepare(const target::NetworkRequest& request, target::PassCache&,
                                                     const std::stop_token& stop) const override {
    throw_if_stopped(stop);
    if (request.level != stored_level) return nullptr;
    std::vector<Problem> problems;
    const Machine machine = machine_from(*request.machine);
    for (const network::Layer& layer : request.network->layers) {
      std::string ignored;
      if (const auto problem = problem_of(layer, machine, ignored)) problems.push_back(*problem);
    }
    auto plan = std::make_shared<CpuPlan>();
    plan->stored = stored_choices(store_.empty() ? Store::usual_path() : store_, problems);
    return plan;
  }

  std::shared_ptr<const CompiledLayer> compile(const target::CompileRequest& request, target::PassCache& cache,
                                               const std::stop_token& stop) const override {
    throw_if_stopped(stop);
    const network::Layer& layer = request.network->layers[static_cast<std::size_t>(request.layer)];
    const Machine machine = machine_from(*request.machine);
    std::string reason;
    const auto problem = problem_of(layer, machine, reason);
    if (!problem) return make_unmapped(layer, reason);
    const target::PassRun run{cache, stop};
    const auto drawn = draw_paths(run, *problem, machine, machine.l2.bytes);
    if (!drawn->refused.empty()) return make_unmapped(layer, drawn->refused);
    const auto ranking = rank_paths(run, drawn, machine);
    const RankedPath& best = ranking->best_first.front();
    const DrawnPath& path = drawn->paths[best.drawn];
    ChosenProgram program{*problem,     machine, path.path,       path.nest,         best.estimate,
                          std::nullopt, {},      drawn.pointer(), ranking.pointer(), {}};
    if (const auto* plan = dynamic_cast<const CpuPlan*>(request.plan))
      if (const auto known = plan->stored.find(text(*problem)); known != plan->stored.end())
        take_stored(program, known->second);
    return make_mapped(layer, std::move(program));
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
    const double threads = machine.threads;
    Roofline result;
    result.roofs = {{"FMA peak", machine.peak() * threads, 0, Origin::derived}};
    const auto levels = machine.levels();
    for (std::size_t level = 0; level < levels.size(); ++level) {
      const bool memory = level + 1 == levels.size();
      if (!memory && levels[level]->bytes == 0) continue;
      result.roofs.push_back(
          {memory_names[level], 0, levels[level]->bandwidth * (memory ? 1 : threads), Origin::derived});
    }
    for (std::size_t i = 0; i < layers.size(); ++i) {
      if (!layers[i] || !layers[i]->mapped()) continue;
      const Metrics& metrics = layers[i]->metrics();
      result.points.push_back(point_of(network.layers[i], static_cast<int>(i), metrics));
      auto peer = peer_point_of(result.points.back(), metrics);
      if (!peer) continue;
      result.points.back().series = "generated";
      result.points.push_back(std::move(*peer));
    }
    return result;
  }

  // A port writes and the others read: of the caches' insides the parameters say no more.
  std::vector<artifact::NamedQuantity> resources(const arch::ParameterValues& values) const override {
    const Machine m = machine_from(values);
    constexpr double float_bits = 32, byte_bits = 8;
    const double caches = static_cast<double>(m.l1.bytes + m.l2.bytes) * m.cores + static_cast<double>(m.l3.bytes);
    const auto resource = [](const char* key, double value, Origin origin) {
      return artifact::described(target::shared_resources(), key, value, origin);
    };
    return {resource(target::mac_units, m.fmas * m.unit_bits / float_bits * m.cores, Origin::derived),
            resource(target::on_chip_bits, caches * byte_bits, Origin::derived),
            resource(target::memory_ports, (m.loads + 1) * m.cores, Origin::estimate)};
  }

 private:
  std::string store_;
  CpuMeasurementTools measurement_;
  CpuSimulationTools simulation_;
  std::string id_ = "cpu", title_ = "CPU", preset_ = "cpu-avx2";
  std::shared_ptr<const arch::MachineDescription> machine_ = machine_description();
  std::vector<target::Level> levels_ = {{"estimate", "the best path of those ranked by estimate"},
                                        {stored_level, "the best path that was measured on this host"}};
};

}  // namespace

std::shared_ptr<const target::Target> make_cpu_target(const std::string& store) {
  return std::make_shared<CpuTarget>(store);
}

}  // namespace convscope::cpu
