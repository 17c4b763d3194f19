#include "ui/views/network/roofline/roofline_labels.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "ui/parts/drawing.h"
#include "ui/plot/label_placement.h"

namespace convscope::ui {
namespace {

using artifact::Roofline;
using artifact::RooflinePoint;

constexpr std::size_t most_names = 300;  ///< nobody reads more, and each looks for its place among all points

/// What the roofs allow at a point's intensity; 0 if there is no roof.
double attainable(const Roofline& roofline, const RooflinePoint& point) {
  double flat = 0, slope = 0;
  for (const artifact::Roof& roof : roofline.roofs) {
    flat = std::max(flat, roof.operations_per_second);
    slope = std::max(slope, roof.bytes_per_second);
  }
  const double slanted = slope * point.operations_per_byte;
  return flat > 0 && slanted > 0 ? std::min(flat, slanted) : std::max(flat, slanted);
}

std::vector<const RooflinePoint*> highest_of_each_layer(const Roofline& roofline) {
  std::vector<const RooflinePoint*> highest;
  std::map<std::string, std::size_t> known;
  for (const RooflinePoint& point : roofline.points) {
    const auto [found, is_new] = known.emplace(point.name, highest.size());
    if (is_new)
      highest.push_back(&point);
    else if (point.operations_per_second > highest[found->second]->operations_per_second)
      highest[found->second] = &point;
  }
  return highest;
}

/// Points that no other is above and to the right of.
std::vector<const RooflinePoint*> front_of(std::vector<const RooflinePoint*> points) {
  std::stable_sort(points.begin(), points.end(),
                   [](const auto* a, const auto* b) { return a->operations_per_byte > b->operations_per_byte; });
  std::vector<const RooflinePoint*> front;
  for (const RooflinePoint* point : points) {
    if (front.empty() || point->operations_per_second > front.back()->operations_per_second) front.push_back(point);
  }
  return front;
}

}  // namespace

std::vector<const RooflinePoint*> points_to_name(const Roofline& roofline, int selected_layer) {
  std::vector<const RooflinePoint*> points = highest_of_each_layer(roofline);
  const std::vector<const RooflinePoint*> front = front_of(points);
  const auto rank = [&](const RooflinePoint* point) {
    if (point->layer >= 0 && point->layer == selected_layer) return 0;
    return std::find(front.begin(), front.end(), point) != front.end() ? 1 : 2;
  };
  std::map<const RooflinePoint*, std::pair<int, double>> order;
  for (const RooflinePoint* point : points) {
    const double roof = attainable(roofline, *point);
    order[point] = {rank(point), roof > 0 ? point->operations_per_second / roof : 1};
  }
  std::stable_sort(points.begin(), points.end(),
                   [&](const auto* a, const auto* b) { return order.at(a) < order.at(b); });
  if (points.size() > most_names) points.resize(most_names);
  return points;
}

RooflineLabels::RooflineLabels(QCustomPlot* plot, const Roofline& roofline, std::vector<QPointF> other_marks,
                               int selected_layer, const Theme& theme)
    : QCPAbstractItem(plot),
      points_(std::move(other_marks)),
      layers_(highest_of_each_layer(roofline).size()),
      font_(with_pixel_size(theme.label_font(), 11)),
      text_(theme.text),
      muted_(theme.muted_text),
      selection_(theme.selection),
      plate_(theme.background) {
  plate_.setAlphaF(0.8F);  // lines may cross below a name
  for (const RooflinePoint* point : points_to_name(roofline, selected_layer)) {
    names_.push_back({to_text(point->name),
                      {point->operations_per_byte, point->operations_per_second},
                      point->layer >= 0 && point->layer == selected_layer});
  }
  for (const RooflinePoint& point : roofline.points)
    points_.emplace_back(point.operations_per_byte, point.operations_per_second);
}

QPointF RooflineLabels::pixel(QPointF at) const {
  return {mParentPlot->xAxis->coordToPixel(at.x()), mParentPlot->yAxis->coordToPixel(at.y())};
}

void RooflineLabels::draw(QCPPainter* painter) {
  const QRectF inside = mParentPlot->axisRect()->rect();
  const QFontMetricsF metrics(font_);
  std::vector<LabelWish> wishes;
  for (const Name& name : names_)
    wishes.push_back(
        {pixel(name.at), QSizeF(metrics.horizontalAdvance(name.text) + 1, metrics.height()), name.selected});
  std::vector<QPointF> marks;
  std::set<std::pair<int, int>> taken;  // alike layers lie on one spot
  for (const QPointF& point : points_) {
    const QPointF mark = pixel(point);
    if (inside.contains(mark) && taken.emplace(mark.toPoint().x(), mark.toPoint().y()).second) marks.push_back(mark);
  }
  const auto places = place_labels(wishes, marks, inside);
  painter->setFont(font_);
  std::size_t shown = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (!places[i]) continue;
    ++shown;
    painter->fillRect(places[i]->adjusted(-1, 1, 1, -1), plate_);
    painter->setPen(names_[i].selected ? selection_ : text_);
    painter->drawText(*places[i], Qt::AlignLeft | Qt::AlignVCenter, names_[i].text);
  }
  draw_count(*painter, shown);
}

void RooflineLabels::draw_count(QCPPainter& painter, std::size_t shown) const {
  if (shown >= layers_) return;
  const QRectF inside = QRectF(mParentPlot->axisRect()->rect()).adjusted(6, 4, -6, -4);
  painter.setPen(muted_);
  painter.drawText(inside, Qt::AlignRight | Qt::AlignBottom,
                   QStringLiteral("%1 of %2 layers named; the pointer reads the others").arg(shown).arg(layers_));
}

}  // namespace convscope::ui
