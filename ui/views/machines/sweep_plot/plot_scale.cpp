#include "ui/views/machines/sweep_plot/plot_scale.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <set>
#include <utility>

#include "ui/parts/drawing.h"

namespace convscope::ui {
namespace {

using explore::ColumnKind;
using explore::SweepColumn;

constexpr std::size_t most_stops = 12;
constexpr double exact_below = 1e6;
constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();

bool is_whole(double value) {
  return value == std::floor(value);
}

/// 1, 2 or 5 times a power of ten, at least as large.
double round_step(double minimum) {
  const double decade = std::pow(10.0, std::floor(std::log10(minimum)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (decade * factor >= minimum * (1 - 1e-9)) return decade * factor;
  return decade * 10;
}

/// Multiples of a step from one value to another. A stretch so short that numbers can't tell its values apart has few.
std::vector<double> multiples(double step, double from, double to) {
  constexpr int most = 200;
  std::vector<double> found;
  const double first = std::ceil(from / step - 1e-9);
  for (int i = 0; i < most && (first + i) * step <= to + step * 1e-9; ++i) {
    const double value = (first + i) * step;
    if (found.empty() || value > found.back()) found.push_back(value);
  }
  return found;
}

struct Prefix {
  double scale;
  const char* symbol;
};

Prefix prefix_for(double largest, bool is_time) {
  static constexpr Prefix large[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}};
  static constexpr Prefix small[] = {{1e-3, "m"}, {1e-6, "µ"}, {1e-9, "n"}};
  if (largest >= 1e4)
    for (const Prefix& each : large)
      if (largest >= each.scale) return each;
  if (!is_time || largest >= 1 || largest <= 0) return {1, ""};
  for (const Prefix& each : small)
    if (largest >= each.scale) return each;
  return small[2];
}

}  // namespace

QString column_value(const SweepColumn& column, double value) {
  const bool nameless = !column.names.empty() && !(value >= 0 && value < static_cast<double>(column.names.size()));
  const std::string text = nameless ? std::string() : explore::column_text(column, value);
  return text.empty() ? QStringLiteral("–") : to_text(text);
}

PlotScale::PlotScale(const SweepColumn& column, bool logarithmic) : unit_(column.unit) {
  if (!column.names.empty())
    kind_ = Kind::named;
  else if (logarithmic && column.most > 0 && column.least <= column.most)
    kind_ = Kind::logarithmic;
  for (const std::string& name : column.names) names_.push_back(to_text(name));
  find_range(column);
  find_stops(column);
  find_prefix(column);
}

void PlotScale::find_range(const SweepColumn& column) {
  if (column.least > column.most) return;
  double least = column.least;
  if (kind_ == Kind::logarithmic && least <= 0) {
    least = column.most;
    for (const double value : column.values)
      if (value > 0) least = std::min(least, value);
  }
  first_ = place(least);
  last_ = place(column.most);
  if (kind_ == Kind::named) std::tie(first_, last_) = std::pair(0.0, static_cast<double>(names_.size()) - 1);
  if (last_ - first_ > 1e-12 * std::max(std::abs(first_), std::abs(last_))) return;
  // All values are equal: they lie in the middle of a short stretch.
  double half = 0.5;
  if (kind_ == Kind::logarithmic) half = 0.1;
  if (kind_ == Kind::even && first_ != 0) half = std::abs(first_) / 10;
  first_ -= half;
  last_ += half;
}

void PlotScale::find_stops(const SweepColumn& column) {
  whole_ = kind_ != Kind::named;
  std::set<double> different;
  bool few = column.kind == ColumnKind::machine && kind_ != Kind::named;
  for (const double value : column.values) {
    if (std::isnan(value)) continue;
    whole_ = whole_ && is_whole(value);
    if (few) few = (different.insert(value), different.size() <= most_stops);
    if (!few && !whole_) break;
  }
  if (few) stops_.assign(different.begin(), different.end());
}

void PlotScale::find_prefix(const SweepColumn& column) {
  const double largest = std::max(std::abs(column.least), std::abs(column.most));
  exact_ = column.kind == ColumnKind::machine && largest < exact_below;
  QString unit = to_text(unit_);
  if (kind_ == Kind::even && !exact_ && column.least <= column.most) {
    const Prefix prefix = prefix_for(largest, unit_ == "s");
    scale_ = prefix.scale;
    (unit.isEmpty() ? prefix_ : unit).prepend(QString::fromUtf8(prefix.symbol));
    if (!prefix_.isEmpty()) prefix_.prepend(QChar(0x202f));
  }
  QStringList notes;
  if (!unit.isEmpty() && kind_ != Kind::named) notes << unit;
  if (column.kind == ColumnKind::objective) notes << to_text(origin_name(column.origin));
  if (kind_ == Kind::logarithmic) notes << QStringLiteral("logarithmic");
  title_ = to_text(column.label.empty() ? column.key : column.label);
  if (!notes.isEmpty()) title_ += QStringLiteral(" (%1)").arg(notes.join(QStringLiteral(", ")));
}

double PlotScale::place(double value) const {
  if (kind_ != Kind::logarithmic) return std::isfinite(value) ? value : nowhere;
  return value > 0 && std::isfinite(value) ? std::log10(value) : nowhere;
}

double PlotScale::value(double place) const {
  return kind_ == Kind::logarithmic ? std::pow(10.0, place) : place;
}

QString PlotScale::tick_label(double value, double step) const {
  if (step > 0 && kind_ == Kind::even && !whole_) {
    const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(step / scale_) - 1e-9)), 0, 15);
    return QString::number(value / scale_, 'f', decimals) + prefix_;
  }
  if (exact_) return QString::number(value, 'g', 10);
  if (kind_ == Kind::logarithmic) return to_text(format_quantity({value, unit_, Origin::derived}));
  return QString::number(value / scale_, 'g', 8) + prefix_;
}

