#include "ui/views/program/draft/finished_text.h"

#include <QStringList>
#include <algorithm>

#include "core/target/simulate.h"
#include "ui/model/shown_run.h"
#include "ui/words/text.h"

namespace convscope::ui {
namespace {

/// A value with what it is, e.g. "14.38 MAC / instruction".
QString value_text(double value, const artifact::FigureDescription& description) {
  return QStringLiteral("%1 %2").arg(value, 0, 'f', description.ratio ? 2 : 0).arg(to_text(description.label));
}

QString refusal(const Diagnostics& diagnostics) {
  constexpr std::size_t shown = 3;
  QStringList lines{QStringLiteral("Not finished:")};
  for (std::size_t i = 0; i < diagnostics.items().size() && i < shown; ++i)
    lines << to_text(diagnostics.items()[i].what);
  if (diagnostics.items().size() > shown)
    lines << QStringLiteral("… and %1 more").arg(diagnostics.items().size() - shown);
  return lines.join('\n');
}

// What is published of the layer: slot tables, and figures.
void add_published(const target::DraftTools& tools, const Snapshot& snapshot, QStringList& lines) {
  const auto shown = shown_network(snapshot);
  if (!snapshot.published || !snapshot.network || !shown || snapshot.selection.layer < 0) return;
  const std::string& layer = snapshot.network->layers[static_cast<std::size_t>(snapshot.selection.layer)].name;
  for (const analysis::PublishedSchedule& each : snapshot.published->schedules())
    if (each.network == snapshot.network->name && each.layer == layer)
      lines << QStringLiteral("published, %1 (level %2): %3 cycles")
                   .arg(to_text(each.source), to_text(each.level))
                   .arg(each.cycles.size());
  for (const auto& [source, figures] : snapshot.published->of_layer(snapshot.network->name, layer, shown->target->id()))
    for (const auto& [key, value] : figures)
      if (const auto* description = artifact::find_figure(tools.figures(), key))
        lines << QStringLiteral("published, %1: %2").arg(to_text(source), value_text(value, *description));
}

void add_own(const target::DraftTools& tools, const target::FinishedDraft& made, const schedule::Draft& draft,
             QStringList& lines) {
  lines << (made.simulation.matches
                ? QStringLiteral("Verified and simulated: every output equals the reference.")
                : QStringLiteral(
                      "Verified, but the simulator's outputs differ from the reference: the fault is ours."));
  QString own = QStringLiteral("by hand: interval %1").arg(draft.interval());
  for (const artifact::NamedQuantity& each : made.figures)
    if (const auto* description = artifact::find_figure(tools.figures(), each.key))
      own += QStringLiteral(", ") + value_text(each.quantity.value, *description);
  lines << own;
}

/// The figures of the finished program, of the layer as the compiler makes it at each level that was compiled.
void add_levels(const target::DraftTools& tools, const target::FinishedDraft& made, const Snapshot& snapshot,
                QStringList& lines) {
  const auto layer = static_cast<std::size_t>(std::max(0, snapshot.selection.layer));
  for (const auto& run : snapshot.levels) {
    if (layer >= run->layers.size() || !run->layers[layer] || !run->layers[layer]->mapped()) continue;
    QStringList values;
    for (const artifact::NamedQuantity& each : made.figures) {
      const Quantity* value = run->layers[layer]->metrics().find(each.key);
      const auto* description = artifact::find_figure(tools.figures(), each.key);
      if (value != nullptr && description != nullptr) values << value_text(value->value, *description);
    }
    if (!values.isEmpty())
      lines << QStringLiteral("compiler, level %1, the layer: %2").arg(to_text(run->level), values.join(", "));
  }
}

}  // namespace

FinishedText finished_text(const target::DraftTools& tools, const schedule::Draft& draft, const Snapshot& snapshot,
                           const std::stop_token& stop) {
  const auto& run = snapshot.compiled ? snapshot.compiled : snapshot.previous;
  const target::SimulationTools* simulation = run ? run->target->simulation_tools() : nullptr;
  const target::OptionValues options(simulation == nullptr ? std::vector<target::OptionDescription>{}
                                                           : simulation->options());
  Diagnostics diagnostics;
  const target::FinishedDraft made = tools.finish(draft, options, stop, diagnostics);
  if (!made.verified) return {refusal(diagnostics), {}, false};
  QStringList lines;
  add_own(tools, made, draft, lines);
  lines << QStringLiteral("compiler, level %1: interval %2; proven: none below %3")
               .arg(to_text(run ? run->level : std::string()))
               .arg(tools.automatic().interval())
               .arg(tools.problem()->bound());
  add_levels(tools, made, snapshot, lines);
  add_published(tools, snapshot, lines);
  return {lines.join('\n'), to_text(made.assembly), made.simulation.matches};
}

}  // namespace convscope::ui
