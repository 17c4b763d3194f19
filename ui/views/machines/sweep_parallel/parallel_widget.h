#pragma once
// Parallel coordinates of the running sweep with their tools: colour, which axes are shown, brushes cleared.

#include <memory>
#include <optional>

#include "ui/views/machines/sweep_parallel/parallel_canvas.h"
#include "ui/views/machines/sweep_plot/column_chooser.h"
#include "ui/views/machines/sweep_plot/sweep_chart.h"

class QToolButton;

namespace convscope::ui {

class ParallelWidget : public SweepChart {
 public:
  ParallelWidget(ViewHost& host, QWidget* parent);

  ParallelCanvas& canvas() { return *canvas_; }

 protected:
  void show_look() override;
  MakeScene scene_of(std::shared_ptr<const explore::SweepTable> table, const SweepLook& look,
                     const std::optional<OpenMachine>& open) override;

 private:
  ParallelWidget(ViewHost& host, QWidget* parent, ParallelCanvas* canvas);
  void add_tools();
  void list_axes();

  ColumnChooser* colour_ = nullptr;
  QToolButton *axes_ = nullptr, *clear_ = nullptr;
  ParallelCanvas* canvas_;
};

QWidget* make_parallel_widget(ViewHost& host, QWidget* parent);

}  // namespace convscope::ui
