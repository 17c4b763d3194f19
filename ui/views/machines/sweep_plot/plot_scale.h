#pragma once
// How the values of a sweep's column lie along an axis: evenly, by their logarithm, or as names side by side.

#include <QString>
#include <string>
#include <vector>

#include "core/explore/results/sweep_table.h"

namespace convscope::ui {

struct PlotTick {
  double place = 0;
  QString label;  ///< empty for a tick between the named ones
};

/// A value of a column for people, with its unit or by its name; "–" for none.
QString column_value(const explore::SweepColumn& column, double value);

class PlotScale {
 public:
  enum class Kind { even, logarithmic, named };

  PlotScale() = default;
  /// Logarithmic only if the column has a positive value.
  PlotScale(const explore::SweepColumn& column, bool logarithmic);

  Kind kind() const { return kind_; }
  /// Where a value lies, in units of the axis; NaN for values without a place: none at all, or without a logarithm.
  double place(double value) const;
  double value(double place) const;
  /// Places of the least and the largest value that have one; the last is always beyond the first.
  double first() const { return first_; }
  double last() const { return last_; }
  /// Ticks in a stretch of the axis, at most about `most` with labels.
  std::vector<PlotTick> ticks(double from, double to, int most) const;
  /// What the axis shows: label, unit, and of an objective the origin.
  const QString& title() const { return title_; }

 private:
  void find_range(const explore::SweepColumn& column);
  void find_stops(const explore::SweepColumn& column);
  void find_prefix(const explore::SweepColumn& column);
  /// `step` between ticks, for as many decimals as they need; 0: what the value needs.
  QString tick_label(double value, double step = 0) const;
  std::vector<PlotTick> even_ticks(double from, double to, int most) const;
  std::vector<PlotTick> decade_ticks(double from, double to, int most) const;
  std::vector<PlotTick> name_ticks(double from, double to, int most) const;
  std::vector<PlotTick> stop_ticks(double from, double to, int most) const;

  Kind kind_ = Kind::even;
  double first_ = 0, last_ = 1;
  QString title_;
  std::string unit_;
  std::vector<QString> names_;
  std::vector<double> stops_;  ///< the values themselves, if they are few
  bool whole_ = false;         ///< only whole numbers
  bool exact_ = false;         ///< labels give all digits
  double scale_ = 1;           ///< of the prefix that all labels share
  QString prefix_;             ///< where the title has no unit that could carry it
};

}  // namespace convscope::ui
