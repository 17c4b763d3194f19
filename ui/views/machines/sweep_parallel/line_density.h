#pragma once
// Very many straight lines from one upright edge of a strip to the other, as an image: how many lines run through a
// pixel tells how opaque it is, what they stand for tells its colour. Equal lines are drawn once, with their weight.

#include <QImage>
#include <array>
#include <cstdint>
#include <stop_token>
#include <vector>

namespace convscope::ui {

struct DensityLine {
  std::uint16_t left = 0, right = 0;  ///< pixel rows at the edges
  std::uint8_t tone = 0;
};

/// What a pixel's colour is made of, where several lines meet.
enum class ToneMix {
  mean,  ///< of tones that are a range
  last   ///< of tones that are names
};

struct DensityInk {
  std::array<QRgb, 256> palette{};
  ToneMix mix = ToneMix::mean;
  double alpha = 1;     ///< of one line; where most lines meet the ink is opaque, between by the logarithm
  double most = 1;      ///< times all of that
  bool smooth = false;  ///< edges are smoothed; costs twice as much
};

/// How opaque one of so many lines had better be.
double line_alpha(std::size_t lines);

/// Draws over columns [from, to) of an image of premultiplied colours. Throws Cancelled.
void draw_density(QImage& image, int from, int to, std::vector<DensityLine> lines, const DensityInk& ink,
                  const std::stop_token& stop = {});

}  // namespace convscope::ui
