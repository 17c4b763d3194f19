#pragma once
// The scatter chart of the running sweep with its tools: columns on the axes, colour and size, open, compare.

#include <QStringList>
#include <QWidget>
#include <memory>
#include <optional>

#include "ui/jobs/picture_job.h"
#include "ui/model/view_host.h"
#include "ui/views/machines/sweep_plot/column_chooser.h"
#include "ui/views/machines/sweep_scatter/scatter_canvas.h"

class QCheckBox;
class QToolButton;

namespace convscope::ui {

class FlowLayout;

class ScatterWidget : public QWidget {
 public:
  ScatterWidget(ViewHost& host, QWidget* parent);

  ScatterCanvas& canvas() { return *canvas_; }
  /// Nothing is being prepared: what is shown is the newest.
  bool idle() const { return scenes_.idle() && canvas_->idle(); }

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void add_columns(FlowLayout& tools);
  void add_actions(FlowLayout& tools);
  QCheckBox* add_switch(FlowLayout& tools, const QString& name, const QString& title, bool SweepLook::*value);
  QToolButton* add_button(FlowLayout& tools, const QString& name, const QString& text, const QString& help,
                          std::function<void()> action);
  void follow(Changes what);
  void connect_canvas();
  void change(const std::function<void(SweepLook&)>& edit);
  void show_look();
  void show_cursor();
  PictureJob::Work next_scene();
  void compare();

  ViewHost& host_;
  ColumnChooser *x_ = nullptr, *y_ = nullptr, *colour_ = nullptr, *size_ = nullptr;
  QCheckBox *log_x_ = nullptr, *log_y_ = nullptr;
  QToolButton *open_ = nullptr, *choose_ = nullptr, *compare_ = nullptr;
  ScatterCanvas* canvas_;
  PictureJob scenes_;
  std::optional<OpenMachine> marked_;
};

QWidget* make_scatter_widget(ViewHost& host, QWidget* parent);

}  // namespace convscope::ui
