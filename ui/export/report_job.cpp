#include "ui/export/report_job.h"

#include <utility>

#include "core/base/atomic_file.h"

namespace convscope::ui {

ReportJob::ReportJob(ReportContent content, const QString& file, QWidget* parent)
    : QObject(parent),
      writer_(std::move(content)),
      file_(file),
      progress_(new QProgressDialog(tr("Writing the report…"), tr("Cancel"), 0, writer_.steps(), parent)) {
  progress_->setObjectName("report-progress");
  progress_->setMinimumDuration(300);
  connect(progress_, &QProgressDialog::canceled, this, &ReportJob::deleteLater);
  connect(&next_, &QTimer::timeout, this, &ReportJob::step);
  next_.start(0);
}

ReportJob::~ReportJob() {
  delete progress_;
}

void ReportJob::step() {
  if (!writer_.step()) {
    next_.stop();
    return write();
  }
  progress_->setValue(writer_.done() - 1);  // the last value would close the dialog before the file is written
}

void ReportJob::write() {
  loader_.run<Diagnostics>(
      [content = writer_.finish().toStdString(), file = file_.toStdString()] {
        Diagnostics diagnostics;
        write_file_atomically(file, content, diagnostics);
        return diagnostics;
      },
      [this](const Diagnostics& diagnostics) {
        emit finished(diagnostics);
        deleteLater();
      });
}

}  // namespace convscope::ui
