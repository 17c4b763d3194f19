#include <QMessageBox>

#include "ui/export/export_dialog.h"
#include "ui/export/report_job.h"
#include "ui/parts/file_to_write.h"
#include "ui/window/main_window.h"
#include "ui/window/view_area.h"
#include "ui/window/view_list.h"

namespace convscope::ui {

void MainWindow::ask_for_export() {
  const QString id = views_->current_view();
  const QWidget* view = views_->findChild<QWidget*>("view-" + id);
  (new ExportDialog(workbench_, view_entries(), id, view == nullptr ? size() : view->size(), this))->show();
}

void MainWindow::ask_for_report() {
  const QString file = ask_for_file_to_write(this, tr("Write a report to"), QStringLiteral("report.pdf"),
                                             tr("PDF (*.pdf)"), QStringLiteral("pdf"));
  if (file.isEmpty()) return;
  auto* job = new ReportJob(report_content(workbench_, view_entries()), file, this);
  connect(job, &ReportJob::finished, this, [this](const Diagnostics& diagnostics) {
    if (!diagnostics.empty()) QMessageBox::warning(this, tr("Report"), QString::fromStdString(diagnostics.text()));
  });
}

}  // namespace convscope::ui
