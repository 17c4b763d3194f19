#include "ui/panels/sweep_setup/objective_box.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <algorithm>

#include "core/explore/sweep/objective.h"

namespace convscope::ui {
namespace {

constexpr int columns = 4;
constexpr int number_width = 8;  // characters

}  // namespace

ObjectiveBox::ObjectiveBox(QWidget* parent) : QGroupBox(tr("Front over"), parent) {
  setObjectName("objectives");
  auto* grid = new QGridLayout(this);
  grid->setVerticalSpacing(2);
  int place = 0;
  for (const explore::ObjectiveKind& kind : explore::objective_kinds()) {
    auto* box = new QCheckBox(QString::fromStdString(kind.label), this);
    box->setObjectName("objective-" + QString::fromStdString(kind.key));
    box->setToolTip(kind.maximize ? tr("More is better") : tr("Less is better"));
    boxes_[kind.key] = box;
    grid->addWidget(box, place / columns, place % columns);
    ++place;
    connect(box, &QCheckBox::toggled, this, &ObjectiveBox::edited);
  }
  auto* label = new QLabel(tr("Compared: machines that map at least this part of the MACs"), this);
  coverage_ = new QLineEdit(this);
  coverage_->setObjectName("minimum-coverage");
  coverage_->setAccessibleName(label->text());
  coverage_->setPlaceholderText("1");
  coverage_->setToolTip(tr("A part from 0 to 1. Others are shown, but never on the front."));
  coverage_->setFixedWidth(fontMetrics().averageCharWidth() * number_width + 16);
  label->setBuddy(coverage_);
  const int row = (place + columns - 1) / columns;
  grid->addWidget(label, row, 0, 1, columns - 1);
  grid->addWidget(coverage_, row, columns - 1, Qt::AlignLeft);
  connect(coverage_, &QLineEdit::textEdited, this, &ObjectiveBox::edited);
}

void ObjectiveBox::show_draft(const explore::SpaceDraft& draft) {
  const QSignalBlocker quiet(this);
  as_read_ = draft.objectives;
  std::vector<std::string> keys;
  for (const explore::DraftObjective& each : draft.objectives) keys.push_back(each.name);
  if (keys.empty()) {
    for (const explore::Objective& each : explore::default_objectives()) keys.push_back(each.key);
  }
  for (const auto& [key, box] : boxes_) box->setChecked(std::find(keys.begin(), keys.end(), key) != keys.end());
  coverage_->setText(QString::fromStdString(draft.minimum_coverage));
}

void ObjectiveBox::fill(explore::SpaceDraft& draft) const {
  draft.objectives.clear();
  draft.minimum_coverage = coverage_->text().toStdString();
  std::vector<std::string> known;
  for (const explore::DraftObjective& each : as_read_) {
    known.push_back(each.name);
    const auto box = boxes_.find(each.name);
    if (box == boxes_.end() || box->second->isChecked()) draft.objectives.push_back(each);
  }
  for (const explore::ObjectiveKind& kind : explore::objective_kinds()) {
    const bool listed = std::find(known.begin(), known.end(), kind.key) != known.end();
    if (!listed && boxes_.at(kind.key)->isChecked()) draft.objectives.push_back({kind.key, {}});
  }
}

}  // namespace convscope::ui
