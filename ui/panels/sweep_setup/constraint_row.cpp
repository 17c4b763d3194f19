#include "ui/panels/sweep_setup/constraint_row.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>

namespace convscope::ui {

ConstraintRow::ConstraintRow(const ViewHost& host, const explore::DraftConstraint& constraint, int index,
                             QWidget* parent)
    : SetupRow(host, QStringLiteral("constraint-%1").arg(index), tr("this constraint"), parent) {
  expression_ = add_field("expression", tr("What must hold, over parameters and what the machine is made of"),
                          tr("e.g. on_chip_bits <= 2 ^ 20"), 0);
  fields().addWidget(new QLabel(tr("else"), this));
  reason_ = add_field("reason", tr("Why machines that break it are left out"), tr("why, e.g. too large"), 0);
  add_remove_button();
  expression_->setText(QString::fromStdString(constraint.expression));
  reason_->setText(QString::fromStdString(constraint.reason));
}

explore::DraftConstraint ConstraintRow::value() const {
  return {expression_->text().toStdString(), reason_->text().toStdString()};
}

}  // namespace convscope::ui
