#include "ui/views/program/stepper/stepper_layout.h"

#include <algorithm>
#include <cmath>

namespace convscope::ui {

namespace {

constexpr double gap = 14, margin = 12;
constexpr double title_width = 400;  // of what is narrow itself
constexpr double detail_left = stepper::overview_width + 46;
constexpr int columns_of_layout = 4;  // at most
constexpr double wanted_shape = 1.7;  // width by height, as windows have it

double height_of(const StepperScene& scene, const StepperPlace& place) {
  if (place.what == StepperPlace::What::units)
    return stepper::title_height + stepper::unit_height * static_cast<double>(scene.units.size());
  if (place.what == StepperPlace::What::block)
    return stepper::title_height +
           stepper::line_height * static_cast<double>(std::max<std::size_t>(1, scene.blocks[place.index].lines.size()));
  const StepperPicture& picture = scene.pictures[place.index];
  return stepper::title_height + std::max(stepper::overview_size(scene.schema(picture.block)).height(),
                                          picture.detail.height() * stepper::pixel_height);
}

int block_of(const StepperScene& scene, const StepperPlace& place) {
  if (place.what == StepperPlace::What::units) return -1;
  return place.what == StepperPlace::What::block ? scene.blocks[place.index].block : scene.pictures[place.index].block;
}

double width_of(const StepperScene& scene, const StepperPlace& place) {
  if (place.what == StepperPlace::What::units) return stepper::column_width;
  if (place.what == StepperPlace::What::block) {
    const StepperBlock& block = scene.blocks[place.index];
    return std::clamp(stepper::label_width + block.across * stepper::cell_width(block.letters), title_width,
                      stepper::column_width);
  }
  return std::max(title_width, detail_left + scene.pictures[place.index].detail.width() * stepper::pixel_width);
}

/// In order, column by column, each about as high as the others. Returns the size of all.
QSizeF set_in_columns(const StepperScene& scene, std::vector<StepperPlace>& places, int columns) {
  double total = 0;
  for (const StepperPlace& place : places) total += height_of(scene, place) + gap;
  double left = margin, top = margin, width = 0, highest = 0;
  std::size_t first = 0;  // of the column
  const auto end_column = [&](std::size_t last) {
    for (std::size_t i = first; i < last; ++i) places[i].box.setWidth(width);  // titles may take it all
    first = last;
  };
  for (std::size_t i = 0; i < places.size(); ++i) {
    StepperPlace& place = places[i];
    const double height = height_of(scene, place);
    // What would lie mostly below the others' foot begins the next column.
    if (top > margin && top - margin + height / 2 > total / columns) {
      end_column(i);
      left += width + stepper::column_gap;
      top = margin;
      width = 0;
    }
    place.box = {left, top, width_of(scene, place), height};
    top += height + gap;
    width = std::max(width, place.box.width());
    highest = std::max(highest, top);
  }
  end_column(places.size());
  return {left + width + margin, highest};
}

}  // namespace

QSizeF stepper::overview_size(const artifact::StateBlock& block) {
  const double rows = static_cast<double>(std::max<std::int64_t>(1, block.rows));
  const double columns = static_cast<double>(std::max<std::int64_t>(1, block.columns));
  const double scale = std::min({stepper::overview_width / columns, stepper::overview_height / rows, 8.0});
  return {std::max(4.0, columns * scale), std::max(4.0, rows * scale)};
}

StepperLayout::StepperLayout(const StepperScene& scene) {
  std::vector<StepperPlace> places{{StepperPlace::What::units, 0, {}}};
  for (std::size_t i = 0; i < scene.blocks.size(); ++i) places.push_back({StepperPlace::What::block, i, {}});
  for (std::size_t i = 0; i < scene.pictures.size(); ++i) places.push_back({StepperPlace::What::picture, i, {}});
  std::stable_sort(places.begin(), places.end(), [&](const StepperPlace& a, const StepperPlace& b) {
    return block_of(scene, a) < block_of(scene, b);
  });
  double best = 0;
  for (int columns = 1; columns <= columns_of_layout; ++columns) {
    const QSizeF size = set_in_columns(scene, places, columns);
    const double off = std::abs(std::log(size.width() / size.height() / wanted_shape));
    if (columns > 1 && off >= best) continue;
    best = off;
    places_ = places;
    size_ = size;
  }
}

QRectF StepperLayout::unit_box(const StepperPlace& place, std::size_t unit) const {
  return {place.box.left(), place.box.top() + stepper::title_height + stepper::unit_height * static_cast<double>(unit),
          place.box.width(), stepper::unit_height};
}

QRectF StepperLayout::cell_box(const StepperPlace& place, const StepperBlock& block, std::size_t line,
                               std::size_t cell) const {
  const double width = std::min(stepper::cell_width(block.letters), stepper::column_width - stepper::label_width);
  return {place.box.left() + stepper::label_width + width * static_cast<double>(cell),
          place.box.top() + stepper::title_height + stepper::line_height * static_cast<double>(line), width,
          stepper::line_height};
}

QRectF StepperLayout::overview_box(const StepperPlace& place, const artifact::StateBlock& block) const {
  return {place.box.topLeft() + QPointF(0, stepper::title_height), stepper::overview_size(block)};
}

QRectF StepperLayout::pixel_box(const StepperPlace& place, const StepperPicture& picture, std::size_t pixel) const {
  const auto columns = static_cast<std::size_t>(std::max(1, picture.detail.width()));
  return {place.box.left() + detail_left + stepper::pixel_width * static_cast<double>(pixel % columns),
          place.box.top() + stepper::title_height + stepper::pixel_height * static_cast<double>(pixel / columns),
          stepper::pixel_width, stepper::pixel_height};
}

QRectF StepperLayout::box_of(const StepperScene& scene, const StepperPick& pick) const {
  for (const StepperPlace& place : places_) {
    if (block_of(scene, place) != pick.block) continue;
    if (place.what == StepperPlace::What::units) return unit_box(place, static_cast<std::size_t>(pick.index));
    if (place.what == StepperPlace::What::picture) {
      const StepperPicture& picture = scene.pictures[place.index];
      const std::int64_t columns = scene.schema(pick.block).columns;
      const QPoint at(static_cast<int>(pick.index % columns), static_cast<int>(pick.index / columns));
      if (!picture.detail.contains(at)) return {};
      const QPoint inside = at - picture.detail.topLeft();
      return pixel_box(place, picture, static_cast<std::size_t>(inside.y() * picture.detail.width() + inside.x()));
    }
    const StepperBlock& block = scene.blocks[place.index];
    for (std::size_t line = 0; line < block.lines.size(); ++line) {
      const std::int64_t offset = pick.index - block.lines[line].first;
      if (offset >= 0 && offset < static_cast<std::int64_t>(block.lines[line].cells.size()))
        return cell_box(place, block, line, static_cast<std::size_t>(offset));
    }
  }
  return {};
}

}  // namespace convscope::ui
