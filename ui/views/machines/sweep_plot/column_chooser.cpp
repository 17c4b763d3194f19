#include "ui/views/machines/sweep_plot/column_chooser.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>

#include "ui/parts/drawing.h"

namespace convscope::ui {

ColumnChooser::ColumnChooser(QWidget* parent, const QString& name, const QString& title, Offers offers)
    : QWidget(parent), offers_(offers), box_(new QComboBox(this)) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(4);
  auto* label = new QLabel(title, this);
  label->setBuddy(box_);
  box_->setObjectName(name);
  box_->setAccessibleName(title);
  box_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  box_->setMinimumContentsLength(10);
  row->addWidget(label);
  row->addWidget(box_);
  connect(box_, &QComboBox::activated, this, [this] {
    if (on_choice) on_choice(box_->currentData().toString().toStdString());
  });
}

void ColumnChooser::show(const explore::SweepTable* table, const std::string& chosen) {
  QStringList keys, labels;
  if (offers_ != Offers::all) {
    keys << QString();
    labels << tr("none");
  }
  if (table != nullptr) {
    for (const explore::SweepColumn& column : table->columns) {
      if (offers_ == Offers::numbers_or_none && !column.names.empty()) continue;
      keys << to_text(column.key);
      labels << to_text(column.label.empty() ? column.key : column.label);
    }
  }
  const QSignalBlocker quiet(box_);
  if (keys != keys_) {
    box_->clear();
    for (qsizetype i = 0; i < keys.size(); ++i) box_->addItem(labels[i], keys[i]);
    keys_ = keys;
  }
  box_->setEnabled(table != nullptr);
  box_->setCurrentIndex(box_->findData(to_text(chosen)));
}

}  // namespace convscope::ui
