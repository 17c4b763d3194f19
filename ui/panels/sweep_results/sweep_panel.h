#pragma once
// The points of a sweep as a table, with what can be done with them.

#include <QWidget>

#include "ui/document/workbench.h"
#include "ui/jobs/latest_job.h"

class QAction;
class QLabel;
class QPushButton;
class QTableView;

namespace convscope::ui {

class SweepTableModel;

class SweepPanel : public QWidget {
  Q_OBJECT
 public:
  explicit SweepPanel(Workbench& workbench, QWidget* parent = nullptr);

 signals:
  void sweep_wanted();  ///< the user asks for the setup

 private:
  void build_head();
  void set_up_table();
  QAction* add_action(const QString& name, const QString& text, const QKeySequence& shortcut);
  void refresh();
  void set_column_widths();
  /// Selected rows are the chosen points: two at most.
  void choose_selected();
  void follow_chosen();
  void open_current();
  void compare_chosen();
  void copy();

  Workbench& workbench_;
  SweepTableModel* model_ = nullptr;
  QTableView* table_ = nullptr;
  QLabel* status_ = nullptr;
  QPushButton *open_ = nullptr, *compare_ = nullptr;
  bool following_ = false;
  LatestJob copying_;
};

}  // namespace convscope::ui
