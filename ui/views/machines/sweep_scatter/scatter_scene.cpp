#include "ui/views/machines/sweep_scatter/scatter_scene.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace convscope::ui {
namespace {

using explore::Objective;
using explore::SweepColumn;
using explore::SweepTable;

constexpr double margin = 0.04;

/// The column of the table's objective of that number, or of its last one.
const SweepColumn& objective_column(const SweepTable& table, std::size_t number) {
  for (std::size_t i = number; i < table.objectives.size(); ++i)
    if (const SweepColumn* column = table.column(table.objectives[i].key)) return *column;
  return number == 0 ? table.columns.front() : table.columns.back();
}

bool is_of_front(const SweepTable& table, const SweepColumn& column) {
  return std::any_of(table.objectives.begin(), table.objectives.end(),
                     [&](const Objective& each) { return each.key == column.key; });
}

bool maximizes(const SweepTable& table, const SweepColumn& column) {
  const auto found = std::find_if(table.objectives.begin(), table.objectives.end(),
                                  [&](const Objective& each) { return each.key == column.key; });
  return found == table.objectives.end() ? column.maximize : found->maximize;
}

std::uint8_t size_of(const SweepColumn& column, double value) {
  const double width = column.most - column.least;
  if (!std::isfinite(value) || width <= 0) return 0;
  return static_cast<std::uint8_t>(std::lround((value - column.least) / width * largest_point_size));
}

}  // namespace

const SweepColumn& x_column_of(const SweepTable& table, const SweepLook& look) {
  const SweepColumn* named = table.column(look.x);
  return named != nullptr ? *named : objective_column(table, 0);
}

const SweepColumn& y_column_of(const SweepTable& table, const SweepLook& look) {
  const SweepColumn* named = table.column(look.y);
  return named != nullptr ? *named : objective_column(table, 1);
}

ScatterScene::ScatterScene(std::shared_ptr<const SweepTable> table, SweepLook look,
                           const std::optional<OpenMachine>& open)
    : table_(std::move(table)), look_(std::move(look)) {
  assert(table_->rows() > 0 && !table_->columns.empty());
  find_columns();
  place_rows();
  find_front();
  draw_front_line();
  const auto point_at = [this](std::optional<std::size_t> row) { return row ? point_of_row(*row) : std::nullopt; };
  if (open) open_ = point_at(row_of(*table_, *open));
  for (const std::uint64_t point : look_.chosen) chosen_.push_back(point_at(table_->row(point)));
}

void ScatterScene::find_columns() {
  x_column_ = &x_column_of(*table_, look_);
  y_column_ = &y_column_of(*table_, look_);
  size_column_ = table_->column(look_.size);
  if (size_column_ != nullptr && !size_column_->names.empty()) size_column_ = nullptr;
  colours_ = ColourCoding(table_->column(look_.colour));
  x_ = PlotScale(*x_column_, look_.logarithmic_x);
  y_ = PlotScale(*y_column_, look_.logarithmic_y);
}

void ScatterScene::place_rows() {
  const auto within = look_.rows_within(*table_);
  const SweepColumn* colour = table_->column(look_.colour);
  std::vector<ScatterPoint> placed;
  placed.reserve(table_->rows());
  for (std::size_t row = 0; row < table_->rows(); ++row) {
    ScatterPoint point;
    point.x = x_.place(x_column_->values[row]);
    point.y = y_.place(y_column_->values[row]);
    if (std::isnan(point.x) || std::isnan(point.y)) continue;
    point.row = static_cast<std::uint32_t>(row);
    const double tone = colour != nullptr ? colour->values[row] : 0;
    point.colour = colours_.index(tone, table_->on_front[row] != 0);
    point.shape = colours_.shape(tone);
    if (size_column_ != nullptr) point.size = size_of(*size_column_, size_column_->values[row]);
    if (within[row] == 0)
      point.rank = PointRank::outside;
    else if (table_->comparable[row] == 0)
      point.rank = PointRank::incomparable;
    else
      point.rank = table_->on_front[row] != 0 ? PointRank::front : PointRank::dominated;
    ++counts_[static_cast<std::size_t>(point.rank)];
    placed.push_back(point);
  }
  std::size_t next[4] = {0, counts_[0], counts_[0] + counts_[1], counts_[0] + counts_[1] + counts_[2]};
  points_.resize(placed.size());
  for (const ScatterPoint& point : placed) points_[next[static_cast<std::size_t>(point.rank)]++] = point;
  std::vector<QPointF> places;
  places.reserve(points_.size());
  for (const ScatterPoint& point : points_) places.emplace_back(point.x, point.y);
  grid_ = PointGrid(std::move(places));
}

void ScatterScene::find_front() {
  for (std::size_t i = 0; i < points_.size(); ++i)
    if (table_->on_front[points_[i].row] != 0) front_.push_back(i);
  std::stable_sort(front_.begin(), front_.end(), [this](std::size_t a, std::size_t b) {
    return points_[a].x < points_[b].x || (points_[a].x == points_[b].x && points_[a].y < points_[b].y);
  });
}

void ScatterScene::draw_front_line() {
  if (x_column_ == y_column_ || !is_of_front(*table_, *x_column_) || !is_of_front(*table_, *y_column_)) return;
  const double toward_x = maximizes(*table_, *x_column_) ? -1 : 1, toward_y = maximizes(*table_, *y_column_) ? -1 : 1;
  // Of more objectives than the two, the front has points that others on it dominate here.
  std::vector<std::size_t> by_x = front_;
  std::stable_sort(by_x.begin(), by_x.end(), [&](std::size_t a, std::size_t b) {
    const double ax = toward_x * points_[a].x, bx = toward_x * points_[b].x;
    return ax < bx || (ax == bx && toward_y * points_[a].y < toward_y * points_[b].y);
  });
  double best = std::numeric_limits<double>::infinity();
  for (const std::size_t each : by_x) {
    const ScatterPoint& point = points_[each];
    if (toward_y * point.y >= best) continue;
    if (!front_line_.empty()) front_line_.emplace_back(point.x, front_line_.back().y());
    front_line_.emplace_back(point.x, point.y);
    best = toward_y * point.y;
  }
}

QRectF ScatterScene::whole() const {
  const auto stretch = [](const PlotScale& scale) {
    const double width = scale.last() - scale.first();
    const double room = scale.kind() == PlotScale::Kind::named ? 0.6 : margin * width;
    return std::pair(scale.first() - room, width + 2 * room);
  };
  const auto [left, width] = stretch(x_);
  const auto [top, height] = stretch(y_);
  return {left, top, width, height};
}

std::optional<std::size_t> ScatterScene::point_of_row(std::size_t row) const {
  const auto found =
      std::find_if(points_.begin(), points_.end(), [row](const ScatterPoint& each) { return each.row == row; });
  if (found == points_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - points_.begin());
}

std::optional<std::size_t> ScatterScene::nearest(QPointF place, QSizeF pixels_per_unit, double reach) const {
  const int found = grid_.nearest(place, pixels_per_unit, reach);
  if (found < 0) return std::nullopt;
  return static_cast<std::size_t>(found);
}

QString ScatterScene::reading(std::size_t point) const {
  return row_reading(*table_, points_[point].row) + company(point);
}

QString ScatterScene::company(std::size_t point) const {
  const int others = grid_.together_with(static_cast<int>(point)) - 1;
  if (others <= 0) return {};
  return QStringLiteral("\nand %1 more %2 here")
      .arg(points_text(static_cast<std::uint64_t>(others)),
           others == 1 ? QStringLiteral("point") : QStringLiteral("points"));
}

}  // namespace convscope::ui
