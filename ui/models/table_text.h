#pragma once
// Tables and trees as text with tabs, as spreadsheets take it.

#include <QString>

class QAbstractItemModel;

namespace convscope::ui {

/// The headers, then every row as shown, cells divided by tabs; the rows of a tree follow their parent, the first cell
/// indented by two spaces a level. Tabs and line breaks within cells become spaces.
QString table_text(const QAbstractItemModel& model);

}  // namespace convscope::ui
