#pragma once
// Writes a report away from the window's thread, with progress and a Cancel.

#include <QObject>
#include <QPointer>
#include <QProgressDialog>

#include "ui/export/report.h"
#include "ui/jobs/long_job.h"

namespace convscope::ui {

/// Deletes itself when it is done or cancelled, at once: what is under way then ends by itself, and writes nothing.
class ReportJob : public QObject {
  Q_OBJECT
 public:
  ReportJob(ReportContent content, const QString& file, QWidget* parent);
  ~ReportJob() override;

 signals:
  /// Empty diagnostics: the file is there.
  void finished(const convscope::Diagnostics& diagnostics);

 private:
  void start(ReportContent content, const QString& file);

  QPointer<QProgressDialog> progress_;
  LongJob job_;
};

}  // namespace convscope::ui
