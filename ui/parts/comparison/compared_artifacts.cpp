// Which figures of a layer and its artifacts are compared above its pictures.

#include <algorithm>

#include "core/target/target.h"
#include "ui/model/baseline_difference.h"
#include "ui/model/shown_run.h"
#include "ui/parts/comparison/comparison_line.h"
#include "ui/parts/drawing.h"

namespace convscope::ui {
namespace {

using analysis::FigureDifference;
using target::CompiledLayer;
using Count = std::optional<std::int64_t>;

/// A count of an artifact, both times from the generated program.
FigureDifference counted(const std::string& key, const std::string& label, Count now, Count before,
                         artifact::Better better = artifact::Better::neutral) {
  const auto quantity = [](Count count) {
    return count ? std::optional(Quantity{static_cast<double>(*count), "", Origin::derived}) : std::nullopt;
  };
  return analysis::difference({.key = key, .label = label, .better = better}, quantity(now), quantity(before));
}

template <typename Artifact, typename Counter>
Count count_of(const std::shared_ptr<const Artifact>& artifact, Counter counter) {
  return artifact ? Count(counter(*artifact)) : std::nullopt;
}

std::int64_t operations_of(const artifact::TaskGraph& graph) {
  return static_cast<std::int64_t>(graph.operations.size());
}

Count used_words(const artifact::MemoryMap& map, const std::string& memory) {
  const auto found = std::find_if(map.memories.begin(), map.memories.end(),
                                  [&](const artifact::Memory& each) { return each.name == memory; });
  return found == map.memories.end() ? std::nullopt : Count(found->used);
}

/// The strategy and the tile's size are words.
FigureDifference named_plans(const artifact::TilePlan& now, const artifact::TilePlan& before) {
  FigureDifference difference;
  difference.key = difference.label = "tiling";
  difference.text = now.title();
  difference.reference_text = before.title();
  difference.verdict = now.title() == before.title() ? analysis::Verdict::same : analysis::Verdict::changed;
  return difference;
}

std::vector<FigureDifference> memories(const artifact::MemoryMap& now, const artifact::MemoryMap& before) {
  std::vector<FigureDifference> differences;
  for (const artifact::Memory& memory : now.memories)
    differences.push_back(
        counted("words", memory.name + ", words", Count(memory.used), used_words(before, memory.name)));
  return differences;
}

/// A layer's only program is the same whatever its name says, e.g. of its tiling.
bool have_same_program(const CompiledLayer& now, const CompiledLayer& before, int program) {
  if (now.program_count() == 1 && before.program_count() == 1) return true;
  return program < before.program_count() && now.program_name(program) == before.program_name(program);
}

/// What can be counted in the artifacts themselves; of programs only where both layers have the same one.
std::vector<FigureDifference> counts(const CompiledLayer& now, const CompiledLayer& before, int program,
                                     ComparedArtifact artifact) {
  if (artifact == ComparedArtifact::tiling) {
    const auto plan = now.tile_plan(), other = before.tile_plan();
    if (!plan || !other) return {};
    return {counted("steps", "steps", plan->steps(), other->steps()), named_plans(*plan, *other)};
  }
  if (!have_same_program(now, before, program)) return {};
  if (artifact == ComparedArtifact::schedule) {
    const auto length = [](const artifact::Timeline& timeline) { return timeline.length(); };
    return {counted("cycles", "this run, cycles", count_of(now.timeline(program), length),
                    count_of(before.timeline(program), length), artifact::Better::less)};
  }
  if (artifact == ComparedArtifact::task_graph)
    return {counted("operations", "operations", count_of(now.task_graph(program), operations_of),
                    count_of(before.task_graph(program), operations_of))};
  if (artifact == ComparedArtifact::memory) {
    const auto map = now.memory_map(program), other = before.memory_map(program);
    return map && other ? memories(*map, *other) : std::vector<FigureDifference>{};
  }
  return {};
}

std::shared_ptr<const CompiledLayer> matching_layer(const Baseline& baseline, int layer) {
  const int other = baseline.matching_layer(layer);
  return other < 0 ? nullptr : baseline.run->layers[static_cast<std::size_t>(other)];
}

/// First the figure by which runs are compared, then those that say most about the artifact, the target's before the
/// common ones.
std::vector<std::string> compared_keys(const std::string& headline, const analysis::Figures& target_figures,
                                       ComparedArtifact artifact) {
  std::vector<std::string> keys{headline};
  for (const analysis::Figures* figures : {&target_figures, &artifact::common_figures()})
    for (const artifact::FigureDescription& figure : *figures)
      if (figure.shows(artifact)) keys.push_back(figure.key);
  return keys;
}

/// Of the layer's figures; words stand in the place of codes.
std::vector<FigureDifference> figures(const Snapshot& snapshot, const Baseline& baseline, const CompiledLayer& now,
                                      ComparedArtifact artifact) {
  std::vector<FigureDifference> chosen;
  const artifact::Metrics* before = baseline.metrics(snapshot.selection.layer);
  const auto run = shown_network(snapshot);
  if (before == nullptr || run == nullptr) return chosen;
  const analysis::Figures& of_target = run->target->figures();
  const auto all = analysis::compare_metrics(now.metrics(), *before, comparability(snapshot, baseline), of_target);
  for (const std::string& key : compared_keys(headline_key(snapshot, baseline), of_target, artifact))
    for (const FigureDifference& each : all)
      if (each.key == key && (each.value || each.reference)) chosen.push_back(each);
  return chosen;
}

}  // namespace

ComparisonLine comparison_line(const Snapshot& snapshot, ComparedArtifact artifact) {
  const Baseline* baseline = snapshot.baseline();
  const int layer = snapshot.selection.layer;
  if (baseline == nullptr || layer < 0) return {};
  ComparisonLine line{baseline->name, {}, {}};
  const auto now = snapshot.layer();
  const auto before = matching_layer(*baseline, layer);
  if (!now || !before || !now->mapped() || !before->mapped()) {
    line.obstacle = missing_difference(snapshot, *baseline, layer);
    return line;
  }
  line.differences = figures(snapshot, *baseline, *now, artifact);
  for (FigureDifference& each : counts(*now, *before, snapshot.program(), artifact)) {
    if (each.value || each.reference || !each.text.empty()) line.differences.push_back(std::move(each));
  }
  return line;
}

}  // namespace convscope::ui
