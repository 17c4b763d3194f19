#pragma once
// Tables and trees as text with tabs, as spreadsheets take it.

#include <QString>
#include <Qt>
#include <functional>

class QAbstractItemModel;

namespace convscope::ui {

/// The headers, then every row as shown, cells divided by tabs; the rows of a tree follow their parent, the first cell
/// indented by two spaces a level. Tabs and line breaks within cells become spaces.
/// Only columns that `shown` says yes to; all without it.
QString table_text(const QAbstractItemModel& model, const std::function<bool(int column)>& shown = {});

/// Role of headers under which they say in full what the window shortens.
inline constexpr int full_title_role = Qt::UserRole + 2;

}  // namespace convscope::ui
