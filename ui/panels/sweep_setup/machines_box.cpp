#include "ui/panels/sweep_setup/machines_box.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/document/exploration/sweep_setup.h"
#include "ui/model/settings.h"
#include "ui/panels/sweep_setup/axis_row.h"
#include "ui/panels/sweep_setup/choice_button.h"
#include "ui/panels/sweep_setup/constraint_row.h"

namespace convscope::ui {
namespace {

QStringList texts(const std::vector<std::string>& names) {
  QStringList result;
  for (const std::string& name : names) result << QString::fromStdString(name);
  return result;
}

std::vector<std::string> names(const QStringList& texts) {
  std::vector<std::string> result;
  for (const QString& text : texts) result.push_back(text.toStdString());
  return result;
}

std::shared_ptr<const target::Target> find_target(const Workbench& workbench, const std::string& id) {
  for (const auto& each : workbench.targets()) {
    if (each->id() == id) return each;
  }
  return nullptr;
}

}  // namespace

MachinesBox::MachinesBox(const Workbench& workbench, const explore::DraftMachines& machines, int index, QWidget* parent)
    : QGroupBox(parent),
      workbench_(workbench),
      target_id_(machines.target),
      target_(find_target(workbench, machines.target)) {
  setObjectName(QStringLiteral("machines-%1").arg(index));
  const auto title = QString::fromStdString(target_ ? target_->title() : target_id_);
  setTitle(tr("Machines: %1").arg(title));
  auto* column = new QVBoxLayout(this);
  column->setSpacing(4);
  build_head();
  presets_->offer(texts(machines.presets), texts(machines.presets));
  QStringList levels;
  if (target_) {
    for (const target::Level& level : target_->levels()) levels << QString::fromStdString(level.name);
  }
  levels_->offer(levels, texts(machines.levels));
  column->addLayout(axes_.layout());
  column->addLayout(constraints_.layout());
  build_buttons();
  for (const explore::DraftParameter& each : machines.parameters) add_axis(each);
  for (const explore::DraftConstraint& each : machines.constraints) add_constraint(each);
  fill_menu();
}

void MachinesBox::build_head() {
  auto* row = new QHBoxLayout;
  const auto add = [&](const QString& title, const QString& name, const QString& tip) {
    auto* label = new QLabel(title, this);
    row->addWidget(label);
    auto* button = new ChoiceButton(objectName() + '-' + name, tip, this);
    label->setBuddy(button);
    row->addWidget(button);
    row->addSpacing(12);
    connect(button, &ChoiceButton::edited, this, &MachinesBox::edited);
    return button;
  };
  presets_ = add(tr("Presets"), "presets", tr("Machines that the parameters below change"));
  levels_ = add(tr("Levels"), "levels", tr("Optimization levels that are compared"));
  row->addStretch(1);
  auto* remove = add_remove_button(*row, objectName() + "-remove", tr("Remove these machines"), this);
  connect(remove, &QToolButton::clicked, this, &MachinesBox::removed);
  static_cast<QVBoxLayout*>(layout())->addLayout(row);
  message_ = new MessageLabel(workbench_, objectName() + "-message", this);
  layout()->addWidget(message_);
}

void MachinesBox::build_buttons() {
  auto* row = new QHBoxLayout;
  auto* vary_button = new QPushButton(tr("Vary a parameter"), this);
  vary_button->setObjectName(objectName() + "-vary");
  row->addWidget(vary_button);
  parameters_ = new QMenu(vary_button);
  parameters_->setToolTipsVisible(true);
  vary_button->setMenu(parameters_);
  connect(parameters_, &QMenu::aboutToShow, this, &MachinesBox::fill_menu);
  auto* constrain = new QPushButton(tr("Add a constraint"), this);
  constrain->setObjectName(objectName() + "-constrain");
  row->addWidget(constrain);
  connect(constrain, &QPushButton::clicked, this, [this] {
    add_constraint({});
    emit edited();
  });
  row->addStretch(1);
  static_cast<QVBoxLayout*>(layout())->addLayout(row);
}

void MachinesBox::fill_menu() {
  parameters_->clear();
  if (!target_) return;
  for (const arch::ParameterDescription& each : target_->machine()->parameters) {
    QAction* action = parameters_->addAction(QString::fromStdString(each.label));
    action->setObjectName(objectName() + "-vary-" + QString::fromStdString(each.name));
    action->setToolTip(QString::fromStdString(each.help));
    connect(action, &QAction::triggered, this, [this, name = each.name] { vary(name); });
  }
}

const arch::ParameterDescription* MachinesBox::description(const std::string& parameter) const {
  const auto index = target_ ? target_->machine()->find(parameter) : std::nullopt;
  return index ? &target_->machine()->parameters[*index] : nullptr;
}

void MachinesBox::add_axis(const explore::DraftParameter& parameter) {
  axes_.add(new AxisRow(workbench_, parameter, description(parameter.name), this), [this] { emit edited(); });
}

void MachinesBox::add_constraint(const explore::DraftConstraint& constraint) {
  constraints_.add(new ConstraintRow(workbench_, constraint, constraints_made_++, this), [this] { emit edited(); });
}

void MachinesBox::vary(const std::string& parameter) {
  if (description(parameter) == nullptr) return;
  const Settings& now = workbench_.settings();
  const Settings machine = now.target == target_ ? now : default_settings(target_);
  const auto known =
      std::find_if(axes_.begin(), axes_.end(), [&](const AxisRow* row) { return row->value().name == parameter; });
  if (known != axes_.end()) axes_.erase(*known);
  explore::DraftMachines only;
  ui::vary(only, machine, *target_->machine()->find(parameter));
  add_axis(only.parameters.front());
  emit edited();
}

explore::DraftMachines MachinesBox::value() const {
  explore::DraftMachines machines{target_id_, names(presets_->chosen()), names(levels_->chosen()), {}, {}};
  for (const AxisRow* row : axes_) machines.parameters.push_back(row->value());
  for (const ConstraintRow* row : constraints_) machines.constraints.push_back(row->value());
  return machines;
}

void MachinesBox::offer_presets(const QStringList& presets) {
  presets_->offer(presets, presets_->chosen());
}

void MachinesBox::show_counts(const explore::Family* family) {
  for (AxisRow* row : axes_) {
    std::optional<std::size_t> count;
    if (family != nullptr) {
      for (const explore::Axis& axis : family->axes) {
        if (family->target->machine()->parameters[axis.parameter].name == row->value().name) count = axis.values.size();
      }
    }
    row->show_count(count);
  }
}

void MachinesBox::clear_messages() {
  for (AxisRow* row : axes_) row->show_message({});
  for (ConstraintRow* row : constraints_) row->show_message({});
  message_->show_message({});
}

void MachinesBox::show_message(const explore::DraftPlace& place, const QString& message) {
  using Part = explore::DraftPlace::Part;
  if (place.part == Part::parameter && place.index < axes_.size()) return axes_[place.index].show_message(message);
  if (place.part == Part::constraint && place.index < constraints_.size()) {
    return constraints_[place.index].show_message(message);
  }
  message_->show_message(message);
}

}  // namespace convscope::ui
