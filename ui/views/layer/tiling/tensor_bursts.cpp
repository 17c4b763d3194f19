// Bursts of the tile that is moved now: dots along its rows in the tensor (as in Fig. 1 of Sousa et al., "Tensor
// Slicing and Optimization for Multicore NPUs"), and a strip that shows how much of each burst is used.

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <set>

#include "ui/parts/drawing.h"
#include "ui/views/layer/tiling/tensor_panel.h"
#include "ui/words/figures.h"

namespace convscope::ui {
namespace {

using artifact::TileTensor;
using artifact::TileTransfer;

constexpr double dot_pitch = 4.5, dot = 1.6;
constexpr int most_dots = 6000, most_bursts = 12, run_rows = 3;

}  // namespace

void TensorPanel::paint_dots(const TilingFrame& frame) const {
  const TileTransfer* moved = moved_now(frame.step, tensor_);
  if (!moved) return;
  frame.painter.setPen(Qt::NoPen);
  frame.painter.setBrush(frame.theme.activation);
  std::set<std::array<std::int64_t, 4>> marked;
  int left = most_dots;
  for (const TileTransfer& transfer : frame.step.transfers) {
    if (transfer.box.tensor != tensor_ || transfer.move != moved->move || left <= 0) continue;
    const auto d = static_cast<std::size_t>(down()), a = static_cast<std::size_t>(across());
    const auto& box = transfer.box;
    // Boxes that lie behind each other look the same from the front.
    if (marked.insert({box.begin[d], box.size[d], box.begin[a], box.size[a]}).second)
      left -= paint_dots(frame, box, left);
  }
}

int TensorPanel::paint_dots(const TilingFrame& frame, const artifact::TileBox& box, int most) const {
  if (scene_->plan().burst_bytes() == 0) return 0;
  const artifact::TiledTensor& tensor = scene_->plan().tensor(tensor_);
  const bool flat = tensor_ == TileTensor::weights;
  const std::int64_t taps = flat ? tensor.size[2] : 1;
  const std::int64_t row = flat ? tensor.size[1] * taps : tensor.size[tensor.order[2]];
  const std::int64_t per_burst = std::max(1, scene_->plan().burst_bytes() / tensor.element_bytes);
  const artifact::TileRuns runs = artifact::runs_of(box, tensor);
  // Of a box with several maps the first one is marked; runs of others lie behind it, unless maps are side by side.
  const std::int64_t maps = tensor.order[0] == 0 ? std::max<std::int64_t>(1, box.size[0]) : 1;
  const std::int64_t shown = flat ? runs.count : (runs.count + maps - 1) / maps;
  const double rows_of_run = std::max(1.0, std::ceil(static_cast<double>(runs.length) / static_cast<double>(row)));
  const auto sparse = [](double pixels) {
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(dot_pitch / pixels)));
  };
  const std::int64_t every = sparse(scale_.y() * rows_of_run);
  // Bursts of a run that takes many rows lie beside and below each other: none is left out there.
  const std::int64_t skip =
      rows_of_run > 1 ? 1 : sparse(static_cast<double>(per_burst) / static_cast<double>(taps) * scale_.x());
  int drawn = 0;
  for (std::int64_t i = 0; i < shown && drawn < most; i += every) {
    const artifact::TileRun run = artifact::run_of(box, tensor, i);
    for (std::int64_t e = 0; e < run.length && drawn < most; e += per_burst * skip) {
      const auto element = artifact::element_at(tensor, run.first + e);
      if (!flat && tensor.order[0] == 0 && element[0] != box.begin[0]) break;
      const double tap = flat ? static_cast<double>(element[2]) / static_cast<double>(taps) : 0;
      const QPointF centre = at(static_cast<double>(element[static_cast<std::size_t>(across())]) + tap,
                                static_cast<double>(element[static_cast<std::size_t>(down())]) + 0.5);
      frame.painter.drawEllipse(centre + QPointF(dot, 0), dot, dot);
      ++drawn;
    }
  }
  return drawn;
}

