#pragma once
// Asks for what to export, how large and in which colours, and writes it.

#include <QDialog>
#include <functional>
#include <memory>
#include <span>

#include "core/base/diagnostic.h"
#include "ui/jobs/latest_job.h"

class QComboBox;
class QDialogButtonBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace convscope::ui {

class ViewPainter;
class Workbench;
struct ExportRequest;
struct Theme;
struct ViewEntry;

class ExportDialog : public QDialog {
  Q_OBJECT
 public:
  /// `views`: those to choose among, which outlive the dialog; `view`: id of the one that is chosen at first;
  /// `on_screen`: its size in the window.
  ExportDialog(Workbench& workbench, std::span<const ViewEntry> views, const QString& view, QSize on_screen,
               QWidget* parent);
  ~ExportDialog() override;

  /// Asks whether a file that is there already is replaced.
  std::function<bool(const QString& file)> may_replace;

 private:
  void build(QSize on_screen);
  void add_size_row(QFormLayout& form);
  void choose_view(const QString& id);
  const ViewEntry& chosen_view() const;
  void choose_file();
  void refresh();
  /// Makes the chosen view's painter away from the window's thread, and hands it over.
  void prepare(LatestJob& job, std::function<void(std::shared_ptr<const ViewPainter>)> take);
  /// True if there is no such file, or the user wants it replaced.
  bool agreed();
  void write();
  void render(std::shared_ptr<const ViewPainter> painter, const QString& title, const Theme& theme,
              const ExportRequest& request);
  void written(const Diagnostics& diagnostics);

  Workbench& workbench_;
  std::span<const ViewEntry> views_;
  QComboBox *view_, *format_, *theme_;
  QSpinBox *width_, *height_;
  QDoubleSpinBox* scale_;
  QLineEdit* file_;
  QString agreed_;  ///< file that the user chose in a dialog of files, which asks by itself
  QLabel* answer_;
  QDialogButtonBox* buttons_ = nullptr;
  LatestJob measuring_, writing_;  ///< what is still being drawn when this goes is written nowhere
};

}  // namespace convscope::ui
