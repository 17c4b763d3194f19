#include "core/snowflake/artifacts/layer_metrics.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/snowflake/artifacts/figures.h"

namespace convscope::snowflake {
namespace {

using artifact::Metrics;
using artifact::NamedQuantity;

struct CountedFigure {
  const char* key;
  double (*of)(const MeteredLayer& layer);
};

template <VectorStall cause>
double stalled(const MeteredLayer& layer) {
  return static_cast<double>(layer.run.statistics.stalled(cause));
}

template <ControlStall cause>
double waited(const MeteredLayer& layer) {
  return static_cast<double>(layer.run.statistics.stalled(cause));
}

template <std::int64_t RunStatistics::*member>
double counted(const MeteredLayer& layer) {
  return static_cast<double>(layer.run.statistics.*member);
}

/// Figures of which a network has the sum over its layers.
constexpr std::array counted_figures{
    CountedFigure{"valid_macs", [](const MeteredLayer& layer) { return static_cast<double>(layer.valid_macs); }},
    CountedFigure{"bytes_instructions",
                  [](const MeteredLayer& layer) {
                    return static_cast<double>(layer.run.statistics.traffic(Traffic::instructions));
                  }},
    CountedFigure{"stall_data", stalled<VectorStall::data>},
    CountedFigure{"stall_bookkeeping", stalled<VectorStall::bookkeeping>},
    CountedFigure{"stall_instruction_bank", stalled<VectorStall::instruction_bank>},
    CountedFigure{"stall_load_unit", stalled<VectorStall::load_unit>},
    CountedFigure{"stall_store", stalled<VectorStall::store>},
    CountedFigure{"stall_gather", stalled<VectorStall::gather>},
    CountedFigure{"control_raw", waited<ControlStall::raw>},
    CountedFigure{"control_queue", waited<ControlStall::queue_full>},
    CountedFigure{"load_instructions", counted<&RunStatistics::loads>},
    CountedFigure{"vector_instructions", counted<&RunStatistics::vector_instructions>},
    CountedFigure{"issued_instructions", counted<&RunStatistics::instructions>},
    CountedFigure{"code_instructions", [](const MeteredLayer& layer) { return static_cast<double>(layer.code); }}};

NamedQuantity named(const char* key, double value, Origin origin = Origin::simulated) {
  return artifact::described(figure_descriptions(), key, value, origin);
}

NamedQuantity text(const char* key, std::string_view value) {
  return {key, {0, "", Origin::derived}, std::string(value)};
}

double value(const Metrics& metrics, const char* key) {
  const Quantity* found = metrics.find(key);
  return found ? found->value : 0;
}

std::vector<artifact::BreakdownPart> breakdown(const LayerRun& run) {
  static constexpr std::array<const char*, vector_stalls> names{"waiting for data",         "bookkeeping",
                                                                "waiting for instructions", "load units full",
                                                                "waiting for stores",       "gather adder"};
  std::vector<artifact::BreakdownPart> parts{{"multiply-accumulate", std::llround(run.period.busy_cycles)}};
  std::int64_t rest = std::llround(run.cycles) - parts.front().cycles;
  for (std::size_t cause = 0; cause < vector_stalls; ++cause) {
    parts.push_back({names[cause], std::llround(run.period.idle_cycles[cause])});
    rest -= parts.back().cycles;
  }
  parts.push_back({"storing the last outputs", std::max<std::int64_t>(0, rest)});
  return parts;
}

/// What follows from MACs, seconds and bytes.
void finish(Metrics& metrics, double cycles, double valid_macs, const Machine& machine) {
  metrics.cycles = {std::round(cycles), "cycles", Origin::simulated};
  metrics.seconds = {cycles / machine.clock_hz, "s", Origin::simulated};
  const double share = cycles > 0 ? valid_macs / machine.macs_per_cycle() / cycles : 0;
  metrics.utilization = {share, "", Origin::simulated};
  const auto bytes = static_cast<double>(metrics.bytes_in + metrics.bytes_out + metrics.bytes_weights);
  metrics.target_figures.push_back(named("used_bandwidth", cycles > 0 ? bytes / metrics.seconds.value : 0));
}

artifact::Bound bound_of(const MeteredLayer& layer, const Machine& machine) {
  const double macs = static_cast<double>(layer.valid_macs) / machine.macs_per_cycle();
  const double bytes = static_cast<double>(layer.least_bytes) / machine.bandwidth * machine.clock_hz;
  return {macs >= bytes ? "MAC limit" : "bandwidth", static_cast<std::int64_t>(std::ceil(std::max(macs, bytes))),
          !layer.overlaps};
}

}  // namespace

artifact::Metrics layer_metrics(const MeteredLayer& layer, const DecisionTexts& texts, const Machine& machine) {
  const RunStatistics& run = layer.run.statistics;
  Metrics metrics;
  metrics.macs = layer.macs;
  metrics.bytes_in = run.traffic(Traffic::maps) + run.traffic(Traffic::bypass);
  metrics.bytes_out = run.traffic(Traffic::outputs);
  metrics.bytes_weights = run.traffic(Traffic::kernels);
  metrics.verified = layer.verified;
  metrics.bound = bound_of(layer, machine);
  if (!texts.mac_mode.empty())
    metrics.target_figures = {text("mac_mode", texts.mac_mode), text("broadcast_to_cus", texts.broadcast),
                              text("tile_loop", texts.loop),
                              named("kernels_per_vmac", texts.kernels_per_vmac, Origin::derived)};
  metrics.target_figures.push_back(named("tile_rows", texts.tile_rows, Origin::derived));
  finish(metrics, layer.run.cycles, static_cast<double>(layer.valid_macs), machine);
  for (const CountedFigure& figure : counted_figures)
    metrics.target_figures.push_back(named(figure.key, figure.of(layer)));
  metrics.target_figures.push_back(named("load_imbalance", layer.imbalance));
  metrics.breakdown = breakdown(layer.run);
  return metrics;
}

artifact::Metrics folded_metrics(std::int64_t macs) {
  Metrics metrics;
  metrics.macs = macs;
  metrics.cycles.origin = metrics.seconds.origin = metrics.utilization.origin = Origin::derived;
  return metrics;
}

artifact::Metrics total_metrics(const std::vector<Metrics>& layers, const Machine& machine) {
  Metrics total;
  double seconds = 0, imbalance = 0;
  total.verified = !layers.empty();
  for (const Metrics& layer : layers) {
    total.macs += layer.macs;
    total.bytes_in += layer.bytes_in;
    total.bytes_out += layer.bytes_out;
    total.bytes_weights += layer.bytes_weights;
    total.bound.cycles += layer.bound.cycles;
    total.verified = total.verified && (layer.verified || layer.cycles.value == 0);
    seconds += layer.seconds.value;
    imbalance += value(layer, "load_imbalance") * value(layer, "load_instructions");
    for (const artifact::BreakdownPart& part : layer.breakdown) {
      const auto known = std::find_if(total.breakdown.begin(), total.breakdown.end(),
                                      [&](const artifact::BreakdownPart& p) { return p.name == part.name; });
      if (known == total.breakdown.end())
        total.breakdown.push_back(part);
      else
        known->cycles += part.cycles;
    }
  }
  total.bound.kind = "each layer's own";
  total.bound.proven = layers.size() == 1 && layers.front().bound.proven;
  for (const CountedFigure& figure : counted_figures) {
    double sum = 0;
    for (const Metrics& layer : layers) sum += value(layer, figure.key);
    total.target_figures.push_back(named(figure.key, sum));
  }
  finish(total, seconds * machine.clock_hz, value(total, "valid_macs"), machine);
  const double loads = value(total, "load_instructions");
  total.target_figures.push_back(named("load_imbalance", loads > 0 ? imbalance / loads : 0));
  return total;
}

}  // namespace convscope::snowflake
