#pragma once
// The tool bar: target, preset, level, baseline.

#include <QToolBar>

#include "ui/document/workbench.h"

class QComboBox;

namespace convscope::ui {

class MachineBar : public QToolBar {
  Q_OBJECT
 public:
  explicit MachineBar(Workbench& workbench, QWidget* parent = nullptr);

 private:
  QComboBox* add_chooser(const QString& name, const QString& label, const QString& tip);
  void refresh();
  void refresh_presets();
  void add_baselines();
  void refresh_baselines();

  Workbench& workbench_;
  QComboBox* target_;
  QComboBox* preset_;
  QComboBox* level_;
  QComboBox* baseline_ = nullptr;
  QAction* pin_ = nullptr;
};

}  // namespace convscope::ui
