#include "ui/export/report_job.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>

#include "core/base/atomic_file.h"
#include "ui/export/recorded_view.h"
#include "ui/jobs/apart.h"

namespace convscope::ui {
namespace {

constexpr int full = 1000;
constexpr int frame_milliseconds = 30;

/// A view on its way to the window's thread and back.
struct Recording {
  std::mutex mutex;
  std::condition_variable_any arrived;
  std::shared_ptr<const ViewPainter> view;
  bool done = false;
};

/// Waits for the window's thread, which may be busy, or gone by the time that the report is stopped.
std::shared_ptr<const ViewPainter> record_there(std::shared_ptr<const ViewPainter> view, QSizeF size,
                                                const std::stop_token& stop) {
  auto recording = std::make_shared<Recording>();
  QMetaObject::invokeMethod(
      qApp,
      [recording, view = std::move(view), size, stop] {
        auto recorded = stop.stop_requested() ? nullptr : record(view, size, light_theme());
        const std::lock_guard lock(recording->mutex);
        recording->view = std::move(recorded);
        recording->done = true;
        recording->arrived.notify_all();
      },
      Qt::QueuedConnection);
  std::unique_lock lock(recording->mutex);
  recording->arrived.wait(lock, stop, [&] { return recording->done; });
  return recording->view;
}

/// The bytes of the report; nothing if it was stopped.
std::optional<std::string> write(ReportContent content, const std::stop_token& stop,
                                 const std::function<void(double)>& progress) {
  ReportWriter writer(std::move(content), [&stop](std::shared_ptr<const ViewPainter> view, QSizeF size) {
    return record_there(std::move(view), size, stop);
  });
  QElapsedTimer shown;
  shown.start();
  while (!stop.stop_requested() && writer.step()) {
    if (shown.elapsed() < frame_milliseconds) continue;
    progress(writer.fraction());
    shown.restart();
  }
  if (stop.stop_requested()) return std::nullopt;
  return writer.finish().toStdString();
}

}  // namespace

ReportJob::ReportJob(ReportContent content, const QString& file, QWidget* parent)
    : QObject(parent), progress_(new QProgressDialog(tr("Writing the report…"), tr("Cancel"), 0, full, parent)) {
  progress_->setObjectName("report-progress");
  progress_->setMinimumDuration(300);
  progress_->setAutoReset(false);  // the last value is not the end: the file is written then
  progress_->setValue(0);
  connect(progress_, &QProgressDialog::canceled, this, &ReportJob::deleteLater);
  start(std::move(content), file);
}

ReportJob::~ReportJob() {
  stop_.request_stop();
  delete progress_;
}

void ReportJob::start(ReportContent content, const QString& file) {
  const QPointer<ReportJob> self(this);
  const auto show = [self](double fraction) {
    QMetaObject::invokeMethod(
        qApp,
        [self, fraction] {
          if (self && self->progress_) self->progress_->setValue(static_cast<int>(fraction * full));
        },
        Qt::QueuedConnection);
  };
  run_apart<Diagnostics>(
      this,
      [content = std::move(content), file = file.toStdString(), stop = stop_.get_token(), show] {
        Diagnostics diagnostics;
        if (const auto bytes = write(content, stop, show)) write_file_atomically(file, *bytes, diagnostics);
        return diagnostics;
      },
      [this](const Diagnostics& diagnostics) {
        if (stop_.stop_requested()) return;
        emit finished(diagnostics);
        deleteLater();
      });
}

}  // namespace convscope::ui
