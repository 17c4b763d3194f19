#pragma once
// Pictures of views, and how far two pictures are apart.

#include <QImage>

#include <gtest/gtest.h>

#include "ui/model/view.h"

namespace convscope::ui::test {

/// A view as export draws it; `scale` pixels per logical pixel.
QImage picture_of(const ViewEntry& view, const Snapshot& snapshot, const Theme& theme, QSize size, double scale = 1);

QImage picture_of(const ViewPainter& view, const Theme& theme, QSize size, double scale = 1);

/// What differs between two pictures of the same size.
struct Difference {
  double mean = 0;     ///< of all channels of all pixels, 0..255
  double changed = 0;  ///< share of the pixels of which a channel differs by more than `noticeable`
};
inline constexpr int noticeable = 48;

Difference difference(const QImage& a, const QImage& b);

/// Whether a picture looks as it did when somebody looked: compared with tests/ui/images/NAME.png. If
/// CONVSCOPE_KEEP_IMAGES is set, the picture is kept instead.
testing::AssertionResult looks_as_kept(const QImage& drawn, const QString& name);

}  // namespace convscope::ui::test
