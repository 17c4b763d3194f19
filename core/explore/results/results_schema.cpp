#include "core/explore/results/results_schema.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace convscope::explore {
namespace {

constexpr int fixed_columns = 8;

struct CommonColumn {
  const char* key;
  const char* type;
  bool has_origin;
};

// The order of the format. NUMERIC keeps whole numbers whole.
constexpr CommonColumn common_columns[] = {{"seconds", "REAL", true},           {"cycles", "NUMERIC", true},
                                           {"utilization", "REAL", true},       {"macs", "NUMERIC", false},
                                           {"bytes_in", "NUMERIC", false},      {"bytes_out", "NUMERIC", false},
                                           {"bytes_weights", "NUMERIC", false}, {"bytes", "NUMERIC", false}};

const char* type_of(const artifact::FigureDescription& figure) {
  return figure.ratio || figure.unit == "s" ? "REAL" : "NUMERIC";
}

using Kind = FigureColumn::Kind;

void add_figure(std::vector<FigureColumn>& columns, const Outcomes& outcomes, const artifact::FigureDescription& figure,
                const char* type, bool has_origin) {
  const auto index = static_cast<std::size_t>(&figure - outcomes.figures.data());
  columns.push_back({figure.key, type, Kind::value, index});
  if (has_origin) columns.push_back({figure.key + "_origin", "TEXT", Kind::origin, index});
}

std::string definitions(const std::vector<FigureColumn>& columns) {
  std::string text;
  for (const FigureColumn& each : columns) text += (text.empty() ? "" : ", ") + each.name + ' ' + each.type;
  return text;
}

std::string cost_definitions(const Outcomes& outcomes) {
  std::string text;
  for (const artifact::FigureDescription& each : outcomes.costs) text += ", " + each.key + " NUMERIC";
  return text;
}

std::string placeholders(std::size_t count) {
  return fmt::format("{}", fmt::join(std::vector<std::string>(count, "?"), ", "));
}

std::vector<std::string> parameter_columns(const Space& space) {
  std::vector<std::string> columns;
  for (const auto& machine : machines_of(space))
    for (std::size_t i = 0; i < machine->parameters.size(); ++i) columns.push_back(parameter_column(*machine, i));
  return columns;
}

void create_tables(const Database& database, const Space& space) {
  database.run(
      "CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;"
      "CREATE TABLE objectives (position INTEGER PRIMARY KEY, name TEXT, best TEXT);"
      "CREATE TABLE networks (network INTEGER PRIMARY KEY, file TEXT, name TEXT, weight REAL, hash TEXT);"
      "CREATE TABLE parameters (target TEXT, name TEXT, label TEXT, unit TEXT, varies TEXT, column_name TEXT, "
      "PRIMARY KEY (target, name)) WITHOUT ROWID;");
  std::string columns;
  for (const auto& machine : machines_of(space))
    for (std::size_t i = 0; i < machine->parameters.size(); ++i)
      columns += fmt::format(", {} {}", sql_name(parameter_column(*machine, i)),
                             machine->parameters[i].kind == arch::ParameterKind::choice ? "TEXT" : "NUMERIC");
  database.run(
      fmt::format("CREATE TABLE points (point INTEGER PRIMARY KEY, target TEXT, preset TEXT, level TEXT, "
                  "status TEXT, reason TEXT, program TEXT, inputs TEXT, {}{}{});",
                  definitions(figure_columns(space.outcomes)), cost_definitions(space.outcomes), columns));
  database.run(
      fmt::format("CREATE TABLE figures (point INTEGER, network INTEGER, {}, PRIMARY KEY (point, network)) "
                  "WITHOUT ROWID;",
                  definitions(figure_columns(space.outcomes))));
}

// One view for each target, with its parameters under their own names.
void create_views(const Database& database, const Space& space) {
  std::vector<std::string> outcomes;
  for (const FigureColumn& each : figure_columns(space.outcomes)) outcomes.push_back(each.name);
  for (const artifact::FigureDescription& each : space.outcomes.costs) outcomes.push_back(each.key);
  for (const auto& machine : machines_of(space)) {
    std::string columns;
    for (std::size_t i = 0; i < machine->parameters.size(); ++i)
      columns +=
          fmt::format(", {} AS {}", sql_name(parameter_column(*machine, i)), sql_name(machine->parameters[i].name));
    database.run(fmt::format(
        "CREATE VIEW {} AS SELECT point, preset, level, status, reason, {}{} FROM points "
        "WHERE target = {};",
        sql_name("points_" + machine->target), fmt::join(outcomes, ", "), columns, sql_text(machine->target)));
  }
}

void fill_meta(const Database& database, const Space& space, const std::string& strategy, const std::string& shard) {
  Statement insert(database, "INSERT INTO meta VALUES (?, ?)");
  const auto add = [&](std::string_view key, const auto& value) {
    insert.bind(1, key);
    insert.bind(2, value);
    insert.run();
  };
  add("schema", std::string_view("convscope-sweep"));
  add("version", std::int64_t{results_version});
  add("space", std::string_view(space.name));
  add("title", std::string_view(space.title));
  add("space_xml", std::string_view(space.source));
  add("inputs", std::string_view(space.hash));
  add("points", static_cast<std::int64_t>(space.size()));
  add("minimum_coverage", space.minimum_coverage);
  add("strategy", std::string_view(strategy));
  if (!shard.empty()) add("shard", std::string_view(shard));
}

void fill_objectives_and_networks(const Database& database, const Space& space) {
  Statement objective(database, "INSERT INTO objectives VALUES (?, ?, ?)");
  for (std::size_t i = 0; i < space.objectives.size(); ++i) {
    objective.bind(1, static_cast<std::int64_t>(i));
    objective.bind(2, std::string_view(space.objectives[i].key));
    objective.bind(3, std::string_view(space.objectives[i].maximize ? "most" : "least"));
    objective.run();
  }
  Statement network(database, "INSERT INTO networks VALUES (?, ?, ?, ?, ?)");
  for (std::size_t i = 0; i < space.networks.size(); ++i) {
    const WeightedNetwork& item = space.networks[i];
    network.bind(1, static_cast<std::int64_t>(i));
    network.bind(2, std::string_view(item.file));
    network.bind(3, std::string_view(item.network->name));
    network.bind(4, item.weight);
    network.bind(5, std::string_view(item.hash));
    network.run();
  }
}

// "range", "link", or "no", if any family of the target does so.
std::string_view variation(const Space& space, const arch::MachineDescription& machine, std::size_t parameter) {
  bool linked = false;
  for (const Family& family : space.families) {
    if (family.target->machine()->target != machine.target) continue;
    for (const Axis& axis : family.axes)
      if (axis.parameter == parameter && axis.values.size() > 1) return "range";
    for (const Link& link : family.links) linked = linked || link.parameter == parameter;
  }
  return linked ? "link" : "no";
}

void fill_parameters(const Database& database, const Space& space) {
  Statement insert(database, "INSERT INTO parameters VALUES (?, ?, ?, ?, ?, ?)");
  for (const auto& machine : machines_of(space)) {
    for (std::size_t i = 0; i < machine->parameters.size(); ++i) {
      const arch::ParameterDescription& parameter = machine->parameters[i];
      insert.bind(1, std::string_view(machine->target));
      insert.bind(2, std::string_view(parameter.name));
      insert.bind(3, std::string_view(parameter.label));
      insert.bind(4, std::string_view(parameter.unit));
      insert.bind(5, variation(space, *machine, i));
      insert.bind(6, std::string_view(parameter_column(*machine, i)));
      insert.run();
    }
  }
}

}  // namespace

