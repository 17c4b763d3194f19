#include "network_layout_figures.h"

#include <QLineF>
#include <algorithm>

namespace convscope::ui::test {
namespace {

std::vector<QLineF> lines_of(const std::vector<QPointF>& route) {
  std::vector<QLineF> lines;
  for (std::size_t i = 1; i < route.size(); ++i) lines.emplace_back(route[i - 1], route[i]);
  return lines;
}

/// Lines run downward, so that one that is above the other doesn't meet it.
bool cross(const QLineF& a, const QLineF& b) {
  if (a.y2() <= b.y1() || b.y2() <= a.y1()) return false;
  return a.intersects(b, nullptr) == QLineF::BoundedIntersection;
}

bool cross(const std::vector<QLineF>& a, const std::vector<QLineF>& b) {
  return std::any_of(a.begin(), a.end(), [&](const QLineF& one) {
    return std::any_of(b.begin(), b.end(), [&](const QLineF& other) { return cross(one, other); });
  });
}

/// A line as it is drawn stays within its ends' heights and sides.
bool passes(const QLineF& line, const QRectF& box) {
  const QRectF reach = QRectF(line.p1(), line.p2()).normalized();
  return reach.left() < box.right() && reach.right() > box.left() && reach.top() < box.bottom() &&
         reach.bottom() > box.top();
}

}  // namespace

int overlaps(const LayeredLayout& layout) {
  int count = 0;
  for (std::size_t a = 0; a < layout.boxes.size(); ++a)
    for (std::size_t b = a + 1; b < layout.boxes.size(); ++b)
      count += layout.boxes[a].intersects(layout.boxes[b]) ? 1 : 0;
  return count;
}

int boxes_passed(const LayeredLayout& layout) {
  int count = 0;
  for (const auto& route : layout.routes)
    for (const QLineF& line : lines_of(route))
      for (const QRectF& box : layout.boxes) count += passes(line, box.adjusted(0.5, 0.5, -0.5, -0.5)) ? 1 : 0;
  return count;
}

int crossings(const LayeredLayout& layout, const std::vector<LayoutEdge>& edges) {
  std::vector<std::vector<QLineF>> lines;
  for (const auto& route : layout.routes) lines.push_back(lines_of(route));
  int count = 0;
  for (std::size_t a = 0; a < edges.size(); ++a) {
    for (std::size_t b = a + 1; b < edges.size(); ++b) {
      const bool common = edges[a].from == edges[b].from || edges[a].to == edges[b].to;
      count += !common && cross(lines[a], lines[b]) ? 1 : 0;
    }
  }
  return count;
}

}  // namespace convscope::ui::test
