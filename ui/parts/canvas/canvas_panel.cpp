#include "ui/parts/canvas/canvas_panel.h"

#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/parts/canvas/message_painter.h"
#include "ui/parts/comparison/comparison_strip.h"
#include "ui/parts/program_picker.h"

namespace convscope::ui {
namespace {

constexpr int zoom_buttons = 3;  // the last tools

QToolButton* make_button(QWidget* parent, const QString& text, const QString& help, std::function<void()> action) {
  auto* button = new QToolButton(parent);
  button->setText(text);
  button->setToolTip(help);
  button->setAccessibleName(help);
  button->setAutoRaise(true);
  QObject::connect(button, &QToolButton::clicked, parent, std::move(action));
  return button;
}

CanvasPanel::LongPrepare never_stopped(CanvasPanel::Prepare prepare) {
  return [prepare = std::move(prepare)](const Snapshot& snapshot, const std::stop_token&) { return prepare(snapshot); };
}

}  // namespace

CanvasPanel::CanvasPanel(ViewHost& host, QWidget* parent, Prepare prepare, Shows shows)
    : QWidget(parent),
      host_(host),
      prepare_(never_stopped(std::move(prepare))),
      strip_(new ComparisonStrip(this)),
      canvas_(new CanvasWidget(this)),
      pictures_([this] { return next_picture(); }) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  tools_ = new QHBoxLayout;
  tools_->setContentsMargins(6, 3, 6, 3);
  if (shows == Shows::program) tools_->addWidget(new ProgramPicker(host, this));
  tools_->addStretch(1);
  tools_->addWidget(make_button(this, QStringLiteral("−"), QStringLiteral("Zoom out (−, Ctrl+wheel)"),
                                [this] { canvas_->zoom(0.8); }));
  tools_->addWidget(make_button(this, QStringLiteral("+"), QStringLiteral("Zoom in (+, Ctrl+wheel)"),
                                [this] { canvas_->zoom(1.25); }));
  tools_->addWidget(
      make_button(this, QStringLiteral("Fit"), QStringLiteral("Show everything (0)"), [this] { canvas_->fit(); }));
  column->addLayout(tools_);
  column->addWidget(strip_);
  column->addWidget(canvas_, 1);
  setFocusProxy(canvas_);

  canvas_->on_select = [this](const artifact::Ref& ref) { host_.select(ref); };
  connect(&host, &ViewHost::changed, this, &CanvasPanel::follow);
  strip_->set_theme(host.theme());
  canvas_->set_theme(host.theme());
}

CanvasPanel::CanvasPanel(ViewHost& host, QWidget* parent, Prepare prepare, ComparedArtifact compared)
    : CanvasPanel(host, parent, std::move(prepare)) {
  compared_ = compared;
}

void CanvasPanel::add_tool(QWidget* tool) {
  tools_->insertWidget(tools_->count() - zoom_buttons - 1, tool);  // before the stretch
}

void CanvasPanel::show_canvas(bool shown) {
  canvas_->setVisible(shown);
  for (int i = tools_->count() - zoom_buttons; i < tools_->count(); ++i) tools_->itemAt(i)->widget()->setVisible(shown);
}

void CanvasPanel::set_prepare(Prepare prepare) {
  set_prepare(never_stopped(std::move(prepare)));
}

void CanvasPanel::set_prepare(LongPrepare prepare) {
  prepare_ = std::move(prepare);
  prepared_.reset();
  refresh();
}

void CanvasPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (stale_) refresh();
}

void CanvasPanel::refresh() {
  stale_ = !isVisible();
  if (stale_) return;
  if (subject() == prepared_) return pictures_.want();
  pictures_.want_instead();
}

CanvasPanel::Subject CanvasPanel::subject() const {
  const Snapshot& snapshot = host_.snapshot();
  return {snapshot.network, snapshot.selection.layer, snapshot.program()};
}

PictureJob::Work CanvasPanel::next_picture() {
  stale_ = !isVisible();
  if (stale_) return {};
  prepared_ = subject();
  return [this, prepare = prepare_, snapshot = host_.snapshot()](const Job& job) {
    const std::shared_ptr<CanvasPainter> painter = prepare(snapshot, job.stop());
    return [this, painter] {
      show_painter(painter);
      if (compared_) compare(*painter);
    };
  };
}

void CanvasPanel::show_painter(std::shared_ptr<CanvasPainter> painter) {
  painter->select(host_.snapshot().selection);
  canvas_->set_painter(std::move(painter), host_.theme());
  if (on_painter) on_painter();
}

void CanvasPanel::compare(const CanvasPainter& painter) {
  const bool shows_layer = dynamic_cast<const MessagePainter*>(&painter) == nullptr;
  comparison_.start<ComparisonLine>(
      [snapshot = host_.snapshot(), shows_layer, compared = *compared_](const std::stop_token&) {
        return shows_layer ? comparison_line(snapshot, compared) : ComparisonLine{};
      },
      [this](const ComparisonLine& line) { strip_->set_line(line); });
}

void CanvasPanel::follow(Changes what) {
  if (what.testFlag(Change::theme)) {
    canvas_->set_theme(host_.theme());
    strip_->set_theme(host_.theme());
  }
  if (what.testAnyFlags(Change::network | Change::results | Change::baselines)) return refresh();
  if (what.testFlag(Change::selection)) follow_selection();
}

void CanvasPanel::follow_selection() {
  const Snapshot& snapshot = host_.snapshot();
  const CanvasPainter* painter = canvas_->painter();
  const bool same = painter && painter->covers(snapshot.selection, snapshot.program());
  if (!same || stale_) return refresh();
  canvas_->select(snapshot.selection);
}

}  // namespace convscope::ui
