#include "tests/ui/busy_window.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QProgressDialog>
#include <QPushButton>
#include <QSlider>
#include <QStyleOptionSlider>
#include <QTableView>
#include <QTreeView>
#include <algorithm>
#include <ctime>

#include "core/catalogue/standard.h"
#include "tests/made/window_events.h"
#include "ui/document/baselines.h"
#include "ui/export/export_dialog.h"
#include "ui/export/report_job.h"
#include "ui/window/view_list.h"

namespace convscope::ui::test {
namespace {

using made::run_until;

constexpr int frame_milliseconds = 16;

double thread_milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

void handle_events(int milliseconds) {
  QElapsedTimer time;
  time.start();
  run_until([&] { return time.elapsed() >= milliseconds; });
}

bool reached(const std::function<bool()>& condition) {
  run_until(condition);
  return condition();
}

QPoint handle_of(const QSlider& slider) {
  QStyleOptionSlider option;
  option.initFrom(&slider);
  option.orientation = slider.orientation();
  option.minimum = slider.minimum();
  option.maximum = slider.maximum();
  option.sliderPosition = slider.sliderPosition();
  option.sliderValue = slider.value();
  option.singleStep = slider.singleStep();
  option.pageStep = slider.pageStep();
  return slider.style()->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderHandle, &slider).center();
}

void mouse(QWidget& widget, QEvent::Type type, QPointF point, Qt::MouseButton button, Qt::MouseButtons buttons) {
  QMouseEvent event(type, point, widget.mapToGlobal(point), button, buttons, Qt::NoModifier);
  QCoreApplication::sendEvent(&widget, &event);
}

double milliseconds(const QElapsedTimer& time) {
  return static_cast<double>(time.nsecsElapsed()) / 1e6;
}

}  // namespace

ThreadWatch::ThreadWatch() {
  QObject::connect(&heartbeat_, &QTimer::timeout, &heartbeat_, [this] { beat(); });
  heartbeat_.setTimerType(Qt::PreciseTimer);
  heartbeat_.start(1);
  begin("start");
}

void ThreadWatch::begin(const std::string& activity) {
  if (!blocks_.empty()) beat();
  const auto found =
      std::find_if(blocks_.begin(), blocks_.end(), [&](const Block& each) { return each.activity == activity; });
  current_ = static_cast<std::size_t>(found - blocks_.begin());
  if (found == blocks_.end()) blocks_.push_back({activity});
  since_.start();
  thread_ = thread_milliseconds();
}

void ThreadWatch::beat() {
  Block& block = blocks_[current_];
  const double now = thread_milliseconds();
  block.wall_milliseconds = std::max(block.wall_milliseconds, milliseconds(since_));
  block.thread_milliseconds = std::max(block.thread_milliseconds, now - thread_);
  since_.restart();
  thread_ = now;
}

BusyWindow::BusyWindow(const QString& target)
    : workbench_(std::make_unique<Workbench>(catalogue::standard())),
      window_(std::make_unique<MainWindow>(*workbench_)) {
  workbench_->set_target(target);
  window_->show();
  run_until([&] { return workbench_->target()->id() == target.toStdString(); });
}

BusyWindow::~BusyWindow() = default;

bool BusyWindow::open(const QString& path) {
  watch_.begin("opening");
  const auto before = workbench_->network();
  workbench_->open_network(path);
  const auto* tree = window_->findChild<QTreeView*>("network-tree");
  const bool shown = reached(
      [&] { return workbench_->network() != before && tree->model()->rowCount(tree->model()->index(0, 0)) > 0; });
  handle_events(frame_milliseconds);
  watch_.begin("compiling");
  return shown;
}

bool BusyWindow::compile() {
  const bool compiled = reached([&] { return !workbench_->busy(); });
  handle_events(frame_milliseconds);
  return compiled && workbench_->snapshot().compiled;
}

bool BusyWindow::settle() {
  const bool settled = reached([&] { return !workbench_->busy() && workbench_->settled(); });
  handle_events(frame_milliseconds);
  return settled;
}

bool BusyWindow::drag(const QString& parameter, int moves) {
  watch_.begin("dragging");
  auto* slider = window_->findChild<QSlider*>("slider-" + parameter);
  if (slider == nullptr) return false;
  const double before = workbench_->machine().at(*workbench_->machine().description().find(parameter.toStdString()));
  const QPoint handle = handle_of(*slider);
  mouse(*slider, QEvent::MouseButtonPress, handle, Qt::LeftButton, Qt::LeftButton);
  const bool held = slider->isSliderDown();
  const int reach = std::max(8, slider->width() / 3), middle = slider->width() / 2;
  bool changed = false;
  for (int move = 0; move < moves; ++move) {
    const int x = middle + (move % 4 < 2 ? reach : -reach) / (1 + move % 2);
    mouse(*slider, QEvent::MouseMove, QPointF(x, handle.y()), Qt::NoButton, Qt::LeftButton);
    handle_events(frame_milliseconds);
    changed |= workbench_->machine().at(*workbench_->machine().description().find(parameter.toStdString())) != before;
  }
  mouse(*slider, QEvent::MouseButtonRelease, QPointF(handle_of(*slider)), Qt::LeftButton, Qt::NoButton);
  return held && changed;
}

void BusyWindow::switch_views() {
  watch_.begin("switching views");
  for (const ViewEntry& each : view_entries()) {
    const std::string activity = "showing " + each.id.toStdString();
    watch_.begin(activity);
    window_->findChild<QAction*>("show-" + each.id)->trigger();
    handle_events(4 * frame_milliseconds);
  }
}

