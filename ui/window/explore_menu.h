#pragma once
// The menu of sweeps and of what helps most. Keeps the sweep's setup.

#include <QMenu>
#include <QPointer>

#include "ui/document/workbench.h"

namespace convscope::ui {

class MainWindow;
class SweepDialog;

class ExploreMenu : public QMenu {
  Q_OBJECT
 public:
  ExploreMenu(Workbench& workbench, MainWindow& window, QWidget* parent);

  /// Shows the setup; with a parameter (not -1) that varies too.
  void set_up(int parameter = -1);

 private:
  QAction* add(const QString& name, const QString& text, const QKeySequence& shortcut = {});
  void add_views();
  void refresh();

  Workbench& workbench_;
  MainWindow& window_;
  QPointer<SweepDialog> dialog_;
  QAction *cancel_ = nullptr, *analyze_ = nullptr, *quantize_ = nullptr, *open_ = nullptr, *compare_ = nullptr;
};

}  // namespace convscope::ui
