#include "core/explore/sweep/evaluate.h"

#include <fmt/format.h>

#include "core/analysis/compare_figures.h"
#include "core/engine/faults.h"
#include "core/explore/sweep/callers_thread.h"

namespace convscope::explore {
namespace {

// Counts of MACs and bytes carry no origin of their own.
Noted note(const artifact::Metrics& metrics, const std::string& key) {
  if (const Quantity* found = metrics.find(key)) return {found->value, found->origin};
  const auto count = analysis::figure(metrics, key);
  return count ? Noted{count->value} : Noted{};
}

Figures figures_of(const engine::CompiledNetwork& compiled, const Outcomes& outcomes) {
  Figures figures;
  figures.values.reserve(outcomes.figures.size());
  for (const artifact::FigureDescription& each : outcomes.figures)
    figures.values.push_back(note(compiled.total, each.key));
  figures.coverage = compiled.coverage;
  figures.verified = compiled.total.verified;
  return figures;
}

std::vector<std::optional<double>> costs_of(const target::Target& target, const arch::ParameterValues& machine,
                                            const Outcomes& outcomes) {
  std::vector<std::optional<double>> costs(outcomes.costs.size());
  for (const artifact::NamedQuantity& item : target.resources(machine))
    if (const auto* cost = artifact::find_figure(outcomes.costs, item.key))
      costs[static_cast<std::size_t>(cost - outcomes.costs.data())] = item.quantity.value;
  return costs;
}

// Layers without MACs are left out of coverage, so they are no reason either; those of unknown MACs are.
std::string first_reason(const engine::CompiledNetwork& compiled) {
  for (std::size_t i = 0; i < compiled.layers.size(); ++i) {
    const network::Layer& layer = compiled.network->layers[i];
    const bool counts = layer.macs() > 0 || !layer.macs_known();
    if (counts && !compiled.layers[i]->mapped())
      return fmt::format("layer '{}': {}", layer.name, compiled.layers[i]->reason());
  }
  return {};
}

/// As coverage counts them: each layer as often as it runs.
double all_macs(const network::Network& network) {
  double macs = 0;
  for (const network::Layer& layer : network.layers)
    macs += static_cast<double>(layer.macs()) * static_cast<double>(layer.images);
  return macs;
}

/// A sum, or of a ratio the mean by cycles; nothing if a network has no value.
Noted weighted(const std::vector<WeightedNetwork>& networks, const std::vector<Figures>& figures, std::size_t index,
               bool ratio, std::size_t cycles) {
  double sum = 0, all_cycles = 0;
  Origin origin = Origin::measured;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    const Noted& each = figures[i].values[index];
    if (!each.value) return {};
    const double weight = networks[i].weight, of_cycles = figures[i].values[cycles].value.value_or(0);
    sum += ratio ? weight * *each.value * of_cycles : weight * *each.value;
    all_cycles += weight * of_cycles;
    origin = weaker(origin, each.origin);
  }
  if (ratio) sum = all_cycles > 0 ? sum / all_cycles : 0;
  return {sum, origin};
}

}  // namespace

Figures weighted_total(const std::vector<WeightedNetwork>& networks, const std::vector<Figures>& figures,
                       const Outcomes& outcomes) {
  Figures total;
  total.verified = !figures.empty();
  double mapped = 0, all = 0;
  bool known = true;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    const double weight = networks[i].weight, macs = all_macs(*networks[i].network);
    known = known && figures[i].coverage;
    mapped += weight * figures[i].coverage.value_or(0) * macs;
    all += weight * macs;
    total.verified = total.verified && figures[i].verified;
  }
  total.coverage = known ? artifact::coverage_of(mapped, all) : std::nullopt;
  const auto* cycles = artifact::find_figure(outcomes.figures, "cycles");
  for (const artifact::FigureDescription& each : outcomes.figures)
    total.values.push_back(weighted(networks, figures, static_cast<std::size_t>(&each - outcomes.figures.data()),
                                    each.ratio, static_cast<std::size_t>(cycles - outcomes.figures.data())));
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
    if (const auto faults = engine::faults(compiled); !faults.empty())
      return {point.index, PointStatus::failed, target::fault_reason(faults.front().text()), {}, {}, {}};
    result.networks.push_back(figures_of(compiled, space.outcomes));
    if (result.reason.empty()) result.reason = first_reason(compiled);
  }
  // A single network's figures stay as they are: products and quotients would only round them.
  result.total = result.networks.size() == 1 && space.networks.front().weight == 1
                     ? result.networks.front()
                     : weighted_total(space.networks, result.networks, space.outcomes);
  result.costs = costs_of(*family.target, point.machine, space.outcomes);
  return result;
}

}  // namespace convscope::explore
