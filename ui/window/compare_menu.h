#pragma once
// The menu of baselines: pin, choose, rename, remove.

#include <QMenu>

#include "ui/document/workbench.h"

class QAction;
class QActionGroup;

namespace convscope::ui {

class MainWindow;

class CompareMenu : public QMenu {
  Q_OBJECT
 public:
  CompareMenu(Workbench& workbench, MainWindow& window, QWidget* parent = nullptr);

 private:
  QAction* add(const QString& name, const QString& text, const QKeySequence& shortcut = {});
  void refresh();
  void refresh_choice();
  void ask_for_name();

  Workbench& workbench_;
  QAction* pin_;
  QAction* rename_;
  QAction* remove_;
  QMenu* choice_;
  QActionGroup* chosen_;
};

}  // namespace convscope::ui
