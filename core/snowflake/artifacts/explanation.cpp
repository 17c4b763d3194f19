#include "core/snowflake/artifacts/explanation.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace convscope::snowflake {
namespace {

using artifact::ExplainedBound;

ExplainedBound bound(const char* kind, double cycles, const Machine& machine, Origin origin, std::string text) {
  return {{kind, static_cast<std::int64_t>(std::ceil(cycles)), true},
          {cycles / machine.clock_hz, "s", origin},
          std::move(text)};
}

double bandwidth_cycles(double bytes, const Machine& machine) {
  return bytes / machine.bandwidth * machine.clock_hz;
}

std::vector<ExplainedBound> bounds_of(const MeteredLayer& layer, const Machine& machine) {
  const double macs = static_cast<double>(layer.valid_macs) / machine.macs_per_cycle();
  const auto moved = static_cast<double>(layer.run.statistics.all_bytes());
  const double streams = bandwidth_cycles(
      moved / machine.efficiency + static_cast<double>(layer.run.statistics.loads) * machine.load_cost_bytes, machine);
  std::vector<ExplainedBound> bounds{
      bound("MAC limit", macs, machine, Origin::derived,
            fmt::format("{} multiply-accumulates inside the image on {} MACs", layer.valid_macs,
                        machine.macs_per_cycle())),
      bound("bandwidth, each word once", bandwidth_cycles(static_cast<double>(layer.least_bytes), machine), machine,
            Origin::derived, "input, weights and output moved once at full bandwidth"),
      bound("bandwidth of this program", streams, machine, Origin::derived,
            fmt::format("{:.0f} bytes in {} LDs, with what each LD costs", moved, layer.run.statistics.loads))};
  bounds.back().bound.proven = false;  // another mapping moves other bytes
  std::stable_sort(bounds.begin(), bounds.end(),
                   [](const ExplainedBound& a, const ExplainedBound& b) { return a.bound.cycles > b.bound.cycles; });
  return bounds;
}

}  // namespace

std::shared_ptr<const artifact::Explanation> explain(const MeteredLayer& layer, const artifact::Metrics& metrics,
                                                     const Machine& machine, const std::vector<std::string>& remarks) {
  auto explanation = std::make_shared<artifact::Explanation>();
  explanation->bounds = bounds_of(layer, machine);
  explanation->summary = fmt::format("{} binds: {:.1f} % of the time", explanation->bounds.front().bound.kind,
                                     100 * explanation->bounds.front().seconds.value / metrics.seconds.value);
  for (const std::string& remark : remarks) explanation->summary += "; " + remark;
  return explanation;
}

std::shared_ptr<const artifact::Explanation> explain(const std::string& summary) {
  auto explanation = std::make_shared<artifact::Explanation>();
  explanation->summary = summary;
  return explanation;
}

}  // namespace convscope::snowflake
