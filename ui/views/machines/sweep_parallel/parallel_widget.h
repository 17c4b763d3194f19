#pragma once
// Parallel coordinates of the running sweep with their tools: colour, which axes are shown, brushes cleared.

#include <QWidget>
#include <memory>
#include <optional>

#include "ui/jobs/picture_job.h"
#include "ui/views/machines/sweep_parallel/parallel_canvas.h"
#include "ui/views/machines/sweep_plot/column_chooser.h"

class QToolButton;

namespace convscope::ui {

class FlowLayout;
class Workbench;

class ParallelWidget : public QWidget {
 public:
  ParallelWidget(Workbench& workbench, QWidget* parent);

  ParallelCanvas& canvas() { return *canvas_; }
  /// Nothing is being prepared: what is shown is the newest.
  bool idle() const { return scenes_.idle() && canvas_->idle(); }

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void add_tools(FlowLayout& tools);
  QToolButton* add_button(FlowLayout& tools, const QString& name, const QString& text, const QString& help);
  void connect_workbench();
  void change(const std::function<void(SweepLook&)>& edit);
  void list_axes();
  void show_look();
  PictureJob::Work next_scene();

  Workbench& workbench_;
  ColumnChooser* colour_ = nullptr;
  QToolButton *axes_ = nullptr, *clear_ = nullptr;
  ParallelCanvas* canvas_;
  PictureJob scenes_;
  std::optional<OpenMachine> marked_;
};

QWidget* make_parallel_widget(Workbench& workbench, QWidget* parent);

}  // namespace convscope::ui