void TensorPanel::paint_strip(const TilingFrame& frame) const {
  QPainter& painter = frame.painter;
  const artifact::TiledTensor& tensor = scene_->plan().tensor(tensor_);
  painter.setFont(with_pixel_size(frame.theme.label_font(), 11));
  painter.setPen(frame.theme.muted_text);
  const QRectF line(strip_.left(), strip_.top() + 4, strip_.width() - 8, 15);
  const TileTransfer* moved = moved_now(frame.step, tensor_);
  if (!moved) {
    draw_text(painter, line, Qt::AlignLeft | Qt::AlignVCenter,
              tensor_ == TileTensor::output ? QStringLiteral("nothing stored in this step: sums stay")
                                            : QStringLiteral("nothing loaded in this step: the tile stays"));
    return;
  }
  const artifact::TileRuns runs = artifact::runs_of(moved->box, tensor);
  const std::int64_t element = moved->box.elements() > 0 ? moved->bytes / moved->box.elements() : tensor.element_bytes;
  const QString what =
      QStringLiteral("%1, %2%3")
          .arg(QLatin1String(move_name(moved->move)), group_text(scene_->plan(), {moved->group}),
               moved->worker < 0 ? QStringLiteral(", all ") + plural(scene_->plan().names().worker)
                                 : QStringLiteral(", ") + worker_text(scene_->plan(), moved->worker, moved->worker));
  const std::int64_t used = runs.length * element, burst = scene_->plan().burst_bytes();
  painter.setPen(frame.theme.text);
  if (burst == 0)
    return draw_text(painter, line, Qt::AlignLeft | Qt::AlignVCenter,
                     QStringLiteral("%1: %2 × %3 B in a row").arg(what, count_text(runs.count), count_text(used)));
  const std::int64_t each = runs.count > 0 ? std::max<std::int64_t>(1, moved->bursts / runs.count) : 0;
  const double share =
      moved->bursts > 0 ? 100.0 * static_cast<double>(moved->bytes) / static_cast<double>(moved->bursts * burst) : 0;
  draw_text(painter, line, Qt::AlignLeft | Qt::AlignVCenter,
            QStringLiteral("%1 burst%4, %2 % used: %3")
                .arg(count_text(moved->bursts), QString::number(share, 'f', 0), what,
                     moved->bursts == 1 ? QString() : QStringLiteral("s")));
  double top = line.bottom() + 3;
  for (std::int64_t i = 0; i < std::min<std::int64_t>(run_rows, runs.count); ++i, top += 10) {
    paint_run(frame, QRectF(strip_.left(), top, strip_.width() - 8, 7), used, each);
  }
  painter.setFont(with_pixel_size(frame.theme.label_font(), 11));
  painter.setPen(frame.theme.muted_text);
  draw_text(painter, QRectF(strip_.left(), top + 1, strip_.width() - 8, 15), Qt::AlignLeft | Qt::AlignVCenter,
            QStringLiteral("%1 × %2 B in a row, bursts of %3 B")
                .arg(count_text(runs.count), count_text(used), count_text(burst)));
}

void TensorPanel::paint_run(const TilingFrame& frame, const QRectF& row, std::int64_t used, std::int64_t bursts) const {
  QPainter& painter = frame.painter;
  const auto shown = static_cast<int>(std::min<std::int64_t>(bursts, most_bursts));
  const double width = std::min(44.0, (row.width() - 14) / std::max(1, shown));
  const std::int64_t burst = scene_->plan().burst_bytes();
  for (int i = 0; i < shown; ++i) {
    const QRectF box(row.left() + i * width, row.top(), width - 3, row.height());
    const double part = std::clamp(static_cast<double>(used - i * burst) / static_cast<double>(burst), 0.0, 1.0);
    painter.fillRect(box, idle_brush(frame.theme));
    painter.fillRect(QRectF(box.topLeft(), QSizeF(box.width() * part, box.height())), frame.theme.activation);
    painter.setPen(QPen(frame.theme.border, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(box);
  }
  if (bursts > shown) {
    painter.setPen(frame.theme.muted_text);
    painter.setFont(with_pixel_size(frame.theme.label_font(), 10));
    draw_text(painter, QRectF(row.left() + shown * width, row.top() - 4, 14, 14), Qt::AlignCenter, QStringLiteral("…"));
  }
}

}  // namespace convscope::ui
