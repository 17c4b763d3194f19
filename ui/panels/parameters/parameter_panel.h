#pragma once
// The machine's parameters, generated from their descriptions; knows no machine.

#include <QScrollArea>
#include <memory>
#include <vector>

#include "ui/document/workbench.h"

class QVBoxLayout;

namespace convscope::ui {

class ParameterRow;

class ParameterPanel : public QScrollArea {
  Q_OBJECT
 public:
  explicit ParameterPanel(Workbench& workbench, QWidget* parent = nullptr);

 signals:
  void sweep_wanted(int parameter);  ///< the user asks to vary it

 private:
  void rebuild();
  void refresh();
  void add_heading(QVBoxLayout& layout, const QString& text);
  void add_row(QVBoxLayout& layout, int index);
  QStringList violations(const arch::ParameterDescription& parameter) const;

  Workbench& workbench_;
  std::shared_ptr<const arch::MachineDescription> description_;
  std::vector<ParameterRow*> rows_;
  int drag_ = 0;  ///< id of the newest drag: each is one undo step
};

}  // namespace convscope::ui
