#pragma once
// Where the parts of the stepper's picture lie, in content units: logical pixels at zoom 1.

#include <QRectF>
#include <QSizeF>
#include <vector>

#include "ui/views/program/stepper/stepper_scene.h"

namespace convscope::ui {

namespace stepper {

inline constexpr double column_width = 640, column_gap = 28, label_width = 52;
inline constexpr double title_height = 22, line_height = 17, unit_height = 20, font_size = 11;
inline constexpr double pixel_width = 20, pixel_height = 13, overview_width = 250, overview_height = 190;

/// Of a cell with so many letters.
constexpr double cell_width(int letters) {
  return letters * 6.7 + 8;
}

/// Size of a map's small picture: that of `overview_width` and `overview_height` into which it fits.
QSizeF overview_size(const artifact::StateBlock& block);

}  // namespace stepper

struct StepperPlace {
  enum class What { units, block, picture } what = What::units;
  std::size_t index = 0;  ///< into the scene's blocks or pictures
  QRectF box;
};

/// Units first, then blocks and maps in the schema's order, in columns that make a window's shape.
class StepperLayout {
 public:
  explicit StepperLayout(const StepperScene& scene);

  const std::vector<StepperPlace>& places() const { return places_; }
  QSizeF size() const { return size_; }

  QRectF unit_box(const StepperPlace& place, std::size_t unit) const;
  QRectF cell_box(const StepperPlace& place, const StepperBlock& block, std::size_t line, std::size_t cell) const;
  QRectF overview_box(const StepperPlace& place, const artifact::StateBlock& block) const;
  QRectF pixel_box(const StepperPlace& place, const StepperPicture& picture, std::size_t pixel) const;
  /// Where something that can be picked is shown; null rectangle if it isn't.
  QRectF box_of(const StepperScene& scene, const StepperPick& pick) const;

 private:
  std::vector<StepperPlace> places_;
  QSizeF size_;
};

}  // namespace convscope::ui
