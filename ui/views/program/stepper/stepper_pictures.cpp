#include "ui/views/program/stepper/stepper_pictures.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/cancellation.h"
#include "ui/views/program/stepper/stepper_blocks.h"

namespace convscope::ui {
namespace {

using artifact::StateBlock;
using artifact::StateKind;
using artifact::WindowPixel;

constexpr std::size_t most_pictures = 6;
constexpr std::int64_t overview_pixels = 256;  // along each side at most
constexpr int most_columns = 17, most_rows = 40;
constexpr int columns_around = 5, rows_around = 1;

std::vector<int> choose_maps(const StepperScene& scene, const std::vector<WindowPixel>& window) {
  std::set<int> busy, outputs, inputs;
  for (const WindowPixel& pixel : window) busy.insert(pixel.image);
  for (const artifact::StateAccess& access : scene.changes.accesses)
    if (scene.schema(access.block).kind == StateKind::image) busy.insert(access.block);
  for (int block = 0; block < static_cast<int>(scene.trace->schema().blocks.size()); ++block) {
    if (scene.schema(block).kind == StateKind::image) (scene.schema(block).output ? outputs : inputs).insert(block);
  }
  std::vector<int> chosen;
  for (const auto* group : {&busy, &outputs, &inputs}) {
    // An input that nothing happens in says little: one stands for all.
    const std::size_t most = group == &inputs ? std::min(most_pictures, chosen.size() + 1) : most_pictures;
    for (const int block : *group) {
      const bool known = block < 0 || std::find(chosen.begin(), chosen.end(), block) != chosen.end();
      if (!known && chosen.size() < most) chosen.push_back(block);
    }
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

/// 0 to 255: of bytes their value; wider words seldom use their range, so they are compared with the largest shown.
int grey_of(std::int64_t value, const StateBlock& block, double largest) {
  if (block.bits <= 8) return static_cast<int>(std::clamp<std::int64_t>(value, 0, 255));
  return std::clamp(static_cast<int>(128 + 127 * static_cast<double>(value) / largest), 0, 255);
}

double largest_of(const std::vector<std::int64_t>& shown) {
  double largest = 1;
  for (const std::int64_t value : shown)
    if (value != artifact::no_value) largest = std::max(largest, std::abs(static_cast<double>(value)));
  return largest;
}

/// Every n-th row and column, so that none has more than a few hundred.
QImage overview_of(const StepperScene& scene, int block, const std::stop_token& stop) {
  const StateBlock& about = scene.schema(block);
  const std::int64_t step =
      std::max<std::int64_t>(1, (std::max(about.rows, about.columns) + overview_pixels - 1) / overview_pixels);
  const std::int64_t rows = (about.rows + step - 1) / step, columns = (about.columns + step - 1) / step;
  std::vector<std::int64_t> shown;
  for (std::int64_t row = 0; row < rows; ++row) {
    throw_if_stopped(stop);
    const auto values = scene.trace->values(scene.cycle, block, row * step * about.columns, about.columns);
    for (std::int64_t column = 0; column < columns; ++column)
      shown.push_back(values.numbers[static_cast<std::size_t>(column * step)]);
  }
  const double largest = largest_of(shown);
  QImage image(static_cast<int>(columns), static_cast<int>(rows), QImage::Format_ARGB32);
  image.fill(Qt::transparent);
  for (std::int64_t row = 0; row < rows; ++row) {
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(static_cast<int>(row)));
    for (std::int64_t column = 0; column < columns; ++column) {
      const std::int64_t value = shown[static_cast<std::size_t>(row * columns + column)];
      if (value == artifact::no_value) continue;
      const int grey = grey_of(value, about, largest);
      line[column] = qRgb(grey, grey, grey);
    }
  }
  return image;
}

/// What is held and touched, with a little around it; as much of it as can be shown.
QRect detail_of(const StepperScene& scene, int block, const std::vector<WindowPixel>& window) {
  const StateBlock& about = scene.schema(block);
  QRect found;
  for (const WindowPixel& pixel : window)
    if (pixel.image == block) found |= QRect(pixel.column, pixel.row, 1, 1);
  for (const artifact::StateAccess& access : scene.changes.accesses) {
    if (access.block != block || access.first < 0 || access.first >= about.size()) continue;
    found |=
        QRect(static_cast<int>(access.first % about.columns), static_cast<int>(access.first / about.columns), 1, 1);
  }
  if (found.isEmpty()) return {};
  found.adjust(-columns_around, -rows_around, columns_around, rows_around);
  found &= QRect(0, 0, static_cast<int>(about.columns), static_cast<int>(about.rows));
  found.setWidth(std::min(found.width(), most_columns));
  found.setHeight(std::min(found.height(), most_rows));
  return found;
}

void fill_pixels(StepperPicture& picture, const StepperScene& scene, const std::vector<WindowPixel>& window) {
  const QRect& detail = picture.detail;
  const std::int64_t columns = scene.schema(picture.block).columns;
  for (int row = detail.top(); row <= detail.bottom(); ++row) {
    const std::int64_t first = row * columns + detail.left();
    const auto values = scene.trace->values(scene.cycle, picture.block, first, detail.width());
    for (int i = 0; i < detail.width(); ++i)
      picture.pixels.push_back(
          {values.numbers[static_cast<std::size_t>(i)], marks_of(scene.changes, picture.block, first + i), false, -1});
  }
  for (const WindowPixel& held : window) {
    if (held.image != picture.block || !detail.contains(held.column, held.row)) continue;
    const int at = (held.row - detail.top()) * detail.width() + held.column - detail.left();
    StepperPixel& pixel = picture.pixels[static_cast<std::size_t>(at)];
    pixel.held = true;
    pixel.lane = std::max(pixel.lane, held.lane);
  }
}

}  // namespace

std::vector<StepperPicture> make_stepper_pictures(const StepperScene& scene, const std::vector<WindowPixel>& window,
                                                  const std::stop_token& stop) {
  std::vector<StepperPicture> pictures;
  for (const int block : choose_maps(scene, window)) {
    StepperPicture picture{block, overview_of(scene, block, stop), detail_of(scene, block, window)};
    if (!picture.detail.isEmpty()) fill_pixels(picture, scene, window);
    pictures.push_back(std::move(picture));
  }
  return pictures;
}

}  // namespace convscope::ui
