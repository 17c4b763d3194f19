#pragma once
// Parallel coordinates of the running sweep with their tools: colour, which axes are shown, brushes cleared.

#include <QWidget>
#include <memory>
#include <optional>

#include "ui/jobs/picture_job.h"
#include "ui/model/view_host.h"
#include "ui/views/machines/sweep_parallel/parallel_canvas.h"
#include "ui/views/machines/sweep_plot/column_chooser.h"

class QToolButton;

namespace convscope::ui {

class FlowLayout;

class ParallelWidget : public QWidget {
 public:
  ParallelWidget(ViewHost& host, QWidget* parent);

  ParallelCanvas& canvas() { return *canvas_; }
  /// Nothing is being prepared: what is shown is the newest.
  bool idle() const { return scenes_.idle() && canvas_->idle(); }

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void add_tools(FlowLayout& tools);
  QToolButton* add_button(FlowLayout& tools, const QString& name, const QString& text, const QString& help);
  void follow(Changes what);
  void change(const std::function<void(SweepLook&)>& edit);
  void list_axes();
  void show_look();
  PictureJob::Work next_scene();

  ViewHost& host_;
  ColumnChooser* colour_ = nullptr;
  QToolButton *axes_ = nullptr, *clear_ = nullptr;
  ParallelCanvas* canvas_;
  PictureJob scenes_;
  std::optional<OpenMachine> marked_;
};

QWidget* make_parallel_widget(ViewHost& host, QWidget* parent);

}  // namespace convscope::ui
