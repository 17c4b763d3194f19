#include "core/nmp/nmp_target.h"

#include <functional>

#include "core/base/cancellation.h"
#include "core/nmp/artifacts/alternatives.h"
#include "core/nmp/artifacts/batch.h"
#include "core/nmp/artifacts/explanation.h"
#include "core/nmp/artifacts/figures.h"
#include "core/nmp/artifacts/layer_metrics.h"
#include "core/nmp/artifacts/plan.h"
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

class UnmappedLayer : public CompiledLayer {
 public:
  using Explain = std::function<std::shared_ptr<const artifact::Explanation>()>;
  UnmappedLayer(std::string reason, Metrics metrics, Explain explain)
      : reason_(std::move(reason)), metrics_(std::move(metrics)), explain_(std::move(explain)) {}
  const std::string& reason() const override { return reason_; }
  const Metrics& metrics() const override { return metrics_; }
  std::shared_ptr<const artifact::Explanation> explanation() const override { return explain_(); }

 private:
  std::string reason_;
  Metrics metrics_;
  Explain explain_;
};

class MappedLayer : public CompiledLayer {
 public:
  MappedLayer(std::string name, const Convolution& convolution, const Machine& machine, CostLevel level,
              std::shared_ptr<const Solution> solution)
      : name_(std::move(name)),
        convolution_(convolution),
        machine_(with_doubled(machine, solution->doubled)),
        level_(level),
        solution_(std::move(solution)),
        metrics_(layer_metrics(convolution_, *solution_, machine_, level_)) {}

  const std::string& reason() const override { return solution_->reason; }
  const Metrics& metrics() const override { return metrics_; }
  artifact::BatchFigures batch(std::int64_t images) const override {
    return batch_figures(convolution_, machine_, level_, *solution_, metrics_, images);
  }
  // Where transfers are timed line by line, what the DRAM does can be looked at, too.
  int program_count() const override { return level_ == CostLevel::walk ? 2 : 1; }
  std::string program_name(int program) const override {
    return program == dram_program ? name_ + ": its DRAM, from the first store on"
                                   : name_ + ": " + tiling_text(solution_->tiling);
  }
  std::shared_ptr<const artifact::Timeline> timeline(int program) const override {
    return program == dram_program ? make_dram_timeline(convolution_, machine_, *solution_)
                                   : make_timeline(convolution_, machine_, *solution_);
  }
  std::shared_ptr<const artifact::TilePlan> tile_plan() const override {
    return make_tile_plan(convolution_, machine_, solution_->tiling);
  }
  int program_of(artifact::OperationKey operation) const override {
    return artifact::tile_operation(operation) ? 0 : -1;
  }
  std::shared_ptr<const artifact::Explanation> explanation() const override {
    return explain(convolution_, machine_, level_, solution_);
  }
  std::unique_ptr<const target::TilingTools> tiling_tools() const override {
    return make_tiling_tools(convolution_, machine_, level_, solution_);
  }

 private:
  static constexpr int dram_program = 1;

  std::string name_;
  Convolution convolution_;
  Machine machine_;
  CostLevel level_;
  std::shared_ptr<const Solution> solution_;
  Metrics metrics_;
};

std::shared_ptr<const CompiledLayer> refuse(const network::Layer& layer, const std::string& reason) {
  return std::make_shared<const UnmappedLayer>(reason, unmapped_metrics(layer), [reason] {
    artifact::Explanation explanation;
    explanation.summary = reason;
    return std::make_shared<const artifact::Explanation>(std::move(explanation));
  });
}

std::shared_ptr<const CompiledLayer> refuse(const network::Layer& layer, const Convolution& convolution,
                                            const Machine& machine, const std::string& reason) {
  return std::make_shared<const UnmappedLayer>(reason, unmapped_metrics(layer), [convolution, machine, reason] {
    return explain_refusal(convolution, machine, reason);
  });
}

// Figure 11's axes: work for each byte loaded from DRAM. Rooflines count multiplications and additions, the figure
// MACs.
constexpr double operations_per_mac = 2;

artifact::RooflinePoint point_of(const network::Layer& layer, int index, const Metrics& m) {
  const auto loaded = static_cast<double>(m.bytes_in + m.bytes_weights);
  const double operations = operations_per_mac * static_cast<double>(m.macs);
  return {layer.name, index, operations / loaded, operations / m.seconds.value, Origin::estimate, "TSO"};
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

  std::shared_ptr<const CompiledLayer> compile(const target::CompileRequest& request, target::PassCache& cache,
                                               const std::stop_token& stop) const override {
    throw_if_stopped(stop);
    const network::Layer& layer = request.network->layers[static_cast<std::size_t>(request.layer)];
    const Machine machine = machine_from(*request.machine);
    std::string reason;
    const auto convolution = convolution_of(layer, reason);
    if (!convolution) return refuse(layer, reason);
    const CostLevel level = level_of(request.level);
    auto solution = solve(*convolution, machine, {level, {}, {}}, cache, stop);
    if (!solution->reason.empty()) return refuse(layer, *convolution, machine, solution->reason);
    return std::make_shared<const MappedLayer>(layer.name, *convolution, machine, level, std::move(solution));
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
      if (layers[i] && layers[i]->mapped())
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
};

}  // namespace

std::shared_ptr<const target::Target> make_nmp_target() {
  return std::make_shared<NmpTarget>();
}

}  // namespace convscope::nmp
