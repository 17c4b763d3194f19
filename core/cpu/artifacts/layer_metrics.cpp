#include "core/cpu/artifacts/layer_metrics.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/cpu/architecture/units.h"
#include "core/cpu/artifacts/figures.h"

namespace convscope::cpu {
namespace {

using artifact::Metrics;
using artifact::NamedQuantity;

/// Figures of which a network has the sum over its layers.
constexpr std::array summed_figures{"bytes_l1", "bytes_l2", "bytes_l3", "bytes_dram", "valid_macs", "method_macs"};

NamedQuantity named(const char* key, double value, Origin origin) {
  return artifact::described(figure_descriptions(), key, value, origin);
}

NamedQuantity text(const char* key, std::string value, Origin origin) {
  return {key, {0, "", origin}, std::move(value)};
}

double value(const Metrics& metrics, const char* key) {
  const Quantity* found = metrics.find(key);
  return found ? found->value : 0;
}

std::int64_t tensor_bytes(const char* order, const flyte::Storage& storage, const Extents& extents) {
  return bytes({order, 0, 1, storage}, extents);
}

std::string method(const Nest& nest) {
  return fmt::format("{} {}x{}", nest.microkernel, nest.pixels, nest.vectors);
}

/// The part that binds, what the others add, and beside them calls of the microkernel, copies, and waits for weights.
std::vector<artifact::BreakdownPart> breakdown(const ChosenProgram& program) {
  const double clock = program.machine.clock_hz;
  const auto cycles = [&](double seconds) { return std::llround(seconds * clock); };
  const Estimate& e = program.estimate;
  if (program.run) {
    const double operations = operations_per_mac * program.method_macs();
    const double least = std::min(operations / program.peak(), program.run->seconds);
    return {{"multiply-accumulate", cycles(least)}, {"everything else", cycles(program.run->seconds - least)}};
  }
  std::vector<artifact::BreakdownPart> parts;
  for (std::size_t i = 0; i < estimate_parts; ++i) parts.push_back({part_names[i], cycles(e.shown(i))});
  parts.push_back({"calls, buffers and waits", cycles(e.calls + e.copying + e.waiting)});
  return parts;
}

void add_speed(Metrics& metrics, double operations, Origin origin) {
  const double seconds = metrics.seconds.value;
  metrics.target_figures.push_back(named("gflops", seconds > 0 ? operations / seconds / giga : 0, origin));
}

/// Where somebody has said what a byte takes.
void add_energy(Metrics& metrics, const std::array<double, 4>& bytes, const CpuMachine& machine) {
  double energy = 0;
  const auto levels = machine.levels();
  for (std::size_t level = 0; level < levels.size(); ++level) energy += bytes[level] * levels[level]->energy;
  if (energy > 0) metrics.target_figures.push_back(named("energy", energy, Origin::estimate));
}

void add_peer_time(Metrics& metrics, double seconds, double ours) {
  metrics.target_figures.push_back(named("peer_seconds", seconds, Origin::measured));
  metrics.target_figures.push_back(named("peer_ratio", ours > 0 ? seconds / ours : 0, Origin::measured));
}

/// Of a network all of whose layers were compared: the fastest library for each.
void add_peer_total(Metrics& total, const std::vector<Metrics>& layers) {
  double seconds = 0;
  for (const Metrics& layer : layers) {
    if (layer.find("peer_seconds") == nullptr) return;
    seconds += value(layer, "peer_seconds");
  }
  if (seconds > 0) add_peer_time(total, seconds, total.seconds.value);
}

void add_run(Metrics& metrics, const StoredRun& run) {
  metrics.target_figures.push_back(named("error", run.error, Origin::measured));
  metrics.target_figures.push_back(named("samples", run.samples, Origin::measured));
  metrics.target_figures.push_back(text("host", run.host, Origin::measured));
  if (run.peers.empty()) return;
  const StoredPeer& fastest = run.peers.front();
  metrics.target_figures.push_back(text("peer", fastest.name, Origin::measured));
  add_peer_time(metrics, fastest.seconds, run.seconds);
}

}  // namespace

double ChosenProgram::peak() const {
  const double one = run && run->peak > 0 ? run->peak : machine.peak();
  return one * std::clamp(nest.threads, 1, machine.cores);
}

double ChosenProgram::method_macs() const {
  const NestTransforms& transforms = nest.transforms;
  if (transforms.products == 0) return static_cast<double>(valid_macs(problem));
  return transforms.products * nest.fma_lanes + transforms.fmas * nest.lanes;
}

artifact::Metrics layer_metrics(const network::Layer& layer, const ChosenProgram& program) {
  const Problem& problem = program.problem;
  const Estimate& e = program.estimate;
  const Origin origin = program.origin();
  const auto valid = static_cast<double>(valid_macs(problem));
  const double operations = operations_per_mac * program.method_macs(), seconds = program.seconds();
  Metrics metrics;
  metrics.macs = layer.macs();
  metrics.seconds = {seconds, "s", origin};
  metrics.cycles = {std::round(seconds * program.machine.clock_hz), "cycles", origin};
  metrics.utilization = {operations / (seconds * program.peak()), "", origin};
  metrics.bytes_in = tensor_bytes("HWC", problem.stored.image, problem.image());
  metrics.bytes_out = tensor_bytes("HWM", problem.stored.output, problem.output());
  metrics.bytes_weights = program.nest.transforms.products > 0
                              ? program.nest.transforms.kernel_bytes
                              : tensor_bytes("MYXC", problem.stored.weights, problem.kernel());
  const double least = std::floor(operations / program.peak() * program.machine.clock_hz * (1 - 1e-12));
  metrics.bound = {"FMA peak", static_cast<std::int64_t>(std::min(least, metrics.cycles.value)), true};
  metrics.breakdown = breakdown(program);
  metrics.target_figures = {text("method", method(program.nest), Origin::derived),
                            text("path", json(program.path), Origin::derived)};
  add_speed(metrics, operations_per_mac * valid, origin);
  metrics.target_figures.push_back(text("roof", part_names[e.binds], Origin::estimate));
  metrics.target_figures.push_back(
      named("temp_bytes", static_cast<double>(program.nest.temporary_bytes), Origin::derived));
  for (std::size_t level = 0; level < e.bytes.size(); ++level)
    metrics.target_figures.push_back(named(summed_figures[level], e.bytes[level], Origin::estimate));
  add_energy(metrics, e.bytes, program.machine);
  metrics.target_figures.push_back(named("spilled", e.spilled, Origin::estimate));
  metrics.target_figures.push_back(named("valid_macs", valid, Origin::derived));
  metrics.target_figures.push_back(named("method_macs", program.method_macs(), Origin::derived));
  if (program.run) add_run(metrics, *program.run);
  return metrics;
}

artifact::Metrics unmapped_metrics(const network::Layer& layer) {
  Metrics metrics;
  metrics.macs = layer.macs();
  metrics.cycles.origin = metrics.seconds.origin = metrics.utilization.origin = Origin::estimate;
  return metrics;
}

artifact::Metrics total_metrics(const std::vector<Metrics>& layers, const Machine& machine) {
  Metrics total;
  double at_peak = 0, temporary = 0;
  Origin origin = layers.empty() ? Origin::estimate : Origin::measured;
  for (const Metrics& layer : layers) {
    origin = weaker(origin, layer.seconds.origin);
    total.macs += layer.macs;
    total.bytes_in += layer.bytes_in;
    total.bytes_out += layer.bytes_out;
    total.bytes_weights += layer.bytes_weights;
    total.bound.cycles += layer.bound.cycles;
    total.seconds.value += layer.seconds.value;
    at_peak += layer.seconds.value * layer.utilization.value;
    temporary = std::max(temporary, value(layer, "temp_bytes"));
  }
  total.bound.kind = "FMA peak";
  total.bound.proven = !layers.empty();
  total.seconds.origin = total.cycles.origin = total.utilization.origin = origin;
  total.cycles.value = std::round(total.seconds.value * machine.clock_hz);
  total.utilization.value = total.seconds.value > 0 ? at_peak / total.seconds.value : 0;
  for (const char* key : summed_figures) {
    double sum = 0;
    for (const Metrics& layer : layers) sum += value(layer, key);
    total.target_figures.push_back(named(key, sum, Origin::estimate));
  }
  add_energy(total,
             {value(total, "bytes_l1"), value(total, "bytes_l2"), value(total, "bytes_l3"), value(total, "bytes_dram")},
             machine);
  add_speed(total, operations_per_mac * value(total, "valid_macs"), origin);
  // One layer after the other: the memory of the one that needs most serves all.
  total.target_figures.push_back(named("temp_bytes", temporary, Origin::derived));
  add_peer_total(total, layers);
  return total;
}

}  // namespace convscope::cpu
