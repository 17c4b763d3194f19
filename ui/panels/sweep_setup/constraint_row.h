#pragma once
// What must hold for a machine to be looked at, and why others are left out.

#include "core/explore/space/space_draft.h"
#include "ui/panels/sweep_setup/setup_row.h"

namespace convscope::ui {

class ConstraintRow : public SetupRow {
  Q_OBJECT
 public:
  ConstraintRow(const ViewHost& host, const explore::DraftConstraint& constraint, int index, QWidget* parent);
  explore::DraftConstraint value() const;

 private:
  QLineEdit *expression_ = nullptr, *reason_ = nullptr;
};

}  // namespace convscope::ui
