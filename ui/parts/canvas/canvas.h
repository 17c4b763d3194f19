#pragma once
// Pictures larger than their area: content in units of its own (cycles, rows, pixels), seen through a viewport.

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <optional>
#include <vector>

#include "ui/model/view.h"

namespace convscope::ui {

/// What part of the content is seen. `fit` shows all of it, whatever the area.
struct Viewport {
  bool fit = true;
  double zoom = 1;  ///< 1: legible
  QPointF origin;   ///< content at the plot's top left corner, in content units
};

/// How a picture lies in an area. An axis that doesn't zoom is always seen at its unit size.
struct CanvasGeometry {
  QRectF plot;     ///< where content is drawn: the area without headings and rulers
  QSizeF content;  ///< content units
  QSizeF unit;     ///< logical pixels per content unit at zoom 1
  bool zooms_x = true, zooms_y = true;
  double largest_zoom = 4;

  /// Zoom at which everything is seen, at most 1.
  double fit_zoom() const;
};

/// A viewport applied to a geometry: the map between content and pixels.
struct Placement {
  QRectF plot;
  QSizeF scale;  ///< pixels per content unit
  QPointF origin;

  QPointF pixel(QPointF content) const;
  QPointF content(QPointF pixel) const;
  QRectF pixel(const QRectF& content) const;
  /// Content units that are seen.
  QRectF seen() const;
};

/// Applies the viewport; the origin is kept inside the content.
Placement place(const CanvasGeometry& geometry, const Viewport& viewport);

/// What the steps of painting a canvas share.
struct CanvasFrame {
  QPainter& painter;
  const Theme& theme;
  QRectF area;
  Placement placement;
  double zoom = placement.scale.height();
  /// Too small to show anything of the content.
  bool empty() const { return placement.plot.width() < 1 || placement.plot.height() < 1; }
};

/// Something that a search found.
struct CanvasMatch {
  QRectF place;  ///< content units
  artifact::Ref ref;
};

/// A painter with a viewport, and a selection that can follow without preparing the scene anew.
class CanvasPainter : public ViewPainter {
 public:
  virtual CanvasGeometry geometry(const QRectF& area) const = 0;
  virtual void select(const artifact::Ref& selection) { selection_ = selection; }
  /// Where a reference lies, in content units; nothing if it isn't in the picture.
  virtual std::optional<QRectF> place_of(const artifact::Ref& /*ref*/) const { return std::nullopt; }
  /// Layer and program (and first cycle, of a part of a run); the viewport is kept as long as they stay the same.
  virtual artifact::Ref subject() const { return {}; }
  /// False if another picture is needed to show a selection with that program.
  virtual bool covers(const artifact::Ref& selection, int program) const {
    return subject().layer == selection.layer && subject().program == program;
  }
  /// Zoom of a picture that is opened.
  virtual double initial_zoom(const QRectF& /*area*/) const { return 1; }
  /// Viewport that keeps in sight what the user looked at, when this picture replaces another of the same subject.
  virtual Viewport viewport_after(const CanvasPainter& before, const QRectF& /*area*/) const {
    return before.viewport();
  }
  /// Marks what contains the text, case aside, and returns it in reading order; nothing for an empty text.
  virtual std::vector<CanvasMatch> search(const QString& /*text*/) { return {}; }
  /// A small picture of all content, stretched to the box, to find one's way in a large one.
  virtual bool has_overview() const { return false; }
  virtual void paint_overview(QPainter& /*painter*/, const QRectF& /*box*/, const Theme& /*theme*/) const {}
  /// The picture shows results that a newer run has not replaced yet, and says so.
  void set_stale(bool stale) { stale_ = stale; }
  bool stale() const { return stale_; }

  const Viewport& viewport() const { return viewport_; }
  void set_viewport(const Viewport& viewport) { viewport_ = viewport; }
  const artifact::Ref& selection() const { return selection_; }

 protected:
  Placement placement(const QRectF& area) const { return place(geometry(area), viewport_); }

 private:
  Viewport viewport_;
  artifact::Ref selection_;
  bool stale_ = false;
};

}  // namespace convscope::ui
