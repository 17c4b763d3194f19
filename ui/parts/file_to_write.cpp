#include "ui/parts/file_to_write.h"

#include <QFileDialog>
#include <QFileInfo>

namespace convscope::ui {

QString ask_for_file_to_write(QWidget* parent, const QString& title, const QString& suggestion, const QString& filter,
                              const QString& suffix) {
  QFileDialog dialog(parent, title, QFileInfo(suggestion).absolutePath(), filter);
  dialog.setObjectName("file-to-write");
  dialog.setAcceptMode(QFileDialog::AcceptSave);
  dialog.setFileMode(QFileDialog::AnyFile);
  dialog.setDefaultSuffix(suffix);
  dialog.selectFile(QFileInfo(suggestion).fileName());
  return dialog.exec() == QDialog::Accepted ? dialog.selectedFiles().value(0) : QString();
}

}  // namespace convscope::ui
