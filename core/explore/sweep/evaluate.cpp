#include "core/explore/sweep/evaluate.h"

#include <fmt/format.h>

#include "core/engine/engine.h"
#include "core/explore/sweep/callers_thread.h"

namespace convscope::explore {
namespace {

Figures figures_of(const engine::CompiledNetwork& compiled) {
  const artifact::Metrics& m = compiled.total;
  Figures figures;
  figures.seconds = m.seconds.value;
  figures.cycles = m.cycles.value;
  figures.utilization = m.utilization.value;
  figures.macs = static_cast<double>(m.macs);
  figures.bytes_in = static_cast<double>(m.bytes_in);
  figures.bytes_out = static_cast<double>(m.bytes_out);
  figures.bytes_weights = static_cast<double>(m.bytes_weights);
  figures.coverage = compiled.coverage;
  figures.seconds_origin = m.seconds.origin;
  figures.cycles_origin = m.cycles.origin;
  figures.utilization_origin = m.utilization.origin;
  figures.verified = m.verified;
  return figures;
}

Cost cost_of(const target::Target& target, const arch::ParameterValues& machine) {
  Cost cost;
  for (const artifact::NamedQuantity& item : target.resources(machine)) {
    if (item.key == "mac_units") cost.mac_units = item.quantity.value;
    if (item.key == "on_chip_bits") cost.on_chip_bits = item.quantity.value;
    if (item.key == "instruction_bits") cost.instruction_bits = item.quantity.value;
    if (item.key == "memory_ports") cost.memory_ports = item.quantity.value;
  }
  return cost;
}

// Layers without MACs are left out of coverage, so they are no reason either.
std::string first_reason(const engine::CompiledNetwork& compiled) {
  for (std::size_t i = 0; i < compiled.layers.size(); ++i) {
    const network::Layer& layer = compiled.network->layers[i];
    if (layer.macs() > 0 && !compiled.layers[i]->mapped())
      return fmt::format("layer '{}': {}", layer.name, compiled.layers[i]->reason());
  }
  return {};
}

}  // namespace

Figures weighted_total(const std::vector<WeightedNetwork>& networks, const std::vector<Figures>& figures) {
  Figures total;
  total.verified = !figures.empty();
  double mapped = 0, all = 0;
  total.seconds_origin = total.cycles_origin = total.utilization_origin = Origin::measured;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    const Figures& f = figures[i];
    const double weight = networks[i].weight, macs = static_cast<double>(networks[i].network->macs());
    total.seconds += weight * f.seconds;
    total.cycles += weight * f.cycles;
    total.utilization += weight * f.utilization * f.cycles;
    total.macs += weight * f.macs;
    total.bytes_in += weight * f.bytes_in;
    total.bytes_out += weight * f.bytes_out;
    total.bytes_weights += weight * f.bytes_weights;
    mapped += weight * f.coverage.value_or(0) * macs;
    all += weight * macs;
    total.seconds_origin = weaker(total.seconds_origin, f.seconds_origin);
    total.cycles_origin = weaker(total.cycles_origin, f.cycles_origin);
    total.utilization_origin = weaker(total.utilization_origin, f.utilization_origin);
    total.verified = total.verified && f.verified;
  }
  total.utilization = total.cycles > 0 ? total.utilization / total.cycles : 0;
  total.coverage = artifact::coverage_of(mapped, all);
  return total;
}

PointResult evaluate(const Space& space, const Point& point, target::PassCache& cache, const std::stop_token& stop) {
  PointResult result;
  result.point = point.index;
  if (!point.removed.empty()) {
    result.status = PointStatus::removed;
    result.reason = point.removed;
    return result;
  }
  const Family& family = space.families[point.family];
  CallersThread executor;
  for (const WeightedNetwork& item : space.networks) {
    engine::Request request{item.network,
                            family.target,
                            point.machine,
                            family.levels[point.level],
                            family.presets[point.preset].name,
                            0,
                            {}};
    const engine::CompiledNetwork compiled = engine::compile(request, executor, cache, stop);
    result.networks.push_back(figures_of(compiled));
    if (result.reason.empty()) result.reason = first_reason(compiled);
  }
  // A single network's figures stay as they are: products and quotients would only round them.
  result.total = result.networks.size() == 1 && space.networks.front().weight == 1
                     ? result.networks.front()
                     : weighted_total(space.networks, result.networks);
  result.cost = cost_of(*family.target, point.machine);
  return result;
}

}  // namespace convscope::explore
