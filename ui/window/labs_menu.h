#pragma once
// The menu of labs. The panel comes with the first lab that is opened.

#include <QMenu>

#include "ui/labs/lab_work.h"

namespace convscope::ui {

class LabPanel;
class MainWindow;

class LabsMenu : public QMenu {
  Q_OBJECT
 public:
  LabsMenu(Workbench& workbench, MainWindow& window, QWidget* parent);

  LabWork& work() { return work_; }

 private:
  QAction* add(const QString& name, const QString& text);
  void add_samples();
  void show_panel();

  MainWindow& window_;
  LabWork work_;
  LabPanel* panel_ = nullptr;
  QAction* hand_in_ = nullptr;
};

}  // namespace convscope::ui
