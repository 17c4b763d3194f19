#include "ui/export/report_job.h"

#include <QElapsedTimer>
#include <condition_variable>
#include <mutex>
#include <utility>

#include "core/base/atomic_file.h"
#include "core/base/cancellation.h"
#include "ui/export/recorded_view.h"

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
std::shared_ptr<const ViewPainter> record_there(std::shared_ptr<const ViewPainter> view, QSizeF size, const Job& job) {
  auto recording = std::make_shared<Recording>();
  job.tell([recording, view = std::move(view), size] {
    auto recorded = record(view, size, light_theme());
    const std::lock_guard lock(recording->mutex);
    recording->view = std::move(recorded);
    recording->done = true;
    recording->arrived.notify_all();
  });
  std::unique_lock lock(recording->mutex);
  recording->arrived.wait(lock, job.stop(), [&] { return recording->done; });
  return recording->view;
}

/// The bytes of the report. Throws Cancelled.
std::string write(ReportContent content, const Job& job, const std::function<void(double)>& progress) {
  ReportWriter writer(std::move(content), [&job](std::shared_ptr<const ViewPainter> view, QSizeF size) {
    return record_there(std::move(view), size, job);
  });
  QElapsedTimer shown;
  shown.start();
  while (!job.stop().stop_requested() && writer.step()) {
    if (shown.elapsed() < frame_milliseconds) continue;
    progress(writer.fraction());
    shown.restart();
  }
  throw_if_stopped(job.stop());
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
  delete progress_;
}

void ReportJob::start(ReportContent content, const QString& file) {
  const auto show = [this](double fraction) {
    if (progress_) progress_->setValue(static_cast<int>(fraction * full));
  };
  job_.start([this, content = std::move(content), file = file.toStdString(), show](const Job& job) -> Deliver {
    Diagnostics diagnostics;
    const auto progress = [&](double fraction) { job.tell([show, fraction] { show(fraction); }); };
    write_file_atomically(file, write(content, job, progress), diagnostics);
    return [this, diagnostics] {
      emit finished(diagnostics);
      deleteLater();
    };
  });
}

}  // namespace convscope::ui
