#include "ui/plot/baseline_stacks.h"

#include <algorithm>

#include "ui/model/baseline_difference.h"
#include "ui/words/difference_text.h"

namespace convscope::ui {
namespace {

Origin weakest_origin(const std::vector<BarCategory>& categories, const Baseline& baseline) {
  Origin origin = Origin::measured;
  for (const BarCategory& category : categories) {
    if (const artifact::Metrics* metrics = baseline.metrics(category.layer))
      origin = weaker(origin, metrics->cycles.origin);
  }
  return origin;
}

bool means_the_same(FigureMeaning meaning, const analysis::Comparability& common) {
  if (meaning == FigureMeaning::everywhere) return true;
  return meaning == FigureMeaning::one_clock ? common.cycles : common.target_figures;
}

void paint_as_pinned(BarStack& stack, int index) {
  if (stack.parts.size() == 1) {
    stack.parts.front().name = stack.name;
    stack.parts.front().fill = {BarFill::Kind::pinned, index};
  } else {
    for (BarPart& part : stack.parts) {
      part.fill.hatched = true;
      part.fill.hatching = index;
    }
  }
}

}  // namespace

void add_baseline_stacks(BarChart& chart, const Snapshot& snapshot, FigureMeaning meaning,
                         const std::function<std::vector<BarPart>(const CategoryMetrics&)>& make_parts) {
  int index = 0;
  for (const Baseline& baseline : snapshot.baselines) {
    const int own_index = index++;
    if (!baseline.matches() || !means_the_same(meaning, comparability(snapshot, baseline))) continue;
    BarStack stack;
    stack.name = baseline_title(baseline);
    stack.origin = weakest_origin(chart.categories, baseline);
    stack.parts = make_parts([&](const BarCategory& category) { return baseline.metrics(category.layer); });
    stack.label = snapshot.baselines.size() == 1 ? QStringLiteral("baseline") : baseline.name;
    stack.labelled = stack.parts.size() > 1;
    paint_as_pinned(stack, own_index);
    chart.stacks.push_back(std::move(stack));
  }
}

std::vector<QString> baseline_notes(const Snapshot& snapshot, const std::vector<BarCategory>& categories,
                                    const std::string& key) {
  std::vector<QString> notes(categories.size());
  for (std::size_t c = 0; c < categories.size(); ++c) {
    QStringList lines;
    for (const Baseline& baseline : snapshot.baselines) {
      if (const auto difference = baseline_difference(snapshot, baseline, categories[c].layer, key))
        lines << QStringLiteral("%1 vs %2").arg(difference_text(*difference), baseline.name);
    }
    notes[c] = lines.join('\n');
  }
  return notes;
}

QString baseline_title(const Baseline& baseline) {
  return QStringLiteral("%1 (baseline)").arg(baseline.name);
}

}  // namespace convscope::ui
