#pragma once
// What the status bar says of a run: its totals, and how they differ from the baseline's.

#include <QString>
#include <QStringList>

#include "ui/model/view.h"

namespace convscope::ui {

/// "12,345 cycles (▼ −3.2 % ✓)", time, utilization, the baseline's name, the time of a batch, what is mapped.
QStringList figures_in_summary(const Snapshot& snapshot, const engine::CompiledNetwork& run);
/// Where these figures are from, and what they were in the baseline; lines.
QString summary_tip(const Snapshot& snapshot, const engine::CompiledNetwork& run);

}  // namespace convscope::ui
