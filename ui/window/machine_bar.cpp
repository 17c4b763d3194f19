#include "ui/window/machine_bar.h"

#include <QComboBox>
#include <QLabel>

namespace convscope::ui {

MachineBar::MachineBar(Workbench& workbench, QWidget* parent) : QToolBar(tr("Machine"), parent), workbench_(workbench) {
  setObjectName("machine-bar");
  setMovable(false);
  target_ = add_chooser("target", tr("Target"), tr("The machine that layers are compiled for"));
  preset_ = add_chooser("preset", tr("Preset"), tr("A named set of all parameters"));
  level_ = add_chooser("level", tr("Level"), tr("How far the compiler goes"));
  for (const auto& offered : workbench_.targets()) {
    target_->addItem(QString::fromStdString(offered->title()), QString::fromStdString(offered->id()));
  }
  connect(target_, &QComboBox::activated, this, [this] { workbench_.set_target(target_->currentData().toString()); });
  connect(preset_, &QComboBox::activated, this, [this] { workbench_.load_preset(preset_->currentData().toString()); });
  connect(level_, &QComboBox::activated, this, [this] { workbench_.set_level(level_->currentData().toString()); });
  connect(&workbench, &Workbench::machine_changed, this, &MachineBar::refresh);
  refresh();
}

QComboBox* MachineBar::add_chooser(const QString& name, const QString& label, const QString& tip) {
  auto* chooser = new QComboBox(this);
  chooser->setObjectName(name);
  chooser->setAccessibleName(label);
  chooser->setToolTip(tip);
  chooser->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  auto* caption = new QLabel(label, this);
  caption->setContentsMargins(8, 0, 4, 0);
  caption->setBuddy(chooser);
  addWidget(caption);
  addWidget(chooser);
  return chooser;
}

void MachineBar::refresh() {
  const auto& target = *workbench_.target();
  target_->setCurrentIndex(target_->findData(QString::fromStdString(target.id())));
  level_->clear();
  for (const target::Level& level : target.levels()) {
    level_->addItem(QString::fromStdString(level.title), QString::fromStdString(level.name));
  }
  level_->setCurrentIndex(level_->findData(workbench_.level()));
  refresh_presets();
}

void MachineBar::refresh_presets() {
  const QString current = workbench_.preset();
  QStringList names = workbench_.presets();
  if (!names.contains(current)) names.prepend(current);
  const bool changed = !(workbench_.machine() == workbench_.preset_machine());
  preset_->clear();
  for (const QString& name : names) {
    const QString shown = name.isEmpty() ? tr("(defaults)") : name;
    preset_->addItem(changed && name == current ? tr("%1, changed").arg(shown) : shown, name);
  }
  preset_->setCurrentIndex(preset_->findData(current));
}

}  // namespace convscope::ui
