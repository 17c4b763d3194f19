#pragma once
// What is being done, how far it is, and a Cancel: in the status bar.

#include <QTimer>
#include <QWidget>

#include "ui/document/workbench.h"

class QLabel;
class QProgressBar;
class QPushButton;

namespace convscope::ui {

class ProgressStrip : public QWidget {
  Q_OBJECT
 public:
  explicit ProgressStrip(Workbench& workbench, QWidget* parent = nullptr);

 private:
  void refresh();
  void show_progress(double fraction, const QString& activity);

  Workbench& workbench_;
  QLabel* text_;
  QProgressBar* bar_;
  QPushButton* cancel_;
  QTimer patience_;
};

}  // namespace convscope::ui
