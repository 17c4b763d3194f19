#pragma once
// A sweep's rows as points of two of its columns: where each lies, how it looks, which are on the front.

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "ui/model/exploration.h"
#include "ui/views/machines/sweep_plot/colour_coding.h"
#include "ui/views/machines/sweep_plot/plot_scale.h"
#include "ui/views/machines/sweep_plot/point_grid.h"
#include "ui/views/machines/sweep_plot/sweep_text.h"

namespace convscope::ui {

/// From those that are drawn first, and so are covered, to those on top.
enum class PointRank : std::uint8_t { outside, incomparable, dominated, front };

struct ScatterPoint {
  double x = 0, y = 0;  ///< places on the axes
  std::uint32_t row = 0;
  std::uint8_t colour = 0;  ///< index of the colour coding
  std::uint8_t size = 0;    ///< 0 smallest, `largest_point_size` largest
  MarkShape shape = MarkShape::disc;
  PointRank rank = PointRank::dominated;
};

inline constexpr int largest_point_size = 15;

class ScatterScene {
 public:
  /// The table must have rows. Columns that the look names but the table hasn't got are as if they were not named.
  ScatterScene(std::shared_ptr<const explore::SweepTable> table, SweepLook look,
               const std::optional<OpenMachine>& open);
  ScatterScene(const ScatterScene&) = delete;
  ScatterScene& operator=(const ScatterScene&) = delete;

  const explore::SweepTable& table() const { return *table_; }
  const std::shared_ptr<const explore::SweepTable>& table_pointer() const { return table_; }
  const SweepLook& look() const { return look_; }
  const explore::SweepColumn& x_column() const { return *x_column_; }
  const explore::SweepColumn& y_column() const { return *y_column_; }
  const explore::SweepColumn* size_column() const { return size_column_; }
  const PlotScale& x() const { return x_; }
  const PlotScale& y() const { return y_; }
  const ColourCoding& colours() const { return colours_; }
  /// In the order in which they are drawn.
  const std::vector<ScatterPoint>& points() const { return points_; }
  std::size_t count(PointRank rank) const { return counts_[static_cast<std::size_t>(rank)]; }
  /// Rows without a place: no value on an axis, or none that has a logarithm.
  std::size_t placeless() const { return table_->rows() - points_.size(); }
  /// Everything, with a margin.
  QRectF whole() const;

  /// Corners of the front as a step curve, from the best on the horizontal axis; empty unless both axes are objectives
  /// that the front is drawn over.
  const std::vector<QPointF>& front_line() const { return front_line_; }
  /// Points on the front, by their place on the horizontal axis.
  const std::vector<std::size_t>& front() const { return front_; }
  /// Index of the point of a row or of a point of the space; nothing if it has no place.
  std::optional<std::size_t> point_of_row(std::size_t row) const;
  /// The open machine's, and those that were chosen, in their order; nothing where one has no place.
  const std::optional<std::size_t>& open() const { return open_; }
  const std::vector<std::optional<std::size_t>>& chosen() const { return chosen_; }

  /// Index of the point nearest to a place, within reach in pixels.
  std::optional<std::size_t> nearest(QPointF place, QSizeF pixels_per_unit, double reach) const;
  QString reading(std::size_t point) const;
  /// A line, "and 3 more points here": what a reading should add; empty for a point that has its place to itself.
  QString company(std::size_t point) const;
  std::uint64_t number(std::size_t point) const { return table_->points[points_[point].row]; }

 private:
  void find_columns();
  void place_rows();
  void find_front();
  void draw_front_line();

  std::shared_ptr<const explore::SweepTable> table_;
  SweepLook look_;
  const explore::SweepColumn *x_column_ = nullptr, *y_column_ = nullptr, *size_column_ = nullptr;
  PlotScale x_, y_;
  ColourCoding colours_;
  std::vector<ScatterPoint> points_;
  std::size_t counts_[4] = {};
  PointGrid grid_;
  std::vector<std::size_t> front_;
  std::vector<QPointF> front_line_;
  std::optional<std::size_t> open_;
  std::vector<std::optional<std::size_t>> chosen_;
};

/// The columns that a look's axes show: those that it names, else the first objectives, else any.
const explore::SweepColumn& x_column_of(const explore::SweepTable& table, const SweepLook& look);
const explore::SweepColumn& y_column_of(const explore::SweepTable& table, const SweepLook& look);

}  // namespace convscope::ui
