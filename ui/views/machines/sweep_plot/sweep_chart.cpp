#include "ui/views/machines/sweep_plot/sweep_chart.h"

#include <QToolButton>
#include <QVBoxLayout>

namespace convscope::ui {

SweepChart::SweepChart(ViewHost& host, QWidget* parent, SweepCanvas& canvas)
    : QWidget(parent), host_(host), canvas_(canvas), tools_(new FlowLayout), scenes_([this] { return next_scene(); }) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  tools_->setContentsMargins(8, 3, 8, 3);
  column->addLayout(tools_);
  column->addWidget(&canvas_, 1);
  setFocusProxy(&canvas_);
  canvas_.on_open = [this](std::uint64_t point) { host_.machines().open_point(point); };
  canvas_.on_choose = [this](std::uint64_t point) { host_.machines().choose(point); };
  canvas_.describe = [this](std::uint64_t point) { return host_.machines().describe(point); };
  canvas_.set_theme(host.theme());
  connect(&host, &ViewHost::changed, this, &SweepChart::follow);
}

QToolButton* SweepChart::add_button(const QString& name, const QString& text, const QString& help,
                                    std::function<void()> action) {
  auto* button = new QToolButton(this);
  button->setObjectName(name);
  button->setText(text);
  button->setToolTip(help);
  button->setAccessibleName(help);
  button->setAutoRaise(true);
  if (action) connect(button, &QToolButton::clicked, this, std::move(action));
  tools_->addWidget(button);
  return button;
}

void SweepChart::change(const EditLook& edit) {
  SweepLook look = host_.snapshot().exploration->look;
  edit(look);
  host_.machines().set_look(look);
}

void SweepChart::follow(Changes what) {
  if (what.testFlag(Change::theme)) canvas_.set_theme(host_.theme());
  if (what.testAnyFlags(Change::sweep | Change::look)) show_look();
  const bool run_changed = what.testAnyFlags(Change::network | Change::results);
  if (what.testFlag(Change::look) || (run_changed && open_machine(host_.snapshot()) != marked_)) return scenes_.want();
  if (what.testFlag(Change::sweep)) scenes_.want_soon();
}

void SweepChart::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  scenes_.want();
}

PictureJob::Work SweepChart::next_scene() {
  if (!isVisible()) return {};
  const Snapshot& snapshot = host_.snapshot();
  marked_ = open_machine(snapshot);
  const auto table = swept_table(snapshot);
  if (!table) {
    canvas_.show_message(missing_sweep_message(snapshot));
    return {};
  }
  return [this, make = scene_of(table, snapshot.exploration->look, marked_)](const Job&) -> Deliver {
    return [this, show = make()] {
      if (swept_table(host_.snapshot())) show();
    };
  };
}

}  // namespace convscope::ui
