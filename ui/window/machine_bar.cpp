#include "ui/window/machine_bar.h"

#include <QComboBox>
#include <QFileInfo>
#include <QLabel>
#include <QStandardItemModel>
#include <QToolButton>
#include <algorithm>

#include "ui/document/baselines.h"

namespace convscope::ui {
namespace {

/// Names as they are; a file's path is too long for a tool bar.
QString preset_title(const QString& reference) {
  if (reference.isEmpty()) return MachineBar::tr("(defaults)");
  return reference.contains('/') ? MachineBar::tr("%1 (a file)").arg(QFileInfo(reference).completeBaseName())
                                 : reference;
}

bool can_pin(const Workbench& workbench) {
  const auto& run = workbench.snapshot().compiled;
  return run && run->complete;
}

}  // namespace

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
  add_baselines();
  refresh();
  refresh_baselines();
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

void MachineBar::add_baselines() {
  baseline_ = add_chooser("baseline", tr("Baseline"), tr("The pinned run that tables compare with; charts show all"));
  connect(baseline_, &QComboBox::activated, this,
          [this] { workbench_.compare_with(baseline_->currentData().toInt()); });
  pin_ = addAction(tr("Pin"));
  pin_->setObjectName("pin-button");
  pin_->setToolTip(tr("Pin the current run, to compare with it"));
  // Beside choosers a flat button would read as one more label.
  if (auto* button = qobject_cast<QToolButton*>(widgetForAction(pin_))) button->setAutoRaise(false);
  connect(pin_, &QAction::triggered, &workbench_, [this] { workbench_.pin_baseline(); });
  connect(&workbench_, &Workbench::baselines_changed, this, &MachineBar::refresh_baselines);
  on_change(workbench_, this, Change::network | Change::results, [this] { pin_->setEnabled(can_pin(workbench_)); });
}

void MachineBar::refresh_baselines() {
  pin_->setEnabled(can_pin(workbench_));
  baseline_->clear();
  baseline_->addItem(tr("none"), -1);
  for (const PinnedBaseline& each : workbench_.baselines().entries) {
    const QString obstacle = workbench_.baseline_obstacle(each.id);
    baseline_->addItem(each.record.name, each.id);
    if (obstacle.isEmpty()) continue;
    const int last = baseline_->count() - 1;
    baseline_->setItemData(last, tr("%1: %2").arg(each.record.name, obstacle), Qt::ToolTipRole);
    if (auto* items = qobject_cast<QStandardItemModel*>(baseline_->model())) items->item(last)->setEnabled(false);
  }
  baseline_->setCurrentIndex(std::max(0, baseline_->findData(workbench_.baselines().chosen)));
  const QString obstacle = workbench_.baseline_obstacle(workbench_.baselines().chosen);
  const bool hindered = workbench_.baselines().chosen >= 0 && !obstacle.isEmpty();
  baseline_->setToolTip(hindered ? tr("Not compared: %1").arg(obstacle)
                                 : tr("The pinned run that tables compare with; charts show all"));
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
  const QString current = workbench_.preset_reference();
  QStringList presets = workbench_.presets();
  if (!presets.contains(current)) presets.prepend(current);
  const bool changed = !(workbench_.machine() == workbench_.preset_machine());
  preset_->clear();
  for (const QString& each : presets) {
    const QString shown = preset_title(each);
    preset_->addItem(changed && each == current ? tr("%1, changed").arg(shown) : shown, each);
    if (shown != each) preset_->setItemData(preset_->count() - 1, each, Qt::ToolTipRole);
  }
  preset_->setCurrentIndex(preset_->findData(current));
}

}  // namespace convscope::ui
