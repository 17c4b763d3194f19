// What lies under the pointer: readings, tiles to go to, edges to drag.

#include <algorithm>
#include <cmath>

#include "ui/parts/drawing.h"
#include "ui/views/layer/tiling/tiling_facts.h"
#include "ui/views/layer/tiling/tiling_layout.h"
#include "ui/views/layer/tiling/tiling_painter.h"
#include "ui/words/figures.h"

namespace convscope::ui {
namespace {

using artifact::TileBox;
using artifact::TileTensor;

constexpr double edge_reach = 6;

/// Order of the span that holds a position, the last one that begins before it; -1 if none does.
std::int64_t order_at(const std::vector<FrontSpan>& spans, double position) {
  std::int64_t order = -1;
  for (const FrontSpan& span : spans) {
    if (span.begin <= position && position < span.end) order = span.order;
  }
  return order;
}

bool contains(const TileBox& box, int down, int across, QPointF element) {
  const auto d = static_cast<std::size_t>(down), a = static_cast<std::size_t>(across);
  const auto x = static_cast<std::int64_t>(element.x()), y = static_cast<std::int64_t>(element.y());
  return y >= box.begin[d] && y < box.begin[d] + box.size[d] && x >= box.begin[a] && x < box.begin[a] + box.size[a];
}

/// The first group that uses a tile at the place; 0 if none does.
int group_at(const artifact::TileStep& step, const TensorPanel& panel, QPointF element) {
  const auto uses = [&](const artifact::TileWork& work) {
    return contains(box_of(work, panel.tensor()), panel.down(), panel.across(), element);
  };
  const auto found = std::find_if(step.work.begin(), step.work.end(), uses);
  return found == step.work.end() ? 0 : found->group;
}

QString range_text(const TileBox& box) {
  QStringList parts;
  for (std::size_t d = 0; d < 3; ++d) {
    const std::int64_t last = box.begin[d] + box.size[d] - 1;
    parts << (box.size[d] == 1 ? QString::number(last) : QStringLiteral("%1–%2").arg(box.begin[d]).arg(last));
  }
  return parts.join(QStringLiteral(", "));
}

}  // namespace

std::optional<artifact::Ref> TilingPainter::hit(QPointF point, const QRectF& area) const {
  const QPointF inside = content_point(point, area);
  const TilingLayout boxes = layout(area);
  for (const TileTensor tensor : artifact::tile_tensors) {
    const TensorPanel panel(*scene_, tensor, boxes.tensors[static_cast<std::size_t>(tensor)]);
    const auto element = panel.element(inside);
    if (!element) continue;
    const std::int64_t down = order_at(panel.spans(panel.down()), element->y());
    const std::int64_t across = order_at(panel.spans(panel.across()), element->x());
    if (down < 0 || across < 0) return std::nullopt;
    const std::int64_t step = scene_->first_use(tensor, panel.down(), down, panel.across(), across, shown_.index);
    artifact::TileOperation operation;
    operation.work = true;
    operation.group = group_at(scene_->plan().step(step), panel, *element);
    artifact::Ref ref = scene_->plan().ref_of(step, operation);
    ref.layer = subject().layer;
    ref.program = subject().program;
    return ref;
  }
  return std::nullopt;
}

QString TilingPainter::tile_reading(const TensorPanel& panel, QPointF element) const {
  const bool flat = panel.tensor() == TileTensor::weights;
  QStringList lines;
  lines << QStringLiteral("%1: %2 %3, %4 %5")
               .arg(QLatin1String(artifact::tile_tensor_name(panel.tensor())),
                    flat ? QStringLiteral("filter") : QStringLiteral("row"))
               .arg(static_cast<qlonglong>(element.y()))
               .arg(flat ? QStringLiteral("channel") : QStringLiteral("column"))
               .arg(static_cast<qlonglong>(element.x()));
  constexpr int most = 8;
  int named = 0;
  for (const HeldBox& held : held_boxes(shown_, panel.tensor())) {
    if (!contains(held.box, panel.down(), panel.across(), element)) continue;
    if (++named > most) continue;
    lines << QStringLiteral("in use now by %1, %2: %3 (%4)")
                 .arg(group_text(scene_->plan(), held.groups),
                      worker_text(scene_->plan(), held.first_worker, held.last_worker), size_text(held.box.size),
                      range_text(held.box));
  }
  if (named > most) lines << QStringLiteral("and %1 more").arg(named - most);
  if (named == 0) lines << QStringLiteral("not in use in this step; click to go there");
  return lines.join(QLatin1Char('\n'));
}

QString TilingPainter::reading(QPointF point, const QRectF& area) const {
  const QPointF inside = content_point(point, area);
  const TilingLayout boxes = layout(area);
  for (const TileTensor tensor : artifact::tile_tensors) {
    const TensorPanel panel(*scene_, tensor, boxes.tensors[static_cast<std::size_t>(tensor)]);
    if (const auto element = panel.element(inside)) return tile_reading(panel, *element);
  }
  const auto row_in = [&](const QRectF& box, double pitch, std::size_t rows) {
    const double row = std::floor((inside.y() - box.top() - fact_heading) / pitch);
    const bool there = box.contains(inside) && row >= 0 && row < static_cast<double>(rows);
    return there ? static_cast<int>(row) : -1;
  };
  if (const int row = row_in(boxes.memories, memory_row, scene_->plan().memories().size()); row >= 0) {
    const artifact::TileMemory& memory = scene_->plan().memories()[static_cast<std::size_t>(row)];
    return QStringLiteral("%1 holds %2 %3\n%4")
        .arg(to_text(memory.name), QLatin1String(artifact::tile_tensor_name(memory.tensor)), to_text(memory.kept),
             memory_text(memory));
  }
  if (const int row = row_in(boxes.loops, fact_row, scene_->plan().loops().size()); row >= 0) {
    const artifact::TileLoop& loop = scene_->plan().loops()[static_cast<std::size_t>(row)];
    const std::int64_t from = shown_.index[static_cast<std::size_t>(row)] * loop.tile;
    return QStringLiteral("%1 %2–%3 of %4 of the share of a %5")
        .arg(to_text(loop.name), count_text(from), count_text(std::min(loop.extent, from + loop.tile) - 1),
             count_text(loop.extent), to_text(scene_->plan().names().group));
  }
  const auto& compared = scene_->content().compared;
  if (const int row = row_in(boxes.comparison.translated(0, fact_row), fact_row, compared.size()); row >= 0) {
    const target::Alternative& each = compared[static_cast<std::size_t>(row)];
    return to_text(each.strategy) + QLatin1Char('\n') + to_text(each.explanation);
  }
  return {};
}

std::optional<TileEdge> TilingPainter::edge_at(QPointF point, const QRectF& area) const {
  const QPointF inside = content_point(point, area);
  const TensorPanel panel(*scene_, TileTensor::output, layout(area).tensors[2]);
  for (const HeldBox& held : held_boxes(shown_, TileTensor::output)) {
    const QRectF box = panel.front_of(held.box);
    if (!box.adjusted(-edge_reach, -edge_reach, edge_reach, edge_reach).contains(inside)) continue;
    TileEdge edge{std::abs(inside.y() - box.bottom()) <= edge_reach && scene_->size_of(1).has_value(),
                  std::abs(inside.x() - box.right()) <= edge_reach && scene_->size_of(2).has_value(), held.box};
    if (edge.rows || edge.columns) return edge;
  }
  return std::nullopt;
}

bool TilingPainter::has_edge(const TileEdge& edge) const {
  if ((edge.rows && !scene_->size_of(1)) || (edge.columns && !scene_->size_of(2))) return false;
  const std::vector<HeldBox> held = held_boxes(shown_, TileTensor::output);
  return std::any_of(held.begin(), held.end(), [&](const HeldBox& each) {
    return each.box.begin == edge.box.begin && each.box.size == edge.box.size;
  });
}

std::pair<std::int64_t, std::int64_t> TilingPainter::dragged_size(const TileEdge& edge, QPointF point,
                                                                  const QRectF& area) const {
  const TensorPanel panel(*scene_, TileTensor::output, layout(area).tensors[2]);
  const QRectF box = panel.front_of(edge.box);
  const QPointF reach = content_point(point, area) - box.topLeft();
  const auto counted = [](double pixels, double scale, std::int64_t room) {
    return std::clamp<std::int64_t>(std::llround(pixels / scale), 1, std::max<std::int64_t>(1, room));
  };
  const auto& size = scene_->plan().tensor(TileTensor::output).size;
  return {edge.rows ? counted(reach.y(), panel.scale().y(), size[1] - edge.box.begin[1]) : edge.box.size[1],
          edge.columns ? counted(reach.x(), panel.scale().x(), size[2] - edge.box.begin[2]) : edge.box.size[2]};
}

}  // namespace convscope::ui
