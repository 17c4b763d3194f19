#pragma once
// Choice among a layer's programs; hidden if there is only one.

#include <QComboBox>

namespace convscope::ui {

class ViewHost;

class ProgramPicker : public QComboBox {
 public:
  ProgramPicker(ViewHost& host, QWidget* parent);

 private:
  void refresh();
  ViewHost& host_;
};

}  // namespace convscope::ui