void BusyWindow::look_for_layers() {
  auto& table = *window_->findChild<QTableView*>("layer-table");
  const int columns = table.model()->columnCount();
  for (const int column : {0, columns / 2, columns - 1}) {
    watch_.begin("sorting layers");
    table.sortByColumn(column, Qt::DescendingOrder);
    handle_events(2 * frame_milliseconds);
  }
  for (const char* field : {"layer-search", "network-search"}) {
    for (const char* text : {"conv", "conv 1", "no such layer", ""}) {
      watch_.begin(std::string("typing into ") + field);
      window_->findChild<QLineEdit*>(field)->setText(text);
      handle_events(2 * frame_milliseconds);
    }
  }
  for (const char* action : {"copy-layer-table", "copy-network-tree"}) {
    watch_.begin("copying");
    QGuiApplication::clipboard()->clear();
    window_->findChild<QAction*>(action)->trigger();
    run_until([] { return !QGuiApplication::clipboard()->text().isEmpty(); });
  }
  watch_.begin("compiling sorted layers");
  window_->findChild<QAction*>("recompile")->trigger();
  compile();
  table.sortByColumn(-1, Qt::AscendingOrder);
}

void BusyWindow::resize() {
  watch_.begin("resizing");
  for (const QSize size : {QSize(1920, 1080), QSize(900, 600), QSize(1400, 860)}) {
    window_->resize(size);
    handle_events(2 * frame_milliseconds);
  }
}

bool BusyWindow::export_view(const QString& view, const QString& format, const QString& folder) {
  watch_.begin("exporting " + view.toStdString() + " as " + format.toStdString());
  window_->findChild<QAction*>("export-view")->trigger();
  const QPointer<ExportDialog> dialog = window_->findChild<ExportDialog*>();
  auto& views = *dialog->findChild<QComboBox*>("export-view");
  views.setCurrentIndex(views.findData(view));
  emit views.activated(views.currentIndex());
  auto& formats = *dialog->findChild<QComboBox*>("export-format");
  formats.setCurrentIndex(formats.findData(format));
  dialog->findChild<QLineEdit*>("export-file")->setText(folder + '/' + view + '.' + format);
  auto& buttons = *dialog->findChild<QDialogButtonBox*>();
  buttons.button(QDialogButtonBox::Save)->click();
  bool written = false;
  run_until([&] {
    written = dialog.isNull() || !dialog->isVisible();
    return written || buttons.button(QDialogButtonBox::Save)->isEnabled();
  });
  if (dialog) dialog->close();
  run_until([&] { return dialog.isNull(); });
  return written;
}

bool BusyWindow::export_views(const QString& folder) {
  bool all_written = true;
  for (const ViewEntry& each : view_entries()) {
    for (const char* format : {"png", "csv"}) all_written &= export_view(each.id, format, folder);
  }
  return all_written;
}

bool BusyWindow::write_report(const QString& file) {
  watch_.begin("writing a report");
  bool written = false;
  const QPointer<ReportJob> job = new ReportJob(report_content(*workbench_, view_entries()), file, window_.get());
  QObject::connect(job, &ReportJob::finished, job, [&](const Diagnostics& problems) { written = problems.empty(); });
  run_until([&] { return job.isNull(); });
  return written;
}

double BusyWindow::cancel_report(const QString& file) {
  watch_.begin("cancelling a report");
  const QPointer<ReportJob> job = new ReportJob(report_content(*workbench_, view_entries()), file, window_.get());
  const QPointer<QProgressDialog> progress = window_->findChild<QProgressDialog*>("report-progress");
  run_until([&] { return progress.isNull() || progress->isVisible(); });
  if (job.isNull() || progress.isNull()) return -1;
  QElapsedTimer time;
  time.start();
  progress->findChild<QPushButton*>()->click();
  run_until([&] { return job.isNull() && progress.isNull(); });
  return milliseconds(time);
}

bool BusyWindow::pin(const QString& parameter) {
  watch_.begin("pinning");
  window_->findChild<QAction*>("pin-baseline")->trigger();
  handle_events(2 * frame_milliseconds);
  const auto index = workbench_->machine().description().find(parameter.toStdString());
  if (workbench_->baselines().entries.empty() || !index) return false;
  auto* slider = window_->findChild<QSlider*>("slider-" + parameter);
  slider->setValue(slider->value() > slider->minimum() ? slider->value() - 1 : slider->value() + 1);
  const bool compiled = compile();
  watch_.begin("comparing");
  window_->findChild<QAction*>("show-comparison")->trigger();
  handle_events(4 * frame_milliseconds);
  watch_.begin("taking back");
  while (workbench_->undo_stack().canUndo()) {
    window_->findChild<QAction*>("undo")->trigger();
    handle_events(frame_milliseconds);
  }
  return compile() && compiled && workbench_->baselines().entries.empty();
}

double BusyWindow::cancel_compilation() {
  watch_.begin("cancelling");
  // A click, not the function behind it: on the strip if it is there already, as on any button.
  window_->findChild<QAction*>("recompile")->trigger();
  run_until([&] { return !workbench_->busy() || workbench_->snapshot().compiled != nullptr; });
  handle_events(2);
  if (!workbench_->busy()) return -1;
  made::PaintWatch painted(*window_->findChild<QLabel*>("notice"));  // says so
  QElapsedTimer time;
  time.start();
  window_->findChild<QAction*>("cancel-work")->trigger();
  run_until([&] { return painted.painted && !workbench_->busy(); });
  return milliseconds(time);
}

double BusyWindow::close_while_opening(const QString& path) {
  watch_.begin("closing");
  workbench_->open_network(path);
  handle_events(frame_milliseconds);
  QElapsedTimer time;
  time.start();
  window_->close();
  window_.reset();
  workbench_.reset();
  return milliseconds(time);
}

}  // namespace convscope::ui::test
