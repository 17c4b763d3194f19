#pragma once
// Writes a report page by page between the window's other events, with progress and a Cancel.

#include <QObject>
#include <QPointer>
#include <QProgressDialog>
#include <QTimer>

#include "ui/document/loader.h"
#include "ui/export/report.h"

namespace convscope::ui {

/// Deletes itself when it is done or cancelled; nothing is written if it was cancelled.
class ReportJob : public QObject {
  Q_OBJECT
 public:
  ReportJob(ReportContent content, const QString& file, QWidget* parent);
  ~ReportJob() override;

 signals:
  /// Empty diagnostics: the file is there.
  void finished(const convscope::Diagnostics& diagnostics);

 private:
  void step();
  void write();

  ReportWriter writer_;
  QString file_;
  QPointer<QProgressDialog> progress_;
  QTimer next_;
  Loader loader_;
};

}  // namespace convscope::ui
