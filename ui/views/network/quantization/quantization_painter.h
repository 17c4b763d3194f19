#pragma once
// Paints a quantization: noise along the network, who adds most of it, magnitudes of the selected layer's values.

#include "ui/parts/canvas/canvas.h"
#include "ui/views/network/quantization/quantization_scene.h"

class QWidget;

namespace convscope::ui {

class ViewHost;

class QuantizationPainter : public CanvasPainter {
 public:
  explicit QuantizationPainter(QuantizationScene scene) : scene_(std::move(scene)) {}

  const QuantizationScene& scene() const { return scene_; }

  CanvasGeometry geometry(const QRectF& area) const override;
  artifact::Ref subject() const override;
  bool covers(const artifact::Ref& selection, int program) const override;
  QSizeF preferred_size() const override { return {1000, 620}; }
  void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override;
  std::optional<artifact::Ref> hit(QPointF point, const QRectF& area) const override;
  QString reading(QPointF point, const QRectF& area) const override;
  std::string csv() const override { return scene_.csv(); }

  /// Where a point of the chart, or a row of those that add most, lies in an area.
  QPointF place_of_point(std::size_t point, const QRectF& area) const;
  QRectF place_of_loss(std::size_t row, const QRectF& area) const;

 private:
  struct Sections {
    QRectF title, chart, losses, panels;
  };
  /// Decibels at the foot and the top of the chart.
  struct Scale {
    double least = 0, most = 100;
  };
  static Sections sections(const QRectF& area);
  Scale scale() const;
  double height_of(double noise, const QRectF& plot) const;
  QRectF panel_box(std::size_t panel, const QRectF& area) const;
  int tensor_at(QPointF point, const QRectF& area) const;

  void paint_chart(QPainter& painter, const QRectF& area, const Theme& theme) const;
  void paint_axis(QPainter& painter, const QRectF& plot, const Theme& theme) const;
  void paint_losses(QPainter& painter, const QRectF& area, const Theme& theme) const;

  QuantizationScene scene_;
};

/// Never null: says what to do if there is no result.
std::unique_ptr<CanvasPainter> make_quantization_canvas(const Snapshot& snapshot);
std::unique_ptr<ViewPainter> make_quantization_painter(const Snapshot& snapshot);
QWidget* make_quantization_widget(ViewHost& host, QWidget* parent);

}  // namespace convscope::ui
