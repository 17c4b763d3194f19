#pragma once
// The list of views: a new view is one entry here.

#include <vector>

#include "ui/model/view.h"

namespace convscope::ui {

/// All views, in tab order.
const std::vector<ViewEntry>& view_entries();
const ViewEntry* find_view(const QString& id);

}  // namespace convscope::ui
