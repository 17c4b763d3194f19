#pragma once
// Where the parts of the tiling picture lie, in logical pixels at zoom 1.

#include <QRectF>

namespace convscope::ui {

struct TilingLayout {
  QRectF header, tensors[3], loops, memories, transfers, why, comparison;
  double height = 0;
};

}  // namespace convscope::ui
