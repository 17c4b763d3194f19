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

std::string counted(double value, const char* unit) {
  return format_quantity({value, unit, Origin::simulated});
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
            fmt::format("{} inside the image on {} MACs", counted(static_cast<double>(layer.valid_macs), "MAC"),
                        machine.macs_per_cycle())),
      bound("bandwidth, each word once", bandwidth_cycles(static_cast<double>(layer.least_bytes), machine), machine,
            Origin::derived, "input, weights and output moved once at full bandwidth"),
      bound("bandwidth of this program", streams, machine, Origin::derived,
            fmt::format("{} in {} LDs, with what each LD costs", counted(moved, "byte"), layer.run.statistics.loads))};
  bounds.back().bound.proven = false;  // another mapping moves other bytes
  for (ExplainedBound& each : bounds) each.bound.proven = each.bound.proven && !layer.overlaps;
  std::stable_sort(bounds.begin(), bounds.end(),
                   [](const ExplainedBound& a, const ExplainedBound& b) { return a.bound.cycles > b.bound.cycles; });
  return bounds;
}

artifact::RejectedAlternative rejected(const Alternative& a, double mac_seconds, const Machine& machine) {
  if (!a.refused.empty()) return {a.name, false, {0, "s", Origin::estimate}, a.refused};
  const std::string moved = fmt::format("moves {:.2f} MB, asks for {:.2f} GB/s", a.bytes / 1e6, a.bandwidth / 1e9);
  if (a.cycles > 0) return {a.name, true, {a.cycles / machine.clock_hz, "s", Origin::simulated}, moved};
  return {a.name,
          true,
          {std::max(mac_seconds, a.bytes / machine.bandwidth), "s", Origin::estimate},
          moved + "; not timed at this level: bounded by MACs and bytes"};
}

std::vector<artifact::RejectedAlternative> rejected_of(const Choice& choice, double mac_seconds,
                                                       const Machine& machine) {
  std::vector<artifact::RejectedAlternative> others;
  for (std::size_t i = 0; i < choice.alternatives.size(); ++i)
    if (static_cast<int>(i) != choice.chosen) others.push_back(rejected(choice.alternatives[i], mac_seconds, machine));
  std::stable_sort(others.begin(), others.end(), [](const auto& a, const auto& b) {
    return a.fits != b.fits ? a.fits : a.seconds.value < b.seconds.value;
  });
  return others;
}

}  // namespace

std::shared_ptr<const artifact::Explanation> explain(const MeteredLayer& layer, const artifact::Metrics& metrics,
                                                     const Machine& machine, const Choice& choice,
                                                     const std::vector<std::string>& remarks) {
  auto explanation = std::make_shared<artifact::Explanation>();
  explanation->bounds = bounds_of(layer, machine);
  explanation->summary = fmt::format("{} binds: {:.1f} % of the time", explanation->bounds.front().bound.kind,
                                     100 * explanation->bounds.front().seconds.value / metrics.seconds.value);
  explanation->rejected = rejected_of(choice, static_cast<double>(layer.valid_macs) / machine.peak(), machine);
  for (const std::string& remark : remarks) explanation->summary += "; " + remark;
  return explanation;
}

std::shared_ptr<const artifact::Explanation> explain(const std::string& summary) {
  auto explanation = std::make_shared<artifact::Explanation>();
  explanation->summary = summary;
  return explanation;
}

}  // namespace convscope::snowflake
