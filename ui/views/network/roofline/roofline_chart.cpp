#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "ui/model/shown_run.h"
#include "ui/parts/drawing.h"
#include "ui/views/network/roofline/roofline_view.h"

namespace convscope::ui {
namespace {

bool drawable(const artifact::RooflinePoint& point) {
  return point.operations_per_byte > 0 && point.operations_per_second > 0 && std::isfinite(point.operations_per_byte) &&
         std::isfinite(point.operations_per_second);
}

/// Whole decades, at least two: a logarithmic axis needs labels.
RooflineChart::Range decades(double lower, double upper) {
  RooflineChart::Range range{std::pow(10, std::floor(std::log10(lower))), std::pow(10, std::ceil(std::log10(upper)))};
  if (range.upper / range.lower < 99) range.upper = range.lower * 100;
  return range;
}

bool is_same(const artifact::Roof& a, const artifact::Roof& b) {
  return a.operations_per_second == b.operations_per_second && a.bytes_per_second == b.bytes_per_second;
}

std::string csv_line(const artifact::Roof& roof, const std::string& series) {
  std::ostringstream out;
  out.precision(12);
  out << csv_field(roof.name) << ',' << csv_field(series) << ",," << roof.operations_per_second << ','
      << roof.bytes_per_second << ',' << origin_name(roof.origin) << '\n';
  return out.str();
}

std::shared_ptr<const Chart> chart_of(const Snapshot& snapshot) {
  return make_roofline_chart(snapshot);
}

}  // namespace

RooflineChart::RooflineChart(artifact::Roofline roofline, int selected_layer, std::vector<Arrow> arrows,
                             QString baseline, std::vector<artifact::Roof> baseline_roofs)
    : roofline_(std::move(roofline)),
      selected_layer_(selected_layer),
      arrows_(std::move(arrows)),
      baseline_(std::move(baseline)),
      baseline_roofs_(std::move(baseline_roofs)),
      ridge_(ridge_of(roofline_.roofs)),
      baseline_ridge_(ridge_of(baseline_roofs_)) {
  std::erase_if(roofline_.points, [](const auto& point) { return !drawable(point); });
  for (const artifact::RooflinePoint& point : roofline_.points) {
    if (std::find(series_.begin(), series_.end(), point.series) == series_.end()) series_.push_back(point.series);
  }
  // A slanted roof that is the same reaches further where the baseline's flat one is higher.
  const bool higher = baseline_ridge_.highest_flat > ridge_.highest_flat;
  std::erase_if(baseline_roofs_, [&](const artifact::Roof& roof) {
    if (higher && roof.bytes_per_second > 0) return false;
    return std::any_of(roofline_.roofs.begin(), roofline_.roofs.end(),
                       [&](const artifact::Roof& now) { return is_same(roof, now); });
  });
  find_ranges();
}

RooflineChart::Ridge RooflineChart::ridge_of(const std::vector<artifact::Roof>& roofs) {
  Ridge ridge;
  for (const artifact::Roof& roof : roofs) {
    ridge.highest_flat = std::max(ridge.highest_flat, roof.operations_per_second);
    ridge.steepest = std::max(ridge.steepest, roof.bytes_per_second);
  }
  return ridge;
}

void RooflineChart::find_ranges() {
  const double flat = std::max(ridge_.highest_flat, baseline_roofs_.empty() ? 0 : baseline_ridge_.highest_flat);
  double x0 = 1, x1 = 10, y0 = flat > 0 ? flat / 10 : 1, y1 = flat > 0 ? flat * 1.5 : 10;
  const auto include = [&](const std::vector<artifact::Roof>& roofs, const Ridge& ridge) {
    for (const artifact::Roof& roof : roofs) {
      if (roof.bytes_per_second <= 0 || ridge.highest_flat <= 0) continue;
      x0 = std::min(x0, ridge.highest_flat / roof.bytes_per_second / 2);
      x1 = std::max(x1, ridge.highest_flat / roof.bytes_per_second * 2);
    }
  };
  include(roofline_.roofs, ridge_);
  include(baseline_roofs_, baseline_ridge_);
  std::vector<artifact::RooflinePoint> points = roofline_.points;
  for (const Arrow& arrow : arrows_) points.push_back(arrow.from);
  for (const artifact::RooflinePoint& point : points) {
    x0 = std::min(x0, point.operations_per_byte / 1.5);
    x1 = std::max(x1, point.operations_per_byte * 1.5);
    y0 = std::min(y0, point.operations_per_second / 1.5);
    y1 = std::max(y1, point.operations_per_second * 1.5);
  }
  x_ = decades(x0, x1);
  y_ = decades(y0, y1);
}

RooflineChart::Segment RooflineChart::segment(const artifact::Roof& roof) const {
  return segment(roof, ridge_);
}

RooflineChart::Segment RooflineChart::segment(const artifact::Roof& roof, const Ridge& ridge) const {
  if (roof.bytes_per_second <= 0) {
    const double begin = ridge.steepest > 0 ? roof.operations_per_second / ridge.steepest : x_.lower;
    return {std::clamp(begin, x_.lower, x_.upper), roof.operations_per_second, x_.upper, roof.operations_per_second};
  }
  const double top = ridge.highest_flat > 0 ? ridge.highest_flat : y_.upper;
  const double from = std::max(x_.lower, y_.lower / roof.bytes_per_second);
  const double to = std::max(from, std::min(x_.upper, top / roof.bytes_per_second));
  return {from, from * roof.bytes_per_second, to, to * roof.bytes_per_second};
}

std::string RooflineChart::csv() const {
  std::ostringstream out;
  out.precision(12);
  out << "name,series,operations_per_byte,operations_per_second,bytes_per_second,origin\n";
  for (const artifact::Roof& roof : roofline_.roofs) out << csv_line(roof, "roof");
  for (const artifact::Roof& roof : baseline_roofs_)
    out << csv_line(roof, "roof, " + baseline_.toStdString() + " (baseline)");
  for (const artifact::RooflinePoint& point : roofline_.points) {
    out << csv_field(point.name) << ',' << csv_field(point.series) << ',' << point.operations_per_byte << ','
        << point.operations_per_second << ",," << origin_name(point.origin) << '\n';
  }
  for (const Arrow& arrow : arrows_) {
    const std::string series = arrow.from.series + ", " + baseline_.toStdString() + " (baseline)";
    out << csv_field(arrow.to.name) << ',' << csv_field(series) << ',' << arrow.from.operations_per_byte << ','
        << arrow.from.operations_per_second << ",," << origin_name(arrow.from.origin) << '\n';
  }
  return out.str();
}

std::vector<RooflineChart::Arrow> roofline_arrows(const artifact::Roofline& now, const Baseline& baseline) {
  std::vector<RooflineChart::Arrow> arrows;
  std::map<std::pair<int, std::string>, const artifact::RooflinePoint*> before;
  std::set<std::string> series;
  for (const artifact::RooflinePoint& point : baseline.run->roofline.points) {
    if (point.layer < 0 || !drawable(point)) continue;
    before.emplace(std::make_pair(point.layer, point.series), &point);
    series.insert(point.series);
  }
  for (const artifact::RooflinePoint& point : now.points) {
    const int matching = baseline.matching_layer(point.layer);
    if (matching < 0 || !drawable(point)) continue;
    // Another machine has other series: any point of the layer is where it was.
    const bool known = series.count(point.series) > 0;
    const auto found = known ? before.find({matching, point.series}) : before.lower_bound({matching, {}});
    if (found != before.end() && found->first.first == matching) arrows.push_back({*found->second, point});
  }
  return arrows;
}

std::shared_ptr<const RooflineChart> make_roofline_chart(const Snapshot& snapshot) {
  const auto shown = shown_network(snapshot);
  if (!shown || (shown->roofline.roofs.empty() && shown->roofline.points.empty())) return nullptr;
  const Baseline* baseline = snapshot.baseline();
  if (baseline == nullptr) return std::make_shared<RooflineChart>(shown->roofline, snapshot.selection.layer);
  return std::make_shared<RooflineChart>(shown->roofline, snapshot.selection.layer,
                                         roofline_arrows(shown->roofline, *baseline), baseline->name,
                                         baseline->run->roofline.roofs);
}

std::unique_ptr<ViewPainter> make_roofline_painter(const Snapshot& snapshot) {
  return make_chart_painter(snapshot, chart_of);
}

QWidget* make_roofline_widget(ViewHost& host, QWidget* parent) {
  return make_chart_widget(host, parent, chart_of);
}

}  // namespace convscope::ui
