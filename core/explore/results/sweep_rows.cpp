#include "core/explore/results/sweep_rows.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

namespace convscope::explore {
namespace {

std::optional<Origin> cost_origin(const target::Target& target, const std::string& key) {
  for (const artifact::NamedQuantity& item : target.resources(arch::ParameterValues(target.machine())))
    if (item.key == key) return item.quantity.origin;
  return std::nullopt;
}

template <typename Value>
std::vector<Value> in_order(const std::vector<Value>& values, const std::vector<std::uint32_t>& order) {
  std::vector<Value> result;
  result.reserve(values.size());
  for (const std::uint32_t index : order) result.push_back(values[index]);
  return result;
}

void take_limits(SweepColumn& column) {
  column.least = std::numeric_limits<double>::infinity();
  column.most = -column.least;
  for (const double value : column.values) {
    if (std::isnan(value)) continue;
    column.least = std::min(column.least, value);
    column.most = std::max(column.most, value);
  }
}

}  // namespace

std::vector<SweepColumn> outcome_columns(const Targets& targets) {
  std::vector<SweepColumn> columns;
  for (const artifact::FigureDescription& each : objectives_of(targets)) {
    const bool maximize = each.better == artifact::Better::more;
    SweepColumn column{each.key, each.label_of_total(), each.unit, ColumnKind::objective,
                       maximize, Origin::derived,       {},        {}};
    bool stated = !each.cost;
    for (const auto& target : targets) {
      const auto origin = each.cost ? cost_origin(*target, each.key) : std::nullopt;
      stated = stated || origin;
      if (origin) column.origin = weaker(column.origin, *origin);
    }
    if (stated) columns.push_back(std::move(column));
  }
  columns.push_back({"coverage", "Coverage", "", ColumnKind::objective, true, Origin::derived, {}, {}});
  return columns;
}

void SweepRows::add(const Row& row) {
  assert(row.values.size() == table_.columns.size());
  for (std::size_t i = 0; i < table_.columns.size(); ++i) {
    SweepColumn& column = table_.columns[i];
    column.values.push_back(row.values[i]);
    if (column.kind == ColumnKind::objective && !std::isnan(row.values[i]))
      column.origin = weaker(column.origin, row.origins[i]);
  }
  table_.points.push_back(row.point);
  table_.comparable.push_back(row.vector ? 1 : 0);
  if (row.vector) front_.add(row.point, *row.vector);
  std::uint32_t reason = 0;
  if (!row.reason.empty()) {
    const auto [known, fresh] = reasons_.emplace(row.reason, table_.reasons.size());
    if (fresh) table_.reasons.push_back(row.reason);
    reason = known->second;
  }
  table_.reason.push_back(reason);
  ++table_.seen;
}

void SweepRows::add_removed(const std::string& reason) {
  ++table_.removed[reason];
  ++table_.seen;
}

std::shared_ptr<const SweepTable> SweepRows::table(std::string state) const {
  std::vector<std::uint32_t> order(table_.rows());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return table_.points[a] < table_.points[b]; });
  auto table = std::make_shared<SweepTable>();
  table->title = table_.title;
  table->space = table_.space;
  table->objectives = table_.objectives;
  table->size = table_.size;
  table->seen = table_.seen;
  table->removed = table_.removed;
  table->reasons = table_.reasons;
  table->state = std::move(state);
  for (const SweepColumn& column : table_.columns) {
    SweepColumn sorted = {column.key,      column.label,  column.unit,  column.kind,
                          column.maximize, column.origin, column.names, in_order(column.values, order)};
    take_limits(sorted);
    table->columns.push_back(std::move(sorted));
  }
  table->points = in_order(table_.points, order);
  table->comparable = in_order(table_.comparable, order);
  table->reason = in_order(table_.reason, order);
  table->on_front.assign(table->rows(), 0);
  for (const Front::Member& member : front_.members()) table->on_front[*table->row(member.point)] = 1;
  return table;
}

}  // namespace convscope::explore
