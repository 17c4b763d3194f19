#include "ui/panels/parameters/parameter_panel.h"

#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/panels/parameters/parameter_row.h"

namespace convscope::ui {
namespace {

/// Groups in the order in which they first appear.
std::vector<std::string> groups_of(const arch::MachineDescription& description) {
  std::vector<std::string> groups;
  for (const auto& parameter : description.parameters) {
    if (std::find(groups.begin(), groups.end(), parameter.group) == groups.end()) groups.push_back(parameter.group);
  }
  return groups;
}

}  // namespace

ParameterPanel::ParameterPanel(Workbench& workbench, QWidget* parent) : QScrollArea(parent), workbench_(workbench) {
  setObjectName("parameter-panel");
  setAccessibleName(tr("Machine parameters"));
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setFrameShape(QFrame::NoFrame);
  rebuild();
  connect(&workbench, &Workbench::machine_changed, this, &ParameterPanel::refresh);
  on_change(workbench, this, Change::theme, [this] { refresh(); });
}

void ParameterPanel::rebuild() {
  description_ = workbench_.machine().description_pointer();
  rows_.assign(description_->parameters.size(), nullptr);
  auto* content = new QWidget;
  auto* layout = new QVBoxLayout(content);
  layout->setContentsMargins(8, 4, 8, 8);
  layout->setSpacing(2);
  for (const std::string& group : groups_of(*description_)) {
    add_heading(*layout, QString::fromStdString(group));
    for (std::size_t index = 0; index < description_->parameters.size(); ++index) {
      if (description_->parameters[index].group == group) add_row(*layout, static_cast<int>(index));
    }
  }
  layout->addStretch(1);
  setWidget(content);
  refresh();
}

void ParameterPanel::add_heading(QVBoxLayout& layout, const QString& text) {
  if (text.isEmpty()) return;
  auto* heading = new QLabel(text.toUpper());
  heading->setObjectName("group-" + text);
  heading->setContentsMargins(0, 8, 0, 2);
  QFont font = heading->font();
  font.setLetterSpacing(QFont::PercentageSpacing, 108);
  font.setBold(true);
  heading->setFont(font);
  heading->setForegroundRole(QPalette::PlaceholderText);
  layout.addWidget(heading);
}

void ParameterPanel::add_row(QVBoxLayout& layout, int index) {
  auto* row = new ParameterRow(workbench_, index, nullptr);
  rows_[static_cast<std::size_t>(index)] = row;
  layout.addWidget(row);
  connect(row, &ParameterRow::drag_started, this, [this] { ++drag_; });
  connect(row, &ParameterRow::sweep_wanted, this, [this, index] { emit sweep_wanted(index); });
  connect(row, &ParameterRow::edited, this, [this, index](double value, bool dragged) {
    workbench_.set_parameter(index, value, dragged ? drag_ : 0);
    refresh();  // what was typed may have been off step, and the value the same as before
  });
}

void ParameterPanel::refresh() {
  if (workbench_.machine().description_pointer() != description_) return rebuild();
  for (std::size_t index = 0; index < rows_.size(); ++index) {
    rows_[index]->refresh(violations(description_->parameters[index]));
  }
}

QStringList ParameterPanel::violations(const arch::ParameterDescription& parameter) const {
  const auto& machine = workbench_.machine();
  QStringList result;
  const auto position = description_->find(parameter.name);
  if (const auto expected = arch::range_violation(parameter, machine.at(*position))) {
    result << QString::fromStdString(*expected);
  }
  for (const arch::Constraint& constraint : description_->constraints) {
    const auto& names = constraint.parameters;
    if (std::find(names.begin(), names.end(), parameter.name) == names.end()) continue;
    if (!constraint.holds(machine)) result << QString::fromStdString(constraint.message);
  }
  return result;
}

}  // namespace convscope::ui
