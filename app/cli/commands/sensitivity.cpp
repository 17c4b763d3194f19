#include "core/explore/sensitivity/sensitivity.h"

#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/commands/commands.h"
#include "app/cli/options.h"
#include "core/analysis/table.h"
#include "core/explore/sweep/sweep.h"

namespace convscope::cli {
namespace {

using Json = nlohmann::ordered_json;
using explore::Change;
using explore::Sensitivity;
using explore::Standing;

struct SensitivityOptions {
  NetworkOptions network;
  MachineOptions machine;
  std::vector<std::string> parameters;
  bool json = false, csv = false;
};

Json coverage_json(const artifact::Coverage& coverage) {
  return coverage ? Json(*coverage) : Json();
}

Json standing_json(const Standing& standing) {
  return {{"seconds", standing.seconds},
          {"cycles", standing.cycles},
          {"spent_on", standing.spent_on},
          {"bound", standing.bound}};
}

Json layers_json(const engine::Request& request, const Sensitivity& result, const Change* change) {
  Json layers = Json::array();
  const auto& standings = change ? change->after.layers : result.before.layers;
  for (std::size_t i = 0; i < standings.size(); ++i) {
    if (!result.before.layers[i].mapped) continue;
    Json json = standings[i].mapped ? standing_json(standings[i]) : Json::object();
    json["name"] = request.network->layers[i].name;
    json["mapped"] = standings[i].mapped;
    if (change && standings[i].mapped) json["gain"] = change->layer_gain(result.before, i);
    layers.push_back(std::move(json));
  }
  return layers;
}

Json change_json(const engine::Request& request, const Sensitivity& result, const Change& change) {
  Json json{{"parameter", request.machine.description().parameters[change.parameter].name},
            {"move", explore::move_name(change.move)},
            {"from", change.from},
            {"to", change.to}};
  if (!change.impossible.empty()) {
    json["impossible"] = change.impossible;
    return json;
  }
  json["gain"] = change.gain(result.before);
  json["coverage"] = coverage_json(change.after.coverage);
  json["origin"] = origin_name(change.after.origin);
  json["total"] = standing_json(change.after.total);
  json["layers"] = layers_json(request, result, &change);
  return json;
}

std::string json_text(const engine::Request& request, const Sensitivity& result) {
  Json json{{"schema", "convscope-sensitivity"}, {"version", 1},
            {"network", request.network->name},  {"target", request.target->id()},
            {"preset", request.preset},          {"level", request.level}};
  json["before"] = {{"coverage", coverage_json(result.before.coverage)},
                    {"origin", origin_name(result.before.origin)},
                    {"total", standing_json(result.before.total)},
                    {"layers", layers_json(request, result, nullptr)}};
  json["changes"] = Json::array();
  for (const Change& change : result.changes) json["changes"].push_back(change_json(request, result, change));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::vector<std::string> cells_of(const engine::Request& request, const Sensitivity& result, const Change& change) {
  return {request.machine.description().parameters[change.parameter].name,
          explore::move_name(change.move),
          change.from,
          change.to,
          analysis::number_text(change.after.total.seconds),
          analysis::percent_text(change.gain(result.before)),
          result.before.total.spent_on,
          change.after.total.spent_on,
          change.after.total.bound,
          change.after.coverage ? analysis::number_text(*change.after.coverage) : ""};
}

const std::vector<std::string> columns = {"parameter",       "move",           "from",  "to",      "seconds", "gain",
                                          "spent on before", "spent on after", "bound", "coverage"};

std::string csv_text(const engine::Request& request, const Sensitivity& result) {
  analysis::TextTable table{columns, {}};
  for (const Change& change : result.changes)
    if (change.impossible.empty()) table.rows.push_back(cells_of(request, result, change));
  return analysis::comma_separated(table);
}

std::string shown(double seconds, Origin origin) {
  return format_quantity({seconds, "s", origin});
}

// For people: of each parameter the change that gains most, and what helps each layer most.
std::string people_text(const engine::Request& request, const Sensitivity& result) {
  analysis::TextTable table{{columns.begin(), columns.end() - 1}, {}};
  table.columns[4] = "time";
  analysis::TextTable layers{{"layer", "time", "spent on", "helps most", "to", "gain"}, {}};
  for (const Change* change : explore::ranked(result)) {
    table.rows.push_back(cells_of(request, result, *change));
    table.rows.back()[4] = shown(change->after.total.seconds, change->after.origin);
    table.rows.back().pop_back();  // all of them map what the current machine maps
  }
  for (std::size_t i = 0; i < result.before.layers.size(); ++i) {
    const Standing& before = result.before.layers[i];
    const auto best = explore::ranked(result, static_cast<int>(i));
    if (!before.mapped || best.empty() || best.front()->layer_gain(result.before, i) <= 0) continue;
    layers.rows.push_back({request.network->layers[i].name, shown(before.seconds, result.before.origin),
                           before.spent_on, request.machine.description().parameters[best.front()->parameter].name,
                           best.front()->to, analysis::percent_text(best.front()->layer_gain(result.before, i))});
  }
  return fmt::format("{} on {}: {} now\n\n{}\n{}", request.network->name, request.target->title(),
                     shown(result.before.total.seconds, result.before.origin), aligned_text(table),
                     aligned_text(layers));
}

bool resolve_parameters(const SensitivityOptions& options, const arch::MachineDescription& machine,
                        explore::SensitivityOptions& wanted, Diagnostics& diagnostics) {
  for (const std::string& name : options.parameters) {
    if (const auto index = machine.find(name))
      wanted.parameters.push_back(*index);
    else
      diagnostics.error({"--parameter", 0, {}}, fmt::format("unknown parameter '{}'", name),
                        fmt::format("a parameter of {}", machine.title), "`parameters` lists them");
  }
  return !diagnostics.has_errors();
}

ExitCode run(const SensitivityOptions& options, Context& context) {
  Diagnostics diagnostics;
  const auto request = resolve_request(options.network, options.machine, *context.catalogue, diagnostics);
  explore::SensitivityOptions wanted;
  const bool fine = request && resolve_parameters(options, request->machine.description(), wanted, diagnostics);
  context.console.report(diagnostics);
  if (!fine) return refused;
  const auto executor = context.make_executor();
  const auto cache = explore::make_sweep_cache();
  const Sensitivity result = explore::analyze_sensitivity(*request, wanted, *executor, *cache,
                                                          context.interrupt.token(), {}, context.console.progress());
  context.console.data(options.json  ? json_text(*request, result)
                       : options.csv ? csv_text(*request, result)
                                     : people_text(*request, result));
  const auto faults = result.faults(request->machine.description());
  for (const std::string& fault : faults) diagnostics.error({request->network->source_file, 0, {}}, fault);
  context.console.report(diagnostics);
  return faults.empty() ? done : internal_error;
}

}  // namespace

Command add_sensitivity(CLI::App& program, const catalogue::Catalogue& catalogue) {
  CLI::App* command = program.add_subcommand("sensitivity", "What each parameter of a machine would gain");
  const auto options = std::make_shared<SensitivityOptions>();
  options->network.add_to(*command);
  options->machine.add_to(*command, catalogue);
  command->add_option("--parameter", options->parameters, "Only this parameter; may be repeated")
      ->allow_extra_args(false)
      ->take_all();
  CLI::Option* json = command->add_flag("--json", options->json, "As JSON, with each layer; see docs/explore.md");
  command->add_flag("--csv", options->csv, "As comma-separated values, all changes")->excludes(json);
  return {command, [options](Context& context) { return run(*options, context); }};
}

}  // namespace convscope::cli
