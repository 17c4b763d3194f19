#pragma once
// The scatter chart of the running sweep with its tools: columns on the axes, colour and size, open, compare.

#include <memory>
#include <optional>

#include "ui/views/machines/sweep_plot/column_chooser.h"
#include "ui/views/machines/sweep_plot/sweep_chart.h"
#include "ui/views/machines/sweep_scatter/scatter_canvas.h"

class QCheckBox;
class QToolButton;

namespace convscope::ui {

class ScatterWidget : public SweepChart {
 public:
  ScatterWidget(ViewHost& host, QWidget* parent);

  ScatterCanvas& canvas() { return *canvas_; }

 protected:
  void show_look() override;
  MakeScene scene_of(std::shared_ptr<const explore::SweepTable> table, const SweepLook& look,
                     const std::optional<OpenMachine>& open) override;

 private:
  ScatterWidget(ViewHost& host, QWidget* parent, ScatterCanvas* canvas);
  void add_columns();
  void add_actions();
  QCheckBox* add_switch(const QString& name, const QString& title, bool SweepLook::*value);
  void connect_canvas();
  void show_cursor();
  void compare();

  ColumnChooser *x_ = nullptr, *y_ = nullptr, *colour_ = nullptr, *size_ = nullptr;
  QCheckBox *log_x_ = nullptr, *log_y_ = nullptr;
  QToolButton *open_ = nullptr, *choose_ = nullptr, *compare_ = nullptr;
  ScatterCanvas* canvas_;
};

QWidget* make_scatter_widget(ViewHost& host, QWidget* parent);

}  // namespace convscope::ui
