#include "ui/views/machines/sweep_parallel/parallel_picture.h"

#include <QPainter>
#include <QPolygonF>
#include <algorithm>
#include <cmath>

#include "core/base/cancellation.h"
#include "ui/views/machines/sweep_parallel/line_density.h"

namespace convscope::ui {
namespace {

constexpr std::size_t most_smooth_lines = 20'000, most_cased_lines = 80;
constexpr double quiet = 0.35;  ///< of the opacity of lines outside of brushes

class LinePainter {
 public:
  LinePainter(const ParallelScene& scene, const ParallelLayout& layout, double ratio, const std::stop_token& stop)
      : scene_(scene), layout_(layout), ratio_(ratio), stop_(stop) {}

  template <typename Rows>
  QImage draw(const Rows& rows, const DensityInk& ink, bool toned) const {
    QImage image = blank();
    const auto& axes = scene_.axes();
    for (std::size_t i = 0; i + 1 < axes.size(); ++i) {
      const auto heights = std::pair(heights_of(axes[i], image.height()), heights_of(axes[i + 1], image.height()));
      // So many lines are a cloud: those that run within two pixels of each other are one.
      const std::uint16_t mask = ink.smooth ? 0xffff : 0xfffe;
      std::vector<DensityLine> lines;
      lines.reserve(rows.size());
      for (const std::uint32_t row : rows) {
        const std::uint8_t tone = toned ? scene_.tones()[row] : std::uint8_t{0};
        lines.push_back({static_cast<std::uint16_t>(heights.first[row] & mask),
                         static_cast<std::uint16_t>(heights.second[row] & mask), tone});
      }
      draw_density(image, column(i), column(i + 1), std::move(lines), ink, stop_);
      throw_if_stopped(stop_);
    }
    return image;
  }

  void draw_front(QImage& image, const Theme& theme) const {
    const auto palette = scene_.colours().palette(theme);
    const bool few = scene_.front().size() <= most_cased_lines;
    QPainter painter(&image);
    painter.scale(ratio_, ratio_);
    painter.setRenderHint(QPainter::Antialiasing);
    std::size_t drawn = 0;
    for (const std::uint32_t row : scene_.front()) {
      if (++drawn % 64 == 0) throw_if_stopped(stop_);
      const QPolygonF line = line_of(row);
      const QColor colour(palette[scene_.tones()[row]]);
      if (few) {
        painter.setPen(QPen(theme.background, 4.6));
        painter.drawPolyline(line);
      }
      painter.setPen(QPen(colour, few ? 2.6 : 2.0));
      painter.drawPolyline(line);
    }
  }

 private:
  QImage blank() const {
    const QSize size(std::max(1, qRound(layout_.lines.width() * ratio_)),
                     std::clamp(qRound(layout_.lines.height() * ratio_), 1, 65535));
    QImage image(size, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    return image;
  }
  int column(std::size_t axis) const { return qRound((layout_.x[axis] - layout_.lines.left()) * ratio_); }
  std::vector<std::uint16_t> heights_of(const ParallelAxis& axis, int height) const {
    std::vector<std::uint16_t> heights;
    heights.reserve(axis.shares.size());
    const double zero = (layout_.y(0) - layout_.lines.top()) * ratio_, per_share = layout_.box.height() * ratio_;
    for (const float share : axis.shares) {
      const double y = std::clamp(zero - per_share * static_cast<double>(share), 0.0, height - 1.0);
      heights.push_back(static_cast<std::uint16_t>(std::lround(y)));
    }
    return heights;
  }
  QPolygonF line_of(std::uint32_t row) const {
    QPolygonF line;
    for (std::size_t i = 0; i < scene_.axes().size(); ++i)
      line << QPointF(layout_.x[i], layout_.y(static_cast<double>(scene_.axes()[i].shares[row]))) -
                  layout_.lines.topLeft();
    return line;
  }

  const ParallelScene& scene_;
  const ParallelLayout& layout_;
  double ratio_;
  const std::stop_token& stop_;
};

DensityInk quiet_ink(const ParallelScene& scene, const Theme& theme) {
  DensityInk ink;
  ink.palette.fill(theme.baseline.rgb());
  ink.alpha = line_alpha(scene.table().rows());
  ink.most = quiet;
  ink.smooth = scene.table().rows() <= most_smooth_lines;
  return ink;
}

DensityInk ink_of(const ParallelScene& scene, const Theme& theme) {
  DensityInk ink;
  ink.palette = scene.colours().palette(theme);
  ink.mix = scene.colours().kind() == ColourCoding::Kind::range ? ToneMix::mean : ToneMix::last;
  ink.alpha = line_alpha(scene.within().size());
  ink.most = scene.front().empty() ? 1 : 0.75;  // the front stands out
  ink.smooth = scene.within().size() <= most_smooth_lines;
  return ink;
}

}  // namespace

bool ParallelPicture::shows(const ParallelScene* other, QSizeF wanted, double scale, const Theme& colours) const {
  return scene.get() == other && size == wanted && ratio == scale && theme == &colours;
}

std::shared_ptr<const ParallelPicture> draw_lines(std::shared_ptr<const ParallelScene> scene,
                                                  const ParallelLayout& layout, double ratio, const Theme& theme,
                                                  const ParallelPicture* before, const std::stop_token& stop) {
  auto picture = std::make_shared<ParallelPicture>();
  const LinePainter painter(*scene, layout, ratio, stop);
  const bool same_axes = before != nullptr && before->scene && before->scene->axes_pointer() == scene->axes_pointer() &&
                         before->size == layout.lines.size() && before->ratio == ratio && before->theme == &theme;
  if (scene->brushed() && same_axes) picture->all = before->all;
  if (scene->brushed() && picture->all.isNull()) {
    std::vector<std::uint32_t> rows(scene->table().rows());
    for (std::size_t row = 0; row < rows.size(); ++row) rows[row] = static_cast<std::uint32_t>(row);
    picture->all = painter.draw(rows, quiet_ink(*scene, theme), false);
  }
  picture->within = painter.draw(scene->within(), ink_of(*scene, theme), true);
  painter.draw_front(picture->within, theme);
  picture->scene = std::move(scene);
  picture->theme = &theme;
  picture->size = layout.lines.size();
  picture->ratio = ratio;
  return picture;
}

}  // namespace convscope::ui
