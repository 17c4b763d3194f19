#pragma once
// 'Copy table' in a table's or tree's context menu and on Ctrl+C.

class QAbstractItemView;

namespace convscope::ui {

/// Copies what the view's model holds at that moment, with headers, see table_text.
void add_copy_action(QAbstractItemView& view);

}  // namespace convscope::ui
