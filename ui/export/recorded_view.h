#pragma once
// A drawing that needs the window's thread, recorded there once and played back on any.

#include <QSizeF>
#include <memory>

#include "ui/model/view.h"
#include "ui/theme/theme.h"

namespace convscope::ui {

/// Records `view` at a size, in logical pixels; call on the window's thread. What comes back paints that picture,
/// whatever the area, on one thread at a time; its data is the view's.
std::shared_ptr<const ViewPainter> record(std::shared_ptr<const ViewPainter> view, QSizeF size, const Theme& theme);

}  // namespace convscope::ui
