#pragma once
// The frame of every canvas view: program picker, the view's own tools, zoom buttons, and the canvas, which follows the
// workbench. Scenes are prepared off the window's thread, and only while the view is visible.

#include <QWidget>
#include <functional>
#include <memory>

#include "ui/parts/canvas/canvas_widget.h"
#include "ui/parts/comparison/comparison_line.h"

class QHBoxLayout;

namespace convscope::ui {

class ComparisonStrip;

class CanvasPanel : public QWidget {
 public:
  /// Makes a painter from a snapshot; called on any thread. Never returns null.
  using Prepare = std::function<std::unique_ptr<CanvasPainter>(const Snapshot&)>;

  /// Programs of a layer can be chosen among; a picture of the network shows all layers at once.
  enum class Shows { program, network };

  CanvasPanel(Workbench& workbench, QWidget* parent, Prepare prepare, Shows shows = Shows::program);
  /// Of a layer, with a line above it that compares what is shown with the baseline.
  CanvasPanel(Workbench& workbench, QWidget* parent, Prepare prepare, ComparedArtifact compared);

  CanvasWidget& canvas() { return *canvas_; }
  Workbench& workbench() { return workbench_; }
  /// Puts a tool between program picker and zoom buttons.
  void add_tool(QWidget* tool);
  void set_prepare(Prepare prepare);
  /// Called on the window's thread whenever a new painter is shown.
  std::function<void()> on_painter;

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void refresh();
  void follow_selection();
  void show_painter(std::uint64_t request, std::shared_ptr<CanvasPainter> painter);

  Workbench& workbench_;
  Prepare prepare_;
  QHBoxLayout* tools_;
  std::optional<ComparedArtifact> compared_;
  ComparisonStrip* strip_;
  CanvasWidget* canvas_;
  std::uint64_t request_ = 0;
  bool stale_ = true;
};

}  // namespace convscope::ui
