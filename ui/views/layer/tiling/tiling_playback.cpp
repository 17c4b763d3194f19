#include "ui/views/layer/tiling/tiling_playback.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QScopedValueRollback>
#include <QSlider>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "ui/parts/drawing.h"
#include "ui/words/figures.h"

namespace convscope::ui {
namespace {

constexpr int frame_milliseconds = 33;
constexpr std::int64_t most_slider_positions = 1'000'000;  // of a slider; more are not to be told apart
constexpr int whole_run_seconds = 20;

}  // namespace

TilingPlayback::TilingPlayback(QWidget* parent)
    : QWidget(parent),
      slider_(new QSlider(Qt::Horizontal, this)),
      speed_(new QComboBox(this)),
      label_(new QLabel(this)) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(6, 2, 6, 2);
  row->setSpacing(2);
  add_action(*row, QStringLiteral("tiling-first"), QStringLiteral("|◀"), tr("First step (Home)"), [this] { go_to(0); });
  add_action(*row, QStringLiteral("tiling-back"), QStringLiteral("‹"), tr("One step back (Left)"),
             [this] { go_to(step_ - 1); });
  play_ = add_action(*row, QStringLiteral("tiling-play"), QStringLiteral("▶"), tr("Play or pause (Space)"),
                     [this] { play(!playing()); });
  add_action(*row, QStringLiteral("tiling-forward"), QStringLiteral("›"), tr("One step on (Right)"),
             [this] { go_to(step_ + 1); });
  add_action(*row, QStringLiteral("tiling-last"), QStringLiteral("▶|"), tr("Last step (End)"),
             [this] { go_to(steps_ - 1); });
  slider_->setObjectName(QStringLiteral("tiling-slider"));
  slider_->setAccessibleName(tr("Step of the loop nest"));
  slider_->setMinimumWidth(80);
  slider_->installEventFilter(this);
  connect(slider_, &QSlider::valueChanged, this, &TilingPlayback::slide);
  row->addWidget(slider_, 1);
  label_->setObjectName(QStringLiteral("tiling-step"));
  label_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  row->addWidget(label_);
  speed_->setObjectName(QStringLiteral("tiling-speed"));
  speed_->setAccessibleName(tr("Speed of the playback"));
  speed_->setToolTip(tr("Speed of the playback"));
  for (const int speed : {1, 4, 16, 64, 256, 1024}) speed_->addItem(tr("%1 steps/s").arg(speed), speed);
  speed_->addItem(tr("all in %1 s").arg(whole_run_seconds), 0);
  speed_->setCurrentIndex(1);
  row->addWidget(speed_);
  for (const artifact::TileTensor tensor : {artifact::TileTensor::input, artifact::TileTensor::weights}) {
    const QString name = QLatin1String(artifact::tile_tensor_name(tensor));
    add_action(*row, "tiling-next-" + name.toLower(), QStringLiteral("⇥ ") + name, tr("Next load of %1").arg(name),
               [this, tensor] {
                 if (on_next_load) on_next_load(tensor);
               });
  }
  timer_.setInterval(frame_milliseconds);
  connect(&timer_, &QTimer::timeout, this, &TilingPlayback::advance);
  set_steps(1, 0);
}

QAction* TilingPlayback::add_action(QHBoxLayout& row, const QString& name, const QString& text, const QString& help,
                                    std::function<void()> run) {
  auto* action = new QAction(text, this);
  action->setObjectName(name);
  action->setToolTip(help);
  connect(action, &QAction::triggered, this, std::move(run));
  auto* button = new QToolButton(this);
  button->setDefaultAction(action);
  button->setAccessibleName(help);
  button->setAutoRaise(true);
  row.addWidget(button);
  return action;
}

void TilingPlayback::set_steps(std::int64_t steps, std::int64_t step) {
  const QScopedValueRollback showing(showing_, true);
  steps_ = std::max<std::int64_t>(1, steps);
  step_ = std::clamp<std::int64_t>(step, 0, steps_ - 1);
  const auto last = static_cast<int>(std::min(steps_ - 1, most_slider_positions));
  slider_->setRange(0, last);
  slider_->setPageStep(std::max(1, last / 20));
  setEnabled(steps_ > 1);
  // A width of its own, or the slider would move while it is dragged.
  label_->setMinimumWidth(label_->fontMetrics().horizontalAdvance(QStringLiteral(" %1 / %1 ").arg(count_text(steps_))));
  show_step();
}

void TilingPlayback::go_to(std::int64_t step) {
  step_ = std::clamp<std::int64_t>(step, 0, steps_ - 1);
  show_step();
  if (on_step) on_step(step_);
}

void TilingPlayback::show_step() {
  const QScopedValueRollback showing(showing_, true);
  label_->setText(QStringLiteral("%1 / %2").arg(count_text(step_ + 1), count_text(steps_)));
  const double share = steps_ > 1 ? static_cast<double>(step_) / static_cast<double>(steps_ - 1) : 0;
  slider_->setValue(static_cast<int>(std::lround(share * slider_->maximum())));
}

void TilingPlayback::slide(int position) {
  if (showing_) return;
  const bool exact = steps_ - 1 <= most_slider_positions;
  const double share = static_cast<double>(position) / std::max(1, slider_->maximum());
  go_to(exact ? position : std::llround(share * static_cast<double>(steps_ - 1)));
}

void TilingPlayback::play(bool on) {
  if (on && step_ == steps_ - 1) go_to(0);
  rest_ = 0;
  since_.start();
  on&& steps_ > 1 ? timer_.start() : timer_.stop();
  play_->setText(playing() ? QStringLiteral("▮▮") : QStringLiteral("▶"));
}

double TilingPlayback::steps_per_second() const {
  const int speed = speed_->currentData().toInt();
  return speed > 0 ? speed : static_cast<double>(steps_) / whole_run_seconds;
}

void TilingPlayback::advance() {
  rest_ += steps_per_second() * static_cast<double>(since_.restart()) / 1000;
  const auto due = static_cast<std::int64_t>(rest_);
  if (due < 1) return;
  rest_ -= static_cast<double>(due);
  go_to(step_ + due);
  if (step_ == steps_ - 1) play(false);
}

bool TilingPlayback::take_key(const QKeyEvent& event) {
  const std::int64_t stride =
      event.modifiers().testFlag(Qt::ControlModifier) ? std::max<std::int64_t>(1, steps_ / 100) : 1;
  switch (event.key()) {
    case Qt::Key_Space:
      play(!playing());
      return true;
    case Qt::Key_Left:
      go_to(step_ - stride);
      return true;
    case Qt::Key_Right:
      go_to(step_ + stride);
      return true;
    case Qt::Key_Home:
      go_to(0);
      return true;
    case Qt::Key_End:
      go_to(steps_ - 1);
      return true;
    default:
      return false;
  }
}

bool TilingPlayback::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::KeyPress && take_key(*static_cast<QKeyEvent*>(event))) return true;
  return QWidget::eventFilter(watched, event);
}

void TilingPlayback::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  play(false);
}

}  // namespace convscope::ui
