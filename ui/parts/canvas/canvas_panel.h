#pragma once
// The frame of every canvas view: program picker, the view's own tools, zoom buttons, and the canvas, which follows the
// host. Scenes are prepared off the window's thread, and only while the view is visible.

#include <QWidget>
#include <functional>
#include <memory>

#include "ui/jobs/latest_job.h"
#include "ui/jobs/picture_job.h"
#include "ui/model/view_host.h"
#include "ui/parts/canvas/canvas_widget.h"
#include "ui/parts/comparison/comparison_line.h"

class QHBoxLayout;

namespace convscope::ui {

class ComparisonStrip;

class CanvasPanel : public QWidget {
 public:
  /// Makes a painter from a snapshot; called on any thread. Never returns null.
  using Prepare = std::function<std::unique_ptr<CanvasPainter>(const Snapshot&)>;
  /// For what takes long; may throw Cancelled.
  using LongPrepare = std::function<std::unique_ptr<CanvasPainter>(const Snapshot&, const std::stop_token&)>;

  /// Programs of a layer can be chosen among; a picture of the network shows all layers at once.
  enum class Shows { program, network };

  CanvasPanel(ViewHost& host, QWidget* parent, Prepare prepare, Shows shows = Shows::program);
  /// Of a layer, with a line above it that compares what is shown with the baseline.
  CanvasPanel(ViewHost& host, QWidget* parent, Prepare prepare, ComparedArtifact compared);

  CanvasWidget& canvas() { return *canvas_; }
  ViewHost& host() { return host_; }
  /// Puts a tool between program picker and zoom buttons.
  void add_tool(QWidget* tool);
  /// Hides the canvas and what zooms it, for a view that shows something else in its place.
  void show_canvas(bool shown);
  /// What is being prepared in another way is not shown any more.
  void set_prepare(Prepare prepare);
  void set_prepare(LongPrepare prepare);
  /// Called on the window's thread whenever a new painter is shown.
  std::function<void()> on_painter;
  /// Pictures whose preparation was begun so far; one runs at a time.
  std::int64_t preparations() const { return pictures_.begun(); }
  /// What is shown is the newest.
  bool idle() const { return pictures_.idle() && !comparison_.running(); }

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  /// What a picture is about. One of something else is of no use to whoever looks at this.
  struct Subject {
    std::shared_ptr<const network::Network> network;
    std::int32_t layer = -1;
    int program = 0;
    bool operator==(const Subject&) const = default;
  };

  void refresh();
  void follow(Changes what);
  void follow_selection();
  Subject subject() const;
  PictureJob::Work next_picture();
  void show_painter(std::shared_ptr<CanvasPainter> painter);
  /// After the picture, which must not wait for what the baseline's artifacts take.
  void compare(const CanvasPainter& painter);

  ViewHost& host_;
  LongPrepare prepare_;
  QHBoxLayout* tools_;
  std::optional<ComparedArtifact> compared_;
  ComparisonStrip* strip_;
  CanvasWidget* canvas_;
  std::optional<Subject> prepared_;  ///< of the newest picture; none if it was to be prepared in another way
  bool stale_ = true;
  PictureJob pictures_;
  LatestJob comparison_;
};

}  // namespace convscope::ui
