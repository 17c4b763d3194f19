#include "ui/views/machines/sweep_parallel/parallel_scene.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace convscope::ui {
namespace {

using explore::SweepColumn;
using explore::SweepTable;

ParallelAxis make_axis(const SweepColumn& column, const ParallelLook& look) {
  ParallelAxis axis;
  axis.column = &column;
  axis.scale = PlotScale(column, look.logarithmic.count(column.key) > 0);
  axis.flipped = look.flipped.count(column.key) > 0;
  axis.shares.reserve(column.values.size());
  for (const double value : column.values) {
    const auto share = axis.share_of(value);
    axis.has_gaps = axis.has_gaps || !share;
    axis.shares.push_back(share ? static_cast<float>(*share) : share_of_nothing);
  }
  return axis;
}

std::shared_ptr<const ParallelAxes> make_axes(std::shared_ptr<const SweepTable> table, const ParallelLook& look) {
  auto made = std::make_shared<ParallelAxes>();
  for (const std::string& key : axis_order(*table, look)) {
    made->axes.push_back(make_axis(*table->column(key), look));
    made->has_gaps = made->has_gaps || made->axes.back().has_gaps;
  }
  made->table = std::move(table);
  made->look = look;
  return made;
}

}  // namespace

bool is_axis_shown(const SweepTable& table, const SweepColumn& column, const ParallelLook& look) {
  if (look.hidden.count(column.key) > 0) return false;
  if (look.shown.count(column.key) > 0) return true;
  if (column.kind == explore::ColumnKind::machine || column.key == "utilization" || column.key == "bytes") return true;
  return std::any_of(table.objectives.begin(), table.objectives.end(),
                     [&](const explore::Objective& each) { return each.key == column.key; });
}

void show_axis(SweepLook& look, const std::string& column, bool shown) {
  look.parallel.hidden.erase(column);
  look.parallel.shown.erase(column);
  (shown ? look.parallel.shown : look.parallel.hidden).insert(column);
  if (!shown) look.brushes.erase(column);  // nobody could see it
}

std::vector<std::string> axis_order(const SweepTable& table, const ParallelLook& look) {
  std::vector<std::string> order;
  const auto add = [&](const std::string& key) {
    const SweepColumn* column = table.column(key);
    const bool there = std::find(order.begin(), order.end(), key) != order.end();
    if (!there && column != nullptr && is_axis_shown(table, *column, look)) order.push_back(key);
  };
  for (const std::string& key : look.order) add(key);
  for (const SweepColumn& column : table.columns) add(column.key);
  return order;
}

double ParallelAxis::share(double place) const {
  const double share = (place - scale.first()) / (scale.last() - scale.first());
  return flipped ? 1 - share : share;
}

double ParallelAxis::place(double share) const {
  return scale.first() + (flipped ? 1 - share : share) * (scale.last() - scale.first());
}

std::optional<double> ParallelAxis::share_of(double value) const {
  const double at = scale.place(value);
  if (std::isnan(at)) return std::nullopt;
  return share(at);
}

ParallelScene::ParallelScene(const std::shared_ptr<const SweepTable>& table, SweepLook look,
                             const std::optional<OpenMachine>& open, const ParallelScene* before)
    : look_(std::move(look)) {
  assert(table->rows() > 0);
  const bool same = before != nullptr && before->axes_->table == table && before->axes_->look == look_.parallel;
  axes_ = same ? before->axes_ : make_axes(table, look_.parallel);
  const SweepColumn* colour = table->column(look_.colour);
  colours_ = ColourCoding(colour);
  const auto inside = look_.rows_within(*table);
  tones_.reserve(table->rows());
  for (std::size_t row = 0; row < table->rows(); ++row) {
    tones_.push_back(colours_.index(colour != nullptr ? colour->values[row] : 0, table->on_front[row] != 0));
    if (inside[row] == 0) continue;
    within_.push_back(static_cast<std::uint32_t>(row));
    if (table->on_front[row] != 0) front_.push_back(static_cast<std::uint32_t>(row));
  }
  if (open) open_ = row_of(*table, *open);
  for (const std::uint64_t point : look_.chosen) chosen_.push_back(table->row(point));
}

const BrushRange* ParallelScene::brush(std::size_t axis) const {
  const auto found = look_.brushes.find(axes()[axis].column->key);
  return found == look_.brushes.end() ? nullptr : &found->second;
}

std::optional<std::size_t> ParallelScene::nearest(std::size_t axis, double part, double share, double reach) const {
  if (axes().empty()) return std::nullopt;
  const float* left = axes()[axis].shares.data();
  const float* right = axes()[std::min(axis + 1, axes().size() - 1)].shares.data();
  const auto wanted = static_cast<float>(share), weight = static_cast<float>(part);
  std::optional<std::size_t> found;
  const auto look_at = [&](const std::vector<std::uint32_t>& rows, float least) {
    for (const std::uint32_t row : rows) {
      const float apart = std::abs(left[row] + (right[row] - left[row]) * weight - wanted);
      if (apart >= least) continue;
      least = apart;
      found = row;
    }
  };
  look_at(front_, static_cast<float>(2 * reach));
  if (!found) look_at(within_, static_cast<float>(reach));
  return found;
}

}  // namespace convscope::ui
