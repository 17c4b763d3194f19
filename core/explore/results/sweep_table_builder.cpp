#include "core/explore/results/sweep_table_builder.h"

#include <algorithm>
#include <limits>
#include <set>

#include "core/explore/results/results_schema.h"

namespace convscope::explore {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

void add_name(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

/// A choice among names, if there are several.
void add_choice(std::vector<SweepColumn>& columns, const char* key, const char* label, std::vector<std::string> names) {
  if (names.size() < 2) return;
  columns.push_back(
      {key, label, "", ColumnKind::machine, false, Origin::derived, std::move(names), std::vector<double>()});
}

/// Parameters that any family of the target varies, or derives from those that vary.
std::set<std::size_t> varying(const Space& space, const target::Target& target) {
  std::set<std::size_t> result;
  for (const Family& family : space.families) {
    if (family.target.get() != &target) continue;
    for (const Axis& axis : family.axes)
      if (axis.values.size() > 1) result.insert(axis.parameter);
    for (const Link& link : family.links) result.insert(link.parameter);
  }
  return result;
}

std::vector<SweepColumn> machine_columns(const Space& space) {
  std::vector<SweepColumn> columns;
  const Targets targets = space.targets();
  std::vector<std::string> target_names, presets, levels;
  for (const auto& target : targets) add_name(target_names, target->id());
  for (const Family& family : space.families) {
    for (const PresetValues& preset : family.presets) add_name(presets, preset.name);
    for (const std::string& level : family.levels) add_name(levels, level);
  }
  add_choice(columns, "target", "Target", std::move(target_names));
  add_choice(columns, "preset", "Preset", std::move(presets));
  add_choice(columns, "level", "Level", std::move(levels));
  for (const auto& target : targets) {
    const arch::MachineDescription& machine = *target->machine();
    for (const std::size_t index : varying(space, *target)) {
      const arch::ParameterDescription& parameter = machine.parameters[index];
      const std::string label = targets.size() > 1 ? parameter.label + " (" + target->id() + ")" : parameter.label;
      columns.push_back({parameter_column(machine, index),
                         label,
                         parameter.unit,
                         ColumnKind::machine,
                         false,
                         Origin::derived,
                         parameter.choices,
                         {}});
    }
  }
  return columns;
}

SweepTable head_of(const std::shared_ptr<const Space>& space) {
  SweepTable head;
  head.title = space->title.empty() ? space->name : space->title;
  head.space = space;
  head.objectives = space->objectives;
  head.size = space->size();
  head.columns = machine_columns(*space);
  for (SweepColumn& column : outcome_columns(space->targets())) head.columns.push_back(std::move(column));
  return head;
}

double place_of(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<double>(std::find(names.begin(), names.end(), name) - names.begin());
}

}  // namespace

SweepTableBuilder::SweepTableBuilder(std::shared_ptr<const Space> space)
    : space_(std::move(space)), rows_(head_of(space_)) {}

double SweepTableBuilder::machine_value(const SweepColumn& column, const Point& point) const {
  const Family& family = space_->families[point.family];
  if (column.key == "target") return place_of(column.names, family.target->id());
  if (column.key == "preset") return place_of(column.names, family.presets[point.preset].name);
  if (column.key == "level") return place_of(column.names, family.levels[point.level]);
  const std::string& id = family.target->id();
  const bool own = column.key.size() > id.size() && column.key[id.size()] == '.' && column.key.starts_with(id);
  const auto index = own ? point.machine.description().find(column.key.substr(id.size() + 1)) : std::nullopt;
  return index ? point.machine.at(*index) : nothing;
}

void SweepTableBuilder::add(const PointResult& result) {
  if (result.status != PointStatus::done) return rows_.add_removed(result.reason);
  const Point point = space_->point(result.point);
  SweepRows::Row row;
  row.point = result.point;
  row.reason = result.reason;
  row.vector = objective_vector(result, *space_);
  for (const SweepColumn& column : rows_.head().columns) {
    const bool outcome = column.kind == ColumnKind::objective;
    const Noted value = column.key == "coverage" ? Noted{result.total.coverage}
                        : outcome                ? noted(result, space_->outcomes, column.key)
                                                 : Noted{machine_value(column, point)};
    row.values.push_back(value.value.value_or(nothing));
    row.origins.push_back(value.origin);
  }
  rows_.add(row);
}

}  // namespace convscope::explore
