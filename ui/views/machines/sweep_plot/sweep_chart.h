#pragma once
// A chart of the running sweep in the window: tools above a canvas, scenes made anew as rows come in and the look
// changes.

#include <QWidget>
#include <functional>
#include <memory>
#include <optional>

#include "ui/jobs/picture_job.h"
#include "ui/model/exploration.h"
#include "ui/model/machine_actions.h"
#include "ui/model/view_host.h"
#include "ui/views/machines/sweep_plot/flow_layout.h"
#include "ui/views/machines/sweep_plot/sweep_canvas.h"
#include "ui/views/machines/sweep_plot/sweep_text.h"

class QToolButton;

namespace convscope::ui {

class SweepChart : public QWidget {
 public:
  using EditLook = std::function<void(SweepLook& look)>;

  /// Nothing is being prepared: what is shown is the newest.
  bool idle() const { return scenes_.idle() && canvas_.idle(); }

 protected:
  /// The canvas becomes this widget's.
  SweepChart(ViewHost& host, QWidget* parent, SweepCanvas& canvas);

  void showEvent(QShowEvent* event) override;

  ViewHost& host() { return host_; }
  FlowLayout& tools() { return *tools_; }
  QToolButton* add_button(const QString& name, const QString& text, const QString& help,
                          std::function<void()> action = {});
  void change(const EditLook& edit);

  /// Sets the tools to what the look is by now.
  virtual void show_look() = 0;
  /// What makes a scene of rows on another thread, and returns what shows it.
  using MakeScene = std::function<Deliver()>;
  virtual MakeScene scene_of(std::shared_ptr<const explore::SweepTable> table, const SweepLook& look,
                             const std::optional<OpenMachine>& open) = 0;

 private:
  void follow(Changes what);
  PictureJob::Work next_scene();

  ViewHost& host_;
  SweepCanvas& canvas_;
  FlowLayout* tools_;
  PictureJob scenes_;
  std::optional<OpenMachine> marked_;
};

}  // namespace convscope::ui
