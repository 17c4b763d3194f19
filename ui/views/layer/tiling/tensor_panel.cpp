#include "ui/views/layer/tiling/tensor_panel.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <map>

#include "ui/parts/drawing.h"
#include "ui/words/figures.h"

namespace convscope::ui {
namespace {

using artifact::TileBox;
using artifact::TileTensor;

constexpr double title_height = 40, strip_height = 78, axis_height = 18, axis_width = 18;
constexpr double smallest_side = 44, smallest_cell = 4;
constexpr std::size_t most_spans = 64;

/// One side of the picture: boxes of the step as they look from there, and who holds them.
struct Footprint {
  std::vector<int> groups;
  int worker = 0;
};
using Footprints = std::map<std::array<std::int64_t, 4>, Footprint>;

/// Boxes along two dimensions, as begin and end of the first and the second.
Footprints footprints(const std::vector<HeldBox>& held, std::size_t first, std::size_t second) {
  Footprints result;
  for (const HeldBox& each : held) {
    const auto& box = each.box;
    const auto [place, added] = result.try_emplace({box.begin[first], box.begin[first] + box.size[first],
                                                    box.begin[second], box.begin[second] + box.size[second]});
    Footprint& print = place->second;
    if (added) print.worker = each.first_worker;
    print.groups.insert(print.groups.end(), each.groups.begin(), each.groups.end());
  }
  for (auto& [place, print] : result) {
    std::sort(print.groups.begin(), print.groups.end());
    print.groups.erase(std::unique(print.groups.begin(), print.groups.end()), print.groups.end());
  }
  return result;
}

const char* unit_of(TileTensor tensor, int dimension) {
  if (tensor != TileTensor::weights) return dimension == 0 ? "maps" : dimension == 1 ? "rows" : "columns";
  return dimension == 0 ? "filters" : dimension == 1 ? "channels" : "taps";
}

QString numbered(const std::string& name, int first, int last) {
  if (first == last) return QStringLiteral("%1 %2").arg(to_text(name)).arg(first);
  return QStringLiteral("%1 %2–%3").arg(plural(name)).arg(first).arg(last);
}

}  // namespace

QString plural(const std::string& name) {
  return to_text(name) + QLatin1Char('s');
}

QColor group_colour(const Theme& theme, const std::vector<int>& groups) {
  // Colours that bursts (vermilion) and memories (yellow, orange) have come last.
  static constexpr int order[] = {0, 2, 5, 4, 7, 6, 1, 3};
  if (groups.size() != 1) return theme.text;
  return theme.series[order[static_cast<std::size_t>(groups.front()) % std::size(order)]];
}

QString group_text(const artifact::TilePlan& plan, const std::vector<int>& groups) {
  const bool row = groups.back() - groups.front() + 1 == static_cast<int>(groups.size());
  if (row) return numbered(plan.names().group, groups.front(), groups.back());
  return QStringLiteral("%1 %2").arg(groups.size()).arg(plural(plan.names().group));
}

QString worker_text(const artifact::TilePlan& plan, int first, int last) {
  return numbered(plan.names().worker, first, last);
}

QString size_text(const std::array<std::int64_t, 3>& size) {
  return QStringLiteral("%1 × %2 × %3").arg(size[0]).arg(size[1]).arg(size[2]);
}

TensorPanel::TensorPanel(const TilingScene& scene, TileTensor tensor, const QRectF& panel)
    : scene_(&scene), tensor_(tensor), panel_(panel) {
  const double strip = panel.height() > title_height + strip_height + 90 ? strip_height : 0;
  strip_ = QRectF(panel.left(), panel.bottom() - strip, panel.width(), strip);
  const bool flat = tensor == TileTensor::weights;
  const double maps = flat ? 1 : length(0);
  const QRectF room = panel.adjusted(axis_width, title_height, flat ? -8 : -62, -strip - axis_height);
  const double depth =
      flat ? 0 : std::min(12 + 11 * std::log2(maps), 0.32 * std::min(room.width(), room.height() * 1.4));
  back_ = QPointF(0.8 * depth, -0.6 * depth);
  const double width = std::max(1.0, room.width() - back_.x()), height = std::max(1.0, room.height() + back_.y());
  const double natural_width = length(across()) * (flat ? static_cast<double>(scene.plan().tensor(tensor).size[2]) : 1);
  const double scale = std::min(width / natural_width, height / length(down()));
  const double least = flat ? 0.6 : 0;
  const QSizeF size(std::min(width, std::max({natural_width * scale, smallest_side, least * width})),
                    std::min(height, std::max({length(down()) * scale, smallest_side, least * height})));
  front_ = QRectF(
      QPointF(room.left() + (width - size.width()) / 2, room.top() - back_.y() + (height - size.height()) / 2), size);
  scale_ = QPointF(size.width() / length(across()), size.height() / length(down()));
}

double TensorPanel::length(int dimension) const {
  return static_cast<double>(
      std::max<std::int64_t>(1, scene_->plan().tensor(tensor_).size[static_cast<std::size_t>(dimension)]));
}

QPointF TensorPanel::at(double across, double down, double deep) const {
  return front_.topLeft() + QPointF(across * scale_.x(), down * scale_.y()) + back_ * (deep / length(0));
}

QRectF TensorPanel::front_of(const TileBox& box) const {
  const auto d = static_cast<std::size_t>(down()), a = static_cast<std::size_t>(across());
  return {at(static_cast<double>(box.begin[a]), static_cast<double>(box.begin[d])),
          at(static_cast<double>(box.begin[a] + box.size[a]), static_cast<double>(box.begin[d] + box.size[d]))};
}

std::optional<QPointF> TensorPanel::element(QPointF point) const {
  if (!front_.contains(point)) return std::nullopt;
  const QPointF from = point - front_.topLeft();
  return QPointF(std::min(length(across()) - 1, std::floor(from.x() / scale_.x())),
                 std::min(length(down()) - 1, std::floor(from.y() / scale_.y())));
}

QPolygonF TensorPanel::top(double from, double to, double near, double far) const {
  return QPolygonF({at(from, 0, near), at(to, 0, near), at(to, 0, far), at(from, 0, far)});
}

QPolygonF TensorPanel::side(double from, double to, double near, double far) const {
  const double right = length(across());
  return QPolygonF({at(right, from, near), at(right, to, near), at(right, to, far), at(right, from, far)});
}

std::vector<FrontSpan> TensorPanel::spans(int dimension) const {
  const auto& cuts = scene_->cuts(tensor_, dimension).cuts;
  const double pixels = dimension == down() ? front_.height() : front_.width();
  const auto room = std::clamp<std::size_t>(static_cast<std::size_t>(pixels / smallest_cell), 1, most_spans);
  const std::size_t together = (cuts.size() + room - 1) / std::max<std::size_t>(1, room);
  std::vector<FrontSpan> result;
  for (std::size_t i = 0; i < cuts.size(); i += together) {
    const std::size_t last = std::min(cuts.size(), i + together) - 1;
    const std::int64_t own_end = cuts[last].begin + cuts[last].size;
    // Tiles of the input overlap: each is drawn as far as the next one begins.
    const std::int64_t end = last + 1 < cuts.size() ? std::min(own_end, cuts[last + 1].begin) : own_end;
    const std::int64_t shown =
        scene_->cuts(tensor_, dimension).sampled && last + 1 < cuts.size() ? cuts[last + 1].begin : end;
    if (shown <= cuts[i].begin) continue;
    result.push_back({static_cast<double>(cuts[i].begin), static_cast<double>(shown), cuts[i].order, together > 1});
  }
  return result;
}

void TensorPanel::paint(const TilingFrame& frame) const {
  paint_title(frame);
  paint_depth(frame);
  paint_cells(frame);
  paint_held(frame);
  paint_dots(frame);
  paint_axes(frame);
  if (strip_.height() > 0) paint_strip(frame);
}

void TensorPanel::paint_title(const TilingFrame& frame) const {
  QPainter& painter = frame.painter;
  const artifact::TiledTensor& tensor = scene_->plan().tensor(tensor_);
  painter.setFont(with_pixel_size(frame.theme.label_font(), 13));
  painter.setPen(frame.theme.text);
  const QString name = QStringLiteral("%1   %2").arg(artifact::tile_tensor_name(tensor_), size_text(tensor.size));
  const QRectF line(panel_.left(), panel_.top(), panel_.width(), 17);
  draw_text(painter, line, Qt::AlignLeft | Qt::AlignVCenter, name);
  const double used = QFontMetricsF(painter.font()).horizontalAdvance(name) + 10;
  painter.setFont(with_pixel_size(frame.theme.label_font(), 11));
  painter.setPen(frame.theme.muted_text);
  QStringList notes;
  if (tensor_ == TileTensor::input) notes << QStringLiteral("without padding");
  if (tensor.order[2] != 2)
    notes << QStringLiteral("%1 side by side").arg(QLatin1String(unit_of(tensor_, static_cast<int>(tensor.order[2]))));
  draw_text(painter, line.adjusted(used, 1, 0, 1), Qt::AlignLeft | Qt::AlignVCenter, notes.join(QStringLiteral(", ")));
  const std::vector<HeldBox> held = held_boxes(frame.step, tensor_);
  const QString tile = held.empty() ? QStringLiteral("nothing in use")
                                    : QStringLiteral("tile %1 of %2: %3")
                                          .arg(count_text(scene_->tile_number(tensor_, frame.step.index) + 1),
                                               count_text(scene_->tiles(tensor_)), size_text(held.front().box.size));
  draw_text(painter, QRectF(panel_.left(), panel_.top() + 17, panel_.width(), 15), Qt::AlignLeft | Qt::AlignVCenter,
            tile);
}

void TensorPanel::paint_cells(const TilingFrame& frame) const {
  QPainter& painter = frame.painter;
  const Theme& theme = frame.theme;
  painter.fillRect(front_, idle_brush(theme));
  const TileCuts &rows = scene_->cuts(tensor_, down()), &columns = scene_->cuts(tensor_, across());
  const std::vector<FrontSpan> downwards = spans(down()), sideways = spans(across());
  const double all = std::max(1.0, static_cast<double>(rows.positions * columns.positions - 1));
  for (const FrontSpan& row : downwards) {
    for (const FrontSpan& column : sideways) {
      const QRectF cell(at(column.begin, row.begin), at(column.end, row.end));
      const double order = static_cast<double>(row.order * columns.positions + column.order) / all;
      const int when = scene_->compare(rows, row.order, columns, column.order, frame.step.index);
      QColor fill = when < 0 ? theme.baseline : theme.read;
      fill.setAlphaF(static_cast<float>(when < 0 ? done_strength : coming_strength * (1 - 0.75 * order)));
      painter.fillRect(cell, theme.background);
      painter.fillRect(cell, fill);
      if (cell.width() < 6 || cell.height() < 6) continue;
      painter.setPen(QPen(theme.border, 1));
      painter.setBrush(Qt::NoBrush);
      painter.drawRect(cell);
      if (!row.several && !column.several) {
        paint_numbers(frame, cell, row.order * columns.positions + column.order + 1);
      }
    }
  }
  painter.setPen(QPen(theme.muted_text, 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(front_);
}

void TensorPanel::paint_numbers(const TilingFrame& frame, const QRectF& cell, std::int64_t number) const {
  const QString text = QString::number(number);
  if (cell.height() < 12 || cell.width() < 6 + 7.0 * static_cast<double>(text.size())) return;
  frame.painter.setFont(with_pixel_size(frame.theme.data_font(), 10));
  frame.painter.setPen(frame.theme.muted_text);
  draw_text(frame.painter, cell, Qt::AlignCenter, text);
}

void TensorPanel::paint_depth(const TilingFrame& frame) const {
  if (tensor_ == TileTensor::weights) return;
  QPainter& painter = frame.painter;
  const double deep = length(0);
  painter.setPen(QPen(frame.theme.border, 1));
  painter.setBrush(frame.theme.surface);
  painter.drawPolygon(top(0, length(across()), 0, deep));
  painter.drawPolygon(side(0, length(down()), 0, deep));
  const auto& cuts = scene_->cuts(tensor_, 0).cuts;
  const double pitch = std::hypot(back_.x(), back_.y()) / static_cast<double>(std::max<std::size_t>(1, cuts.size()));
  const std::size_t every = pitch >= 3 ? 1 : static_cast<std::size_t>(std::ceil(3 / std::max(0.01, pitch)));
  painter.setPen(QPen(frame.theme.grid, 1));
  for (std::size_t i = every; i < cuts.size(); i += every) {
    const auto z = static_cast<double>(cuts[i].begin);
    painter.drawLine(at(0, 0, z), at(length(across()), 0, z));
    painter.drawLine(at(length(across()), 0, z), at(length(across()), length(down()), z));
  }
}

void TensorPanel::paint_held(const TilingFrame& frame) const {
  QPainter& painter = frame.painter;
  const std::vector<HeldBox> held = held_boxes(frame.step, tensor_);
  if (tensor_ != TileTensor::weights) {
    for (const bool above : {true, false}) {
      for (const auto& [place, print] : footprints(held, above ? 2 : 1, 0)) {
        // Workers beside each other in depth are told apart by alternating strength.
        QColor fill = group_colour(frame.theme, print.groups);
        painter.setPen(QPen(fill, 0.8));
        const float strength = print.groups.size() == 1 ? 0.85F : 0.5F;
        fill.setAlphaF(print.worker % 2 == 0 ? strength : 0.6F * strength);
        painter.setBrush(fill);
        const auto from = static_cast<double>(place[0]), to = static_cast<double>(place[1]),
                   near = static_cast<double>(place[2]), far = static_cast<double>(place[3]);
        painter.drawPolygon(above ? top(from, to, near, far) : side(from, to, near, far));
      }
    }
  }
  for (const auto& [place, print] :
       footprints(held, static_cast<std::size_t>(across()), static_cast<std::size_t>(down()))) {
    const QColor colour = group_colour(frame.theme, print.groups);
    const QRectF box = visible_box({at(static_cast<double>(place[0]), static_cast<double>(place[2])),
                                    at(static_cast<double>(place[1]), static_cast<double>(place[3]))});
    QColor fill = colour;
    fill.setAlphaF(print.groups.size() == 1 ? 0.32F : 0.18F);
    painter.setBrush(fill);
    painter.setPen(QPen(colour, box.height() > 6 ? 2 : 1));
    painter.drawRect(box);
  }
}

void TensorPanel::paint_axes(const TilingFrame& frame) const {
  QPainter& painter = frame.painter;
  const artifact::TiledTensor& tensor = scene_->plan().tensor(tensor_);
  painter.setFont(with_pixel_size(frame.theme.label_font(), 11));
  painter.setPen(frame.theme.muted_text);
  const auto label = [&](int dimension) {
    const std::int64_t size = tensor.size[static_cast<std::size_t>(dimension)];
    QString unit = QLatin1String(unit_of(tensor_, dimension));
    if (size == 1) unit.chop(1);
    return QStringLiteral("%1 %2").arg(count_text(size), unit);
  };
  QString below = label(across());
  if (tensor_ == TileTensor::weights) below += QStringLiteral(" × ") + label(2);
  const double room = std::max(front_.width(), panel_.width() * 0.7);
  draw_text(painter, QRectF(front_.center().x() - room / 2, front_.bottom() + 2, room, 15), Qt::AlignCenter, below);
  painter.save();
  painter.translate(front_.left() - 10, front_.center().y());
  painter.rotate(-90);
  draw_text(painter, QRectF(-60, -8, 120, 16), Qt::AlignCenter, label(down()));
  painter.restore();
  if (tensor_ == TileTensor::weights) return;
  const QPointF edge = at(length(across()), length(down()), length(0) / 2);
  draw_text(painter, QRectF(edge.x() + 8, edge.y() - 4, panel_.right() - edge.x() - 8, 15),
            Qt::AlignLeft | Qt::AlignVCenter, label(0));
}

}  // namespace convscope::ui
