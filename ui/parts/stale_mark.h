#pragma once
// Pictures of results that a newer run has not replaced yet say so.

#include "ui/model/view.h"
#include "ui/theme/theme.h"

namespace convscope::ui {

/// True if the selected layer's result is from the run before: the one that runs has not reached it, or was stopped.
bool is_from_run_before(const Snapshot& snapshot);

/// A hatched corner with a few words, at the right of the picture's foot.
void paint_stale_mark(QPainter& painter, const QRectF& area, const Theme& theme,
                      const QString& text = QStringLiteral("from the run before"));

}  // namespace convscope::ui
