#pragma once
// A running sweep in the status bar: how far it is, and Cancel.

#include <QWidget>

#include "ui/document/workbench.h"

class QLabel;
class QProgressBar;
class QPushButton;

namespace convscope::ui {

class SweepStrip : public QWidget {
  Q_OBJECT
 public:
  explicit SweepStrip(Workbench& workbench, QWidget* parent = nullptr);

 private:
  void refresh();

  Workbench& workbench_;
  QLabel* text_ = nullptr;
  QProgressBar* bar_ = nullptr;
  QPushButton* cancel_ = nullptr;
};

}  // namespace convscope::ui
