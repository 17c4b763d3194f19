#include "ui/window/progress_strip.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

namespace convscope::ui {
namespace {

// Work that is done sooner needs no bar; one that flashes by only disturbs.
constexpr int patience_milliseconds = 300;
constexpr int full = 1000;
constexpr int activity_width = 160;  // so that the bar does not jump with the text

void keep_place(QWidget& widget) {
  QSizePolicy policy = widget.sizePolicy();
  policy.setRetainSizeWhenHidden(true);
  widget.setSizePolicy(policy);
}

}  // namespace

ProgressStrip::ProgressStrip(Workbench& workbench, QWidget* parent)
    : QWidget(parent),
      workbench_(workbench),
      text_(new QLabel(this)),
      bar_(new QProgressBar(this)),
      cancel_(new QPushButton(tr("Cancel"), this)) {
  setObjectName("progress-strip");
  text_->setObjectName("activity");
  bar_->setObjectName("progress");
  bar_->setAccessibleName(tr("Progress of the compilation"));
  bar_->setRange(0, full);
  bar_->setTextVisible(false);
  bar_->setFixedWidth(140);
  cancel_->setObjectName("cancel");
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(bar_);
  layout->addWidget(cancel_);
  layout->addWidget(text_);
  text_->setMinimumWidth(activity_width);
  text_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  for (QWidget* widget : {static_cast<QWidget*>(bar_), static_cast<QWidget*>(cancel_)}) {
    keep_place(*widget);
    widget->hide();
  }
  patience_.setSingleShot(true);
  patience_.setInterval(patience_milliseconds);
  connect(&patience_, &QTimer::timeout, this, &ProgressStrip::refresh);
  connect(cancel_, &QPushButton::clicked, &workbench, &Workbench::cancel);
  connect(&workbench, &Workbench::progress_changed, this, &ProgressStrip::show_progress);
  on_change(workbench, this, Change::network | Change::results, [this] { refresh(); });
  refresh();
}

void ProgressStrip::show_progress(double fraction, const QString& activity) {
  bar_->setValue(static_cast<int>(fraction * full));
  if (workbench_.busy() && !activity.isEmpty()) text_->setText(activity);
  if (workbench_.busy() && !patience_.isActive() && !bar_->isVisible()) patience_.start();
  if (!workbench_.busy()) refresh();
}

void ProgressStrip::refresh() {
  const bool busy = workbench_.busy();
  if (!busy) {
    patience_.stop();
    text_->setText(workbench_.network() ? tr("Ready") : QString());
  }
  if (busy && patience_.isActive()) return;
  bar_->setVisible(busy);
  cancel_->setVisible(busy);
}

}  // namespace convscope::ui
