#pragma once
// A network that machines are judged by, and how often it runs beside the others.

#include "core/explore/space/space_draft.h"
#include "ui/panels/sweep_setup/setup_row.h"

namespace convscope::ui {

class NetworkRow : public SetupRow {
  Q_OBJECT
 public:
  NetworkRow(const ViewHost& host, const explore::DraftNetwork& network, int index, QWidget* parent);
  explore::DraftNetwork value() const;

 private:
  std::string file_;
  QLineEdit *weight_ = nullptr, *batch_ = nullptr, *size_ = nullptr;
};

}  // namespace convscope::ui
