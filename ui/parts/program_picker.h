#pragma once
// Choice among a layer's programs; hidden if there is only one.

#include <QComboBox>

namespace convscope::ui {

class Workbench;

class ProgramPicker : public QComboBox {
 public:
  ProgramPicker(Workbench& workbench, QWidget* parent);

 private:
  void refresh();
  Workbench& workbench_;
};

}  // namespace convscope::ui
