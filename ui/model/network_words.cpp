#include "ui/model/network_words.h"

#include "core/engine/batch.h"
#include "ui/words/figures.h"
#include "ui/words/translated.h"

namespace convscope::ui {

QString coverage_text(const engine::CompiledNetwork& run) {
  if (run.coverage) return translated("%1 of the MACs mapped").arg(percent_text(*run.coverage));
  return run.network->unknown_layers() > 0 ? translated("coverage unknown") : translated("no MACs");
}

QString batch_text(const engine::CompiledNetwork& run) {
  const auto batch = engine::batch_total(run);
  if (!batch) return {};
  return translated("batch of %1: %2").arg(QString::number(batch->images), quantity_text(batch->seconds));
}

QString batch_tip(const engine::CompiledNetwork& run) {
  const auto batch = engine::batch_total(run);
  if (!batch) return {};
  return translated("batch of %1: %2 (%3), weights %4: %5")
      .arg(QString::number(batch->images), quantity_text(batch->seconds), origin_text(batch->seconds.origin),
           QString::fromUtf8(artifact::weights_name(batch->weights)), QString::fromStdString(batch->note));
}

}  // namespace convscope::ui
