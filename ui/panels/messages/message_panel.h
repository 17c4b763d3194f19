#pragma once
// The messages as a table.

#include <QTableView>

#include "ui/document/workbench.h"

namespace convscope::ui {

class MessagePanel : public QTableView {
  Q_OBJECT
 public:
  explicit MessagePanel(Workbench& workbench, QWidget* parent = nullptr);
};

}  // namespace convscope::ui
