#include "ui/panels/sweep_results/sweep_strip.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

#include "ui/document/exploration/exploration.h"
#include "ui/panels/sweep_results/sweep_status.h"

namespace convscope::ui {
namespace {

constexpr int full = 1000;
constexpr int bar_width = 100;

}  // namespace

SweepStrip::SweepStrip(Workbench& workbench, QWidget* parent)
    : QWidget(parent),
      workbench_(workbench),
      text_(new QLabel(this)),
      bar_(new QProgressBar(this)),
      cancel_(new QPushButton(tr("Cancel sweep"), this)) {
  setObjectName("sweep-strip");
  text_->setObjectName("sweep-activity");
  bar_->setObjectName("sweep-progress");
  bar_->setAccessibleName(tr("Progress of the sweep"));
  bar_->setRange(0, full);
  bar_->setTextVisible(false);
  bar_->setFixedWidth(bar_width);
  cancel_->setObjectName("cancel-sweep-button");
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(text_);
  row->addWidget(bar_);
  row->addWidget(cancel_);
  Exploration& exploration = workbench.exploration();
  connect(cancel_, &QPushButton::clicked, &exploration, [&exploration] {
    if (exploration.opening_files()) return exploration.cancel_opening();
    exploration.cancel_sweep();
    exploration.cancel_analysis();
  });
  connect(&exploration, &Exploration::sweep_changed, this, &SweepStrip::refresh);
  connect(&exploration, &Exploration::analysis_changed, this, &SweepStrip::refresh);
  refresh();
}

void SweepStrip::refresh() {
  const Exploration& exploration = workbench_.exploration();
  const SweepProgress& progress = exploration.progress();
  setVisible(exploration.sweeping() || exploration.analyzing() || exploration.opening_files());
  if (!exploration.sweeping()) {
    text_->setText(exploration.opening_files() ? tr("reading results") : tr("measuring what helps most"));
    cancel_->setText(tr("Cancel"));
    bar_->setRange(0, 0);
    return;
  }
  const double all = static_cast<double>(progress.planned.value_or(progress.size));
  bar_->setRange(0, full);
  bar_->setValue(all > 0 ? static_cast<int>(full * static_cast<double>(progress.seen) / all) : 0);
  cancel_->setText(tr("Cancel sweep"));
  text_->setText(progress.seconds_left ? tr("sweep: %1 left").arg(duration_text(*progress.seconds_left))
                                       : tr("sweep: %1 points").arg(progress.seen));
  text_->setToolTip(sweep_status(exploration));
}

}  // namespace convscope::ui
