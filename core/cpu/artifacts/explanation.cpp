#include "core/cpu/artifacts/explanation.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace convscope::cpu {
namespace {

using artifact::ExplainedBound;

constexpr std::size_t shown_alternatives = 8;

std::string bytes_text(double bytes) {
  return format_quantity({bytes, "byte", Origin::estimate});
}

std::string part_text(const ChosenProgram& program, std::size_t part) {
  const Estimate& e = program.estimate;
  const Nest& nest = program.nest;
  switch (part) {
    case 0:
      return fmt::format("{:.4g} FMAs of {} lanes, {:.4g} a cycle", nest.iterations * nest.body.fmas, nest.lanes,
                         program.machine.vector_fmas(nest.lanes));
    case 1:
      return fmt::format("in a body {} loads of vectors and {} of one element for {} FMAs{}", nest.body.loads,
                         nest.body.broadcasts, nest.body.fmas,
                         e.spilled > 0 ? fmt::format("; {:.0f} registers are spilled", e.spilled) : "");
    case 2:
      return fmt::format("all instructions, {} a cycle", program.machine.issue);
    case 3:
      return fmt::format("{} sums that don't wait for one another, {} cycles each", nest.body.chains,
                         program.machine.latency);
    default:
      return fmt::format("{} moved", bytes_text(e.bytes[part - 4]));
  }
}

std::vector<ExplainedBound> bounds_of(const ChosenProgram& program) {
  std::vector<ExplainedBound> bounds;
  for (std::size_t part = 0; part < estimate_parts; ++part) {
    const double seconds = program.estimate.parts[part];
    const auto cycles = static_cast<std::int64_t>(seconds * program.machine.clock_hz);
    bounds.push_back({{part_names[part], cycles, false}, {seconds, "s", Origin::estimate}, part_text(program, part)});
  }
  std::stable_sort(bounds.begin(), bounds.end(),
                   [](const auto& a, const auto& b) { return a.seconds.value > b.seconds.value; });
  return bounds;
}

std::vector<artifact::RejectedAlternative> next_best(const ChosenProgram& program) {
  std::vector<artifact::RejectedAlternative> others;
  if (!program.ranking || !program.drawn) return others;
  for (const RankedPath& each : program.ranking->best_first) {
    const DrawnPath& drawn = program.drawn->paths[each.drawn];
    if (drawn.path == program.path) continue;
    others.push_back({fmt::format("{} {}x{}", drawn.nest.microkernel, drawn.nest.pixels, drawn.nest.vectors),
                      true,
                      {each.estimate.seconds, "s", Origin::estimate},
                      fmt::format("{} binds; {}", part_names[each.estimate.binds], json(drawn.path))});
    if (others.size() == shown_alternatives) break;
  }
  return others;
}

}  // namespace

std::shared_ptr<const artifact::Explanation> explain(const ChosenProgram& program) {
  auto explanation = std::make_shared<artifact::Explanation>();
  explanation->bounds = bounds_of(program);
  const Estimate& e = program.estimate;
  explanation->summary =
      fmt::format("{} binds: {:.1f} % of the estimated time", part_names[e.binds], 100 * e.parts[e.binds] / e.seconds);
  if (program.run)
    explanation->summary += fmt::format("; measured {} on {}, {:.2f} of it estimated",
                                        format_quantity({program.run->seconds, "s", Origin::measured}),
                                        program.run->host, e.seconds / program.run->seconds);
  for (const StoredPeer& peer : program.run ? program.run->peers : std::vector<StoredPeer>{})
    explanation->summary += fmt::format("; {} takes {:.2f} of its time ({})", peer.name,
                                        peer.seconds / program.run->seconds, peer.implementation);
  if (!program.remark.empty()) explanation->summary += "; " + program.remark;
  explanation->rejected = next_best(program);
  return explanation;
}

std::shared_ptr<const artifact::Explanation> explain(const std::string& summary) {
  auto explanation = std::make_shared<artifact::Explanation>();
  explanation->summary = summary;
  return explanation;
}

}  // namespace convscope::cpu
