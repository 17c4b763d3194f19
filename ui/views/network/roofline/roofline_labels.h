#pragma once
// Names beside the points of a roofline. Placed when the plot is drawn, so that they stay apart at every size and zoom.

#include <vector>

#include <qcustomplot.h>

#include "core/artifact/metrics.h"
#include "ui/theme/theme.h"

namespace convscope::ui {

/// One point per layer, its highest, in the order in which they are named: the selected layer, the layers that no other
/// is above and to the right of, then those farthest from their roof. The most important ones of very many.
std::vector<const artifact::RooflinePoint*> points_to_name(const artifact::Roofline& roofline, int selected_layer);

/// An item of a plot; keeps copies of what it draws.
class RooflineLabels : public QCPAbstractItem {
 public:
  /// `other_marks` are what else may not be covered, in the axes' units.
  RooflineLabels(QCustomPlot* plot, const artifact::Roofline& roofline, std::vector<QPointF> other_marks,
                 int selected_layer, const Theme& theme);

  double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }

 protected:
  void draw(QCPPainter* painter) override;

 private:
  struct Name {
    QString text;
    QPointF at;  ///< operations per byte, operations per second
    bool selected = false;
  };
  QPointF pixel(QPointF at) const;
  void draw_count(QCPPainter& painter, std::size_t shown) const;

  std::vector<Name> names_;
  std::vector<QPointF> points_;
  std::size_t layers_ = 0;
  QFont font_;
  QColor text_, muted_, selection_, plate_;
};

}  // namespace convscope::ui
