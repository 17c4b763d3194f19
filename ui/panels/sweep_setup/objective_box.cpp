#include "ui/panels/sweep_setup/objective_box.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <algorithm>

namespace convscope::ui {
namespace {

constexpr int columns = 4;
constexpr int value_width = 8;  // characters

}  // namespace

ObjectiveBox::ObjectiveBox(QWidget* parent) : QGroupBox(tr("Front over"), parent), grid_(new QGridLayout(this)) {
  setObjectName("objectives");
  grid_->setVerticalSpacing(2);
  label_ = new QLabel(tr("Compared: machines that map at least this part of the MACs"), this);
  coverage_ = new QLineEdit(this);
  coverage_->setObjectName("minimum-coverage");
  coverage_->setAccessibleName(label_->text());
  coverage_->setPlaceholderText("1");
  coverage_->setToolTip(tr("A part from 0 to 1. Others are shown, but never on the front."));
  coverage_->setFixedWidth(fontMetrics().averageCharWidth() * value_width + 16);
  label_->setBuddy(coverage_);
  connect(coverage_, &QLineEdit::textEdited, this, &ObjectiveBox::edited);
  offer(explore::objectives_of({}));
}

bool ObjectiveBox::offers(const std::vector<artifact::FigureDescription>& objectives) const {
  return std::equal(objectives.begin(), objectives.end(), offered_.begin(), offered_.end(),
                    [](const auto& a, const auto& b) { return a.key == b.key; });
}

QCheckBox* ObjectiveBox::make_box(const artifact::FigureDescription& objective) {
  auto* box = new QCheckBox(QString::fromStdString(objective.label_of_total()), this);
  box->setObjectName("objective-" + QString::fromStdString(objective.key));
  box->setToolTip(objective.better == artifact::Better::more ? tr("More is better") : tr("Less is better"));
  connect(box, &QCheckBox::toggled, this, &ObjectiveBox::edited);
  return box;
}

void ObjectiveBox::offer(const std::vector<artifact::FigureDescription>& objectives) {
  if (offers(objectives)) return;
  const QSignalBlocker quiet(this);
  auto before = std::move(boxes_);
  boxes_.clear();
  offered_ = objectives;
  grid_->removeWidget(label_);
  grid_->removeWidget(coverage_);
  int place = 0;
  QWidget* last = this;
  for (const artifact::FigureDescription& each : offered_) {
    const auto known = before.extract(each.key);
    QCheckBox* box = known.empty() ? make_box(each) : known.mapped();
    boxes_[each.key] = box;
    grid_->addWidget(box, place / columns, place % columns);
    ++place;
    if (last != this) setTabOrder(last, box);
    last = box;
  }
  for (const auto& [key, box] : before) {
    std::erase_if(as_read_, [&key = key](const explore::DraftObjective& each) { return each.name == key; });
    delete box;
  }
  const int row = (place + columns - 1) / columns;
  grid_->addWidget(label_, row, 0, 1, columns - 1);
  grid_->addWidget(coverage_, row, columns - 1, Qt::AlignLeft);
  setTabOrder(last, coverage_);
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
  for (const artifact::FigureDescription& each : offered_) {
    const bool listed = std::find(known.begin(), known.end(), each.key) != known.end();
    if (!listed && boxes_.at(each.key)->isChecked()) draft.objectives.push_back({each.key, {}});
  }
}

}  // namespace convscope::ui
