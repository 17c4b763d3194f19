#include "core/nmp/artifacts/layer_metrics.h"

#include <cmath>

#include "core/nmp/artifacts/figures.h"
#include "core/nmp/cost/level_error.h"

namespace convscope::nmp {
namespace {

using artifact::Metrics;
using artifact::NamedQuantity;

constexpr const char* bound_kind = "MAC peak and data moved once";

Quantity estimate(double value, const char* unit) {
  return {value, unit, Origin::estimate};
}

NamedQuantity named(const char* key, double value) {
  return artifact::described(figure_descriptions(), key, value, Origin::estimate);
}

NamedQuantity text(const char* key, std::string_view value) {
  return {key, estimate(0, ""), std::string(value)};
}

/// "MB0, MB2".
std::string name_of(const Doubled& doubled) {
  std::string names;
  for (const auto& [is, name] :
       {std::pair{doubled.input, "MB0"}, std::pair{doubled.weights, "MB1"}, std::pair{doubled.output, "MB2"}})
    if (is) names += (names.empty() ? "" : ", ") + std::string(name);
  return names.empty() ? "none" : names;
}

std::int64_t whole(double value) {
  return std::llround(value);
}

// Terms of equation 6; the software's own time, below 5 % in the paper, is the cost of the commands.
void add_terms(Metrics& metrics, const Traffic& all, const Seconds& seconds, const Machine& machine) {
  auto& figures = metrics.target_figures;
  figures.push_back(named("bursts", static_cast<double>(all.bursts)));
  figures.push_back(named("seconds_mac", seconds.mac));
  figures.push_back(named("seconds_dram", seconds.dram()));
  figures.push_back(named("seconds_overhead", seconds.commands));
  if (machine.ring.on) figures.push_back(named("seconds_ring", seconds.ring));
  figures.push_back(named("seconds_transfer", seconds.transfer));
  figures.push_back(named("seconds_latency", seconds.latency));
  if (seconds.hidden > 0) figures.push_back(named("seconds_hidden", seconds.hidden));
  figures.push_back(named("commands", static_cast<double>(all.commands)));
}

/// The measured error of the level for the kind of runs that the tiling moves, or that there is none.
void add_error(Metrics& metrics, const Convolution& c, const Solution& s, const Machine& machine, CostLevel level) {
  const dram::Kind& dram = dram::kinds()[static_cast<std::size_t>(machine.dram.kind)];
  const bool changed = !machine.dram.changed.empty();
  const int line =
      changed ? dram_of(machine.dram).organization.line_bytes() : dram.parameters.organization.line_bytes();
  const double run = mean_run_bytes(c, machine, s.tiling, s.occupancy, s.totals);
  const RunKind kind = run_kind(run, line);
  auto& figures = metrics.target_figures;
  const auto error = level_error(machine, level, kind);
  if (!error) {
    figures.push_back(text("dram_error", "not measured"));
    figures.push_back(text("dram_error_of", "bursts of this size, latency or bandwidth"));
    return;
  }
  const auto add = [&](const char* key, double value) {
    figures.push_back(artifact::described(figure_descriptions(), key, value, Origin::simulated));
  };
  add("dram_error", error->mean);
  add("dram_error_worst", error->worst);
  figures.push_back(
      text("dram_error_of", name_of(kind) + ", " + dram.name + (changed ? " before it was changed" : "")));
}

/// Of a total: each layer's share of the DRAM time with its error.
void add_error(Metrics& total, const std::vector<Metrics>& layers) {
  double time = 0, off = 0;
  for (const Metrics& layer : layers) {
    const Quantity* error = layer.find("dram_error");
    const Quantity* dram = layer.find("seconds_dram");
    if (!error || !dram || !layer.text("dram_error").empty()) continue;
    time += dram->value;
    off += error->value * dram->value;
  }
  if (time > 0)
    total.target_figures.push_back(
        artifact::described(figure_descriptions(), "dram_error", off / time, Origin::simulated));
}

void finish(Metrics& metrics, const Seconds& seconds, const Machine& machine) {
  metrics.seconds = estimate(seconds.total(), "s");
  metrics.cycles = estimate(std::round(seconds.total() * machine.clock_hz), "cycles");
  metrics.utilization =
      estimate(seconds.total() > 0 ? static_cast<double>(metrics.macs) / (seconds.total() * machine.peak()) : 0, "");
  metrics.breakdown = {{"multiply-accumulate", whole((seconds.mac - seconds.hidden) * machine.clock_hz)},
                       {"transfer", whole(seconds.transfer * machine.clock_hz)},
                       {"DRAM latency", whole(seconds.latency * machine.clock_hz)},
                       {"commands", whole(seconds.commands * machine.clock_hz)}};
  if (machine.ring.on) metrics.breakdown.push_back({"ring", whole(seconds.ring * machine.clock_hz)});
}

double value(const Metrics& metrics, const char* key) {
  const Quantity* found = metrics.find(key);
  return found ? found->value : 0;
}

}  // namespace

artifact::Metrics layer_metrics(const Convolution& c, const Solution& s, const Machine& machine, CostLevel level) {
  Metrics metrics;
  metrics.macs = c.useful_macs();
  metrics.bytes_in = s.totals.in.bytes + s.totals.partial_loads.bytes + s.totals.residual.bytes;
  metrics.bytes_out = s.totals.out.bytes + s.totals.partial_stores.bytes;
  // The second of two operands lies in MB1, but is no weight.
  (c.multiplies() ? metrics.bytes_weights : metrics.bytes_in) += s.totals.weights.bytes;
  metrics.target_figures = {text("partition", name_of(s.tiling.partition)),
                            text("schedule", name_of(s.tiling.schedule)),
                            named("tile.TR", s.tiling.rows),
                            named("tile.TC", s.tiling.columns),
                            named("tile.TN", s.tiling.channels),
                            named("tile.TM", s.tiling.units)};
  if (machine.choose_doubled) metrics.target_figures.push_back(text("doubled", name_of(s.doubled)));
  add_terms(metrics, s.totals.all(), s.seconds, machine);
  add_error(metrics, c, s, machine, level);
  finish(metrics, s.seconds, machine);
  metrics.bound = {bound_kind, static_cast<std::int64_t>(std::floor(s.floor_seconds * machine.clock_hz * (1 - 1e-12))),
                   true};
  return metrics;
}

artifact::Metrics free_metrics(const std::string& operation) {
  Metrics metrics;
  metrics.cycles.origin = metrics.seconds.origin = metrics.utilization.origin = Origin::estimate;
  metrics.bound = {bound_kind, 0, true};
  add_operation(metrics, operation);
  return metrics;
}

void add_operation(artifact::Metrics& metrics, const std::string& operation) {
  metrics.target_figures.push_back(text("operation", operation));
}

artifact::Metrics unmapped_metrics(const network::Layer& layer) {
  Metrics metrics;
  metrics.macs = layer.macs();
  metrics.cycles.origin = metrics.seconds.origin = metrics.utilization.origin = Origin::estimate;
  return metrics;
}

artifact::Metrics total_metrics(const std::vector<artifact::Metrics>& layers, const Machine& machine) {
  Metrics total;
  Traffic all;
  Seconds seconds;
  for (const Metrics& layer : layers) {
    total.macs += layer.macs;
    total.bytes_in += layer.bytes_in;
    total.bytes_out += layer.bytes_out;
    total.bytes_weights += layer.bytes_weights;
    total.bound.cycles += layer.bound.cycles;
    all.bursts += whole(value(layer, "bursts"));
    all.commands += whole(value(layer, "commands"));
    seconds.mac += value(layer, "seconds_mac");
    seconds.transfer += value(layer, "seconds_transfer");
    seconds.latency += value(layer, "seconds_latency");
    seconds.hidden += value(layer, "seconds_hidden");
    seconds.ring += value(layer, "seconds_ring");
    seconds.commands += value(layer, "seconds_overhead");
  }
  if (!layers.empty()) {
    total.bound.kind = layers.front().bound.kind;
    total.bound.proven = true;
  }
  add_terms(total, all, seconds, machine);
  add_error(total, layers);
  finish(total, seconds, machine);
  return total;
}

}  // namespace convscope::nmp
