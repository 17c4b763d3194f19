#include "ui/window/run_summary.h"

#include <QCoreApplication>
#include <cmath>

#include "ui/model/baseline_difference.h"
#include "ui/model/network_words.h"
#include "ui/words/difference_text.h"
#include "ui/words/figures.h"
#include "ui/words/translated.h"

namespace convscope::ui {
namespace {

/// A figure of the whole network, and how it differs from the baseline's.
QString with_difference(const QString& text, const Snapshot& snapshot, const std::string& key) {
  const Baseline* baseline = snapshot.baseline();
  const auto difference = baseline == nullptr ? std::nullopt : baseline_difference(snapshot, *baseline, -1, key);
  return difference ? text + QStringLiteral(" (%1)").arg(difference_text(*difference)) : text;
}

}  // namespace

QStringList figures_in_summary(const Snapshot& snapshot, const engine::CompiledNetwork& run) {
  QStringList parts;
  const auto cycles = count_text(std::llround(run.total.cycles.value));
  parts << with_difference(translated("%1 cycles").arg(cycles), snapshot, "cycles")
        << with_difference(quantity_text(run.total.seconds), snapshot, "seconds")
        << with_difference(translated("utilization %1").arg(percent_text(run.total.utilization.value)), snapshot,
                           "utilization");
  if (const Baseline* baseline = snapshot.baseline()) parts << translated("vs %1").arg(baseline->name);
  if (const QString batch = batch_text(run); !batch.isEmpty()) parts << batch;
  if (!run.coverage || artifact::is_partial(run.coverage)) parts << coverage_text(run);
  return parts;
}

QString summary_tip(const Snapshot& snapshot, const engine::CompiledNetwork& run) {
  const Baseline* baseline = snapshot.baseline();
  QStringList lines;
  for (const char* key : {"cycles", "seconds", "utilization"}) {
    const auto difference = baseline == nullptr ? std::nullopt : baseline_difference(snapshot, *baseline, -1, key);
    const auto value = analysis::figure(run.total, key);
    if (value) lines << QStringLiteral("%1: %2").arg(QString::fromLatin1(key), value_with_origin(key, *value));
    if (difference && difference->reference)
      lines.back() += QStringLiteral(", %1: %2").arg(baseline->name, value_with_origin(key, *difference->reference));
  }
  if (const QString batch = batch_tip(run); !batch.isEmpty()) lines << batch;
  return lines.join('\n');
}

}  // namespace convscope::ui
