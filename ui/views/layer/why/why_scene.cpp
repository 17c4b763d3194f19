#include "ui/views/layer/why/why_scene.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ui/model/exploration.h"
#include "ui/model/shown_run.h"
#include "ui/parts/drawing.h"

namespace convscope::ui {
namespace {

using analysis::WhyLine;

std::string name_of(const Snapshot& snapshot) {
  const int layer = snapshot.selection.layer;
  const auto run = shown_network(snapshot);
  if (!run || layer < 0 || layer >= static_cast<int>(run->network->layers.size())) return "the network";
  return run->network->layers[static_cast<std::size_t>(layer)].name;
}

/// What helps this layer most, if it was measured for the machine that is shown.
std::vector<analysis::HelpfulChange> helps_of(const Snapshot& snapshot) {
  const auto run = snapshot.exploration ? snapshot.exploration->sensitivity : nullptr;
  const auto& shown = snapshot.compiled;
  const int layer = snapshot.selection.layer;
  if (!run || !run->complete || !shown || run->network != shown->network || run->target != shown->target ||
      !(run->machine == shown->machine) || run->level != shown->level)
    return {};
  if (layer >= static_cast<int>(run->result.before.layers.size())) return {};
  std::vector<analysis::HelpfulChange> helps;
  for (const explore::Change* change : explore::ranked(run->result, layer)) {
    const double gain = layer < 0 ? change->gain(run->result.before)
                                  : change->layer_gain(run->result.before, static_cast<std::size_t>(layer));
    if (gain < 0.0005) break;
    const auto& parameter = run->machine.description().parameters[change->parameter];
    helps.push_back({parameter.label, change->from, change->to, gain});
  }
  return helps;
}

const char* kind_text(WhyLine::Kind kind) {
  constexpr const char* names[] = {"summary", "takes",    "binding",   "bound", "next",
                                   "helps",   "rejected", "operation", "taken", "empty"};
  return names[static_cast<std::size_t>(kind)];
}

QString hint_of(const WhyScene& scene, bool has_cycle) {
  if (scene.cycles == 0 || has_cycle) return {};
  return QStringLiteral(
      "A cycle that is selected, here with full stop and comma or in any other view, says why each of its slots is as "
      "it is.");
}

}  // namespace

WhyArtifacts WhyShelf::of(const std::shared_ptr<const target::Compiled>& compiled, int program) {
  {
    const std::lock_guard lock(mutex_);
    if (compiled_.lock() == compiled && program_ == program) return kept_;
  }
  WhyArtifacts made{compiled->explanation(), nullptr, nullptr};
  if (program < compiled->program_count()) {
    made.timeline = compiled->timeline(program);
    made.graph = compiled->task_graph(program);
  }
  const std::lock_guard lock(mutex_);
  compiled_ = compiled;
  program_ = program;
  kept_ = made;
  return made;
}

WhyScene make_why_scene(const Snapshot& snapshot, WhyShelf& shelf) {
  WhyScene scene;
  scene.selection = snapshot.selection;
  scene.subject.layer = snapshot.selection.layer;
  scene.subject.program = snapshot.program();
  const auto layer = snapshot.layer();
  const std::shared_ptr<const target::Compiled> compiled = layer ? layer : snapshot.programs();
  if (!compiled) return scene;
  const WhyArtifacts artifacts = shelf.of(compiled, scene.subject.program);
  if (!artifacts.explanation && !artifacts.timeline) return scene;

  analysis::Why why;
  why.layer = name_of(snapshot);
  if (artifacts.explanation) why.explanation = *artifacts.explanation;
  if (why.explanation.summary.empty() && layer) why.explanation.summary = layer->reason();
  why.cycles = compiled->metrics().cycles;
  why.helps = helps_of(snapshot);
  if (artifacts.graph) why.operation = analysis::operation_reason(*artifacts.graph, snapshot.selection.operation);
  scene.cycles = artifacts.timeline ? artifacts.timeline->length() : 0;
  const std::int64_t cycle = snapshot.selection.cycle;
  const bool has_cycle = cycle >= 0 && cycle < scene.cycles;
  if (artifacts.timeline && scene.cycles > 0)
    scene.first = artifacts.timeline->section_start(artifacts.timeline->steady_state());
  Diagnostics none;  // the cycle is the timeline's own
  if (has_cycle) why.at_cycle = analysis::slot_reasons(*artifacts.timeline, artifacts.graph.get(), cycle, {}, none);
  scene.lines = analysis::why_lines(why);
  scene.hint = hint_of(scene, has_cycle);
  return scene;
}

std::string WhyScene::csv() const {
  std::string text = "kind,name,cycle,text\n";
  for (const WhyLine& line : lines)
    text += fmt::format("{},{},{},{}\n", kind_text(line.kind), csv_field(line.name),
                        line.cycle < 0 ? "" : std::to_string(line.cycle),
                        csv_field(fmt::format("{}", fmt::join(line.words, "; "))));
  return text;
}

}  // namespace convscope::ui