std::vector<PlotTick> PlotScale::even_ticks(double from, double to, int most) const {
  double step = round_step((to - from) / std::max(1, most) / scale_) * scale_;
  if (whole_) step = std::max(step, 1.0);
  std::vector<PlotTick> ticks;
  for (const double value : multiples(step, from, to)) ticks.push_back({value, tick_label(value, step)});
  return ticks;
}

std::vector<PlotTick> PlotScale::decade_ticks(double from, double to, int most) const {
  std::vector<PlotTick> ticks;
  if (to - from < 0.9) {
    // Less than a decade: round values, which lie evenly in the values themselves.
    const double low = std::pow(10.0, from), high = std::pow(10.0, to),
                 step = round_step((high - low) / std::max(1, most));
    for (const double value : multiples(step, low, high)) ticks.push_back({std::log10(value), tick_label(value)});
    return ticks;
  }
  const int every = std::max(1, static_cast<int>(std::ceil((to - from) / std::max(1, most))));
  const bool roomy = (to - from) * 3 <= most;
  for (int decade = static_cast<int>(std::floor(from)); decade <= to; ++decade) {
    for (int digit = 1; digit < 10; ++digit) {
      const double place = decade + std::log10(digit);
      if (place < from - 1e-9 || place > to + 1e-9 || (digit > 1 && every > 1)) continue;
      const bool named = digit == 1 ? decade % every == 0 : roomy && (digit == 2 || digit == 5);
      ticks.push_back({place, named ? tick_label(digit * std::pow(10.0, decade)) : QString()});
    }
  }
  return ticks;
}

std::vector<PlotTick> PlotScale::stop_ticks(double from, double to, int most) const {
  std::vector<PlotTick> ticks;
  const double apart = (to - from) / (std::max(1, most) * 1.7);
  double last = -std::numeric_limits<double>::infinity();
  for (const double stop : stops_) {
    const double at = place(stop);
    if (!(at >= from && at <= to)) continue;
    const bool named = at - last >= apart;
    if (named) last = at;
    ticks.push_back({at, named ? tick_label(stop) : QString()});
  }
  return ticks;
}

std::vector<PlotTick> PlotScale::name_ticks(double from, double to, int most) const {
  std::vector<PlotTick> ticks;
  const int first = static_cast<int>(std::ceil(std::max(from, 0.0)));
  const int last = static_cast<int>(std::floor(std::min(to, static_cast<double>(names_.size()) - 1)));
  const int every = std::max(1, (last - first) / std::max(1, most) + 1);
  for (int index = first; index <= last; index += every)
    ticks.push_back({static_cast<double>(index), names_[static_cast<std::size_t>(index)]});
  return ticks;
}

std::vector<PlotTick> PlotScale::ticks(double from, double to, int most) const {
  if (!(to > from)) return {};
  if (kind_ == Kind::named) return name_ticks(from, to, most);
  if (!stops_.empty()) {
    auto ticks = stop_ticks(from, to, most);
    if (!ticks.empty()) return ticks;
  }
  return kind_ == Kind::logarithmic ? decade_ticks(from, to, most) : even_ticks(from, to, most);
}

}  // namespace convscope::ui
