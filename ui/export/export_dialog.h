#pragma once
// Asks for what to export, how large and in which colours, and writes it.

#include <QDialog>

#include "core/base/diagnostic.h"
#include "ui/document/loader.h"

class QComboBox;
class QDialogButtonBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace convscope::ui {

class Workbench;

class ExportDialog : public QDialog {
  Q_OBJECT
 public:
  /// `view`: id of the view that is chosen at first; `on_screen`: its size in the window.
  ExportDialog(Workbench& workbench, const QString& view, QSize on_screen, QWidget* parent);

 private:
  void build(QSize on_screen);
  void add_size_row(QFormLayout& form);
  void choose_view(const QString& id);
  void choose_file();
  void refresh();
  void write();
  void written(const Diagnostics& diagnostics);

  Workbench& workbench_;
  QComboBox *view_, *format_, *theme_;
  QSpinBox *width_, *height_;
  QDoubleSpinBox* scale_;
  QLineEdit* file_;
  QLabel* answer_;
  QDialogButtonBox* buttons_ = nullptr;
  Loader loader_;  // last: it waits for work that is under way
};

}  // namespace convscope::ui