std::vector<FigureColumn> figure_columns(const Outcomes& outcomes) {
  std::vector<FigureColumn> columns;
  for (const CommonColumn& each : common_columns)
    add_figure(columns, outcomes, *artifact::find_figure(outcomes.figures, each.key), each.type, each.has_origin);
  columns.push_back({"coverage", "REAL", Kind::coverage, 0});
  columns.push_back({"verified", "INTEGER", Kind::verified, 0});
  for (const artifact::FigureDescription& each : outcomes.figures)
    if (artifact::find_figure(artifact::common_figures(), each.key) == nullptr)
      add_figure(columns, outcomes, each, type_of(each), true);
  return columns;
}

std::string parameter_column(const arch::MachineDescription& machine, std::size_t parameter) {
  return machine.target + '.' + machine.parameters[parameter].name;
}

std::vector<std::shared_ptr<const arch::MachineDescription>> machines_of(const Space& space) {
  std::vector<std::shared_ptr<const arch::MachineDescription>> machines;
  for (const Family& family : space.families) {
    auto machine = family.target->machine();
    const auto same = [&](const auto& other) { return other->target == machine->target; };
    if (std::none_of(machines.begin(), machines.end(), same)) machines.push_back(std::move(machine));
  }
  return machines;
}

void create_results(const Database& database, const Space& space, const std::string& strategy,
                    const std::string& shard) {
  Transaction transaction(database);
  create_tables(database, space);
  create_views(database, space);
  fill_meta(database, space, strategy, shard);
  fill_objectives_and_networks(database, space);
  fill_parameters(database, space);
  transaction.commit();
}

std::string insert_point(const Space& space) {
  return fmt::format("INSERT INTO points VALUES ({})",
                     placeholders(fixed_columns + figure_columns(space.outcomes).size() + space.outcomes.costs.size() +
                                  parameter_columns(space).size()));
}

std::string insert_figures(const Space& space) {
  return fmt::format("INSERT INTO figures VALUES ({})", placeholders(2 + figure_columns(space.outcomes).size()));
}

}  // namespace convscope::explore
