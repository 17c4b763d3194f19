#pragma once
// How the tables of panels look and behave: lines of text without a grid, chosen as whole rows, sorted by their
// headers.

class QTableView;

namespace convscope::ui {

/// For a table that has its model; not sorted until the user wants it.
void set_up_row_table(QTableView& table);

}  // namespace convscope::ui
