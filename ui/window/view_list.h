#pragma once
// The list of views: a new view is one entry here.

#include <vector>

#include "ui/model/view.h"

namespace convscope::ui {

/// All views, in tab order.
const std::vector<ViewEntry>& view_entries();
/// Null for an unknown id.
const ViewEntry* find_view(const QString& id);
/// The view that has the role, which is not `none`.
const ViewEntry& find_view(ViewRole role);

}  // namespace convscope::ui
