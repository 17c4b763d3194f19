#pragma once
// The lines of parallel coordinates as images: those within all brushes, and all lines, quiet, below them.

#include <QImage>
#include <memory>
#include <stop_token>

#include "ui/theme/theme.h"
#include "ui/views/machines/sweep_parallel/parallel_layout.h"
#include "ui/views/machines/sweep_parallel/parallel_scene.h"

namespace convscope::ui {

struct ParallelPicture {
  std::shared_ptr<const ParallelScene> scene;
  const Theme* theme = nullptr;
  QSizeF size;       ///< logical pixels of the layout's `lines`
  double ratio = 1;  ///< pixels of the images for a logical pixel
  QImage all;        ///< null unless there are brushes
  QImage within;

  bool shows(const ParallelScene* other, QSizeF wanted, double scale, const Theme& colours) const;
};

/// Takes over what a picture before has already. Throws Cancelled.
std::shared_ptr<const ParallelPicture> draw_lines(std::shared_ptr<const ParallelScene> scene,
                                                  const ParallelLayout& layout, double ratio, const Theme& theme,
                                                  const ParallelPicture* before = nullptr,
                                                  const std::stop_token& stop = {});

}  // namespace convscope::ui
