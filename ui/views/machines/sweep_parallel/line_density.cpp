#include "ui/views/machines/sweep_parallel/line_density.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/base/cancellation.h"

namespace convscope::ui {
namespace {

constexpr std::size_t between_looks = 1024;  // lines drawn between two looks at the stop token
constexpr float half = 0.5F;                 // of a pixel
constexpr float least_range = 8;             // lines that meet, at least, where the ink is opaque

struct Cell {
  float weight = 0, tone = 0;
};

struct WeightedLine {
  DensityLine line;
  float weight = 0, tone = 0;
};

/// Lines of one key are drawn as one. Means don't need their tones apart.
std::uint64_t key(const DensityLine& line, ToneMix mix) {
  const std::uint8_t tone = mix == ToneMix::mean ? std::uint8_t{0} : line.tone;
  return (static_cast<std::uint64_t>(line.left) << 24) | (static_cast<std::uint64_t>(line.right) << 8) | tone;
}

std::vector<WeightedLine> merged(std::vector<DensityLine> lines, ToneMix mix) {
  std::sort(lines.begin(), lines.end(), [mix](const auto& a, const auto& b) { return key(a, mix) < key(b, mix); });
  std::vector<WeightedLine> result;
  for (const DensityLine& line : lines) {
    if (result.empty() || key(result.back().line, mix) != key(line, mix)) result.push_back({line, 0, 0});
    result.back().weight += 1;
    result.back().tone += line.tone;
  }
  for (WeightedLine& each : result) each.tone /= each.weight;
  return result;
}

/// Columns of cells, each as high as the image.
class Strip {
 public:
  Strip(int width, int height, ToneMix mix)
      : width_(width),
        height_(height),
        mix_(mix),
        cells_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height)) {}

  void draw(const WeightedLine& each, bool smooth) {
    const float from = each.line.left,
                slope = (static_cast<float>(each.line.right) - from) / static_cast<float>(width_);
    for (int x = 0; x < width_; ++x) {
      const float a = from + slope * static_cast<float>(x), b = a + slope;
      if (smooth)
        cover(column(x), std::min(a, b), std::max(a, b), each);
      else
        run(column(x), std::min(a, b), std::max(a, b), slope < 0 ? x == 0 : x == width_ - 1, each);
    }
  }
  const Cell& at(int x, int y) const { return column(x)[y]; }
  float heaviest() const {
    float most = 0;
    for (const Cell& cell : cells_) most = std::max(most, cell.weight);
    return most;
  }

 private:
  Cell* column(int x) { return cells_.data() + static_cast<std::ptrdiff_t>(x) * height_; }
  const Cell* column(int x) const { return cells_.data() + static_cast<std::ptrdiff_t>(x) * height_; }

  void put(Cell& cell, float weight, float tone) const {
    cell.weight += weight;
    cell.tone = mix_ == ToneMix::mean ? cell.tone + weight * tone : tone;
  }
  /// Each pixel by the share of it that a line covers, which is a pixel high where it is level. Pixel y reaches from
  /// y to y + 1 here.
  void cover(Cell* column, float low, float high, const WeightedLine& each) const {
    const float more = std::max(0.0F, 1 - (high - low)) / 2, from = low + half - more, to = high + half + more;
    const int first = std::max(0, static_cast<int>(from)), last = std::min(height_ - 1, static_cast<int>(to));
    for (int y = first; y <= last; ++y) {
      const float top = std::max(from, static_cast<float>(y)), bottom = std::min(to, static_cast<float>(y + 1));
      if (bottom > top) put(column[y], each.weight * (bottom - top), each.tone);
    }
  }
  /// Each pixel once: where one column ends the next begins. The last one closes the line.
  void run(Cell* column, float low, float high, bool last, const WeightedLine& each) const {
    const float from = low + half, to = high + half;
    const int first = static_cast<int>(from);
    const int end = std::min(height_, std::max(first + 1, static_cast<int>(to) + (last ? 1 : 0)));
    for (int y = first; y < end; ++y) put(column[y], each.weight, each.tone);
  }

  int width_, height_;
  ToneMix mix_;
  std::vector<Cell> cells_;
};

QRgb premultiplied(QRgb colour, float alpha) {
  const auto part = [alpha](int channel) { return static_cast<int>(std::lround(static_cast<float>(channel) * alpha)); };
  return qRgba(part(qRed(colour)), part(qGreen(colour)), part(qBlue(colour)), part(255));
}

class Inking {
 public:
  Inking(const DensityInk& ink, float heaviest) : ink_(ink), range_(std::log(std::max(heaviest, least_range))) {}
  QRgb colour(const Cell& cell) const {
    const float tone = ink_.mix == ToneMix::mean ? cell.tone / cell.weight : cell.tone;
    const auto index = static_cast<std::size_t>(std::clamp(std::lround(tone), 0L, 255L));
    return premultiplied(ink_.palette[index], opacity(cell.weight));
  }

 private:
  float opacity(float weight) const {
    const auto one = static_cast<float>(ink_.alpha), most = static_cast<float>(ink_.most);
    // Less than a whole line is the edge of one.
    if (weight < 1) return most * weight * one;
    return most * std::min(1.0F, one + (1 - one) * std::log(weight) / range_);
  }

  const DensityInk& ink_;
  float range_;
};

}  // namespace

double line_alpha(std::size_t lines) {
  return std::clamp(18 / std::sqrt(static_cast<double>(std::max<std::size_t>(lines, 1))), 0.2, 0.85);
}

void draw_density(QImage& image, int from, int to, std::vector<DensityLine> lines, const DensityInk& ink,
                  const std::stop_token& stop) {
  assert(image.format() == QImage::Format_ARGB32_Premultiplied);
  const int width = std::min(to, image.width()) - from;
  if (width <= 0 || lines.empty()) return;
  Strip strip(width, image.height(), ink.mix);
  std::size_t drawn = 0;
  for (const WeightedLine& each : merged(std::move(lines), ink.mix)) {
    if (++drawn % between_looks == 0) throw_if_stopped(stop);
    strip.draw(each, ink.smooth);
  }
  const Inking inking(ink, strip.heaviest());
  for (int y = 0; y < image.height(); ++y) {
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(y)) + from;
    for (int x = 0; x < width; ++x) {
      const Cell& cell = strip.at(x, y);
      if (cell.weight > 0) line[x] = inking.colour(cell);
    }
  }
}

}  // namespace convscope::ui
