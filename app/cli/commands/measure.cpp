#include "core/engine/measure.h"

#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/commands/commands.h"
#include "app/cli/described_options.h"
#include "app/cli/options.h"
#include "core/analysis/table.h"

namespace convscope::cli {
namespace {

using Json = nlohmann::ordered_json;

struct MeasureOptions {
  NetworkOptions network;
  MachineOptions machine;
  DescribedOptions measurement = measurement_options();
  bool json = false, whole = false;
};

Json observation_json(const artifact::Observation& observation) {
  return {{"figure", observation.key},      {"value", observation.value.value},
          {"unit", observation.value.unit}, {"repetitions", observation.repetitions},
          {"spread", observation.spread},   {"host", observation.host},
          {"date", observation.date},       {"compiler", observation.compiler}};
}

std::string measurement_json(const engine::Request& request, const engine::Measurement& measurement) {
  Json json{{"schema", "convscope-measurement"}, {"version", 1},
            {"network", request.network->name},  {"target", request.target->id()},
            {"preset", request.preset},          {"level", request.level},
            {"layers", Json::array()},           {"complete", !measurement.stopped}};
  for (const engine::MeasuredLayer& measured : measurement.layers) {
    Json layer{{"name", request.network->layers[static_cast<std::size_t>(measured.layer)].name},
               {"observations", Json::array()}};
    for (const artifact::Observation& each : measured.observations)
      layer["observations"].push_back(observation_json(each));
    json["layers"].push_back(std::move(layer));
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string measurement_text(const engine::Request& request, const engine::Measurement& measurement) {
  analysis::TextTable table{{"layer", "figure", "median", "repetitions", "spread", "host", "date", "compiler"}, {}};
  for (const engine::MeasuredLayer& measured : measurement.layers)
    for (const artifact::Observation& each : measured.observations)
      table.rows.push_back({request.network->layers[static_cast<std::size_t>(measured.layer)].name, each.label,
                            format_quantity(each.value), std::to_string(each.repetitions),
                            fmt::format("{:.1f} %", 100 * each.spread), each.host, each.date, each.compiler});
  return analysis::aligned_text(table);
}

std::string whole_json(const engine::Request& request, const target::WholeMeasurement& whole) {
  Json json{{"schema", "convscope-whole-measurement"},
            {"version", 1},
            {"network", request.network->name},
            {"target", request.target->id()},
            {"preset", request.preset},
            {"total", Json::array()},
            {"steps", Json::array()},
            {"left_out", whole.left_out}};
  for (const artifact::Observation& each : whole.total) json["total"].push_back(observation_json(each));
  for (const target::MeasuredStep& step : whole.steps) {
    Json one{{"name", step.name}, {"what", step.what}, {"layer", nullptr}, {"observations", Json::array()}};
    if (step.layer >= 0) one["layer"] = request.network->layers[static_cast<std::size_t>(step.layer)].name;
    for (const artifact::Observation& each : step.observations) one["observations"].push_back(observation_json(each));
    json["steps"].push_back(std::move(one));
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string whole_text(const target::WholeMeasurement& whole) {
  analysis::TextTable table{{"step", "how", "figure", "value"}, {}};
  for (const target::MeasuredStep& step : whole.steps)
    for (const artifact::Observation& each : step.observations)
      table.rows.push_back({step.name, step.what, each.label, format_quantity(each.value)});
  for (const artifact::Observation& each : whole.total)
    table.rows.push_back({"total", "", each.label, format_quantity(each.value)});
  return analysis::aligned_text(table);
}

bool has_tools(const engine::Request& request, Diagnostics& diagnostics) {
  if (request.target->measurement_tools() != nullptr) return true;
  diagnostics.error({"--target", 0, request.target->id()}, "this target measures nothing",
                    "a target that runs on hardware", "`report` tells what is derived, `report --simulate` simulates");
  return false;
}

bool can_run_whole(const engine::Request& request, Diagnostics& diagnostics) {
  if (request.target->measurement_tools()->measures_whole() && request.only_layers.empty()) return true;
  diagnostics.error({"--whole", 0, request.target->id()},
                    request.only_layers.empty() ? "this target measures layers alone"
                                                : "a whole network has all its layers: --layer doesn't go with it");
  return false;
}

ExitCode run_whole(const engine::Request& request, const target::OptionValues& values, bool json, Context& context,
                   Diagnostics& diagnostics) {
  if (!can_run_whole(request, diagnostics)) return context.console.report(diagnostics), refused;
  const auto whole = engine::measure_whole(request, values, context.interrupt.token(), diagnostics);
  context.console.report(diagnostics);
  if (whole.stopped) return context.console.error("cancelled"), cancelled;
  if (!whole.measured) return refused;
  context.console.data(json ? whole_json(request, *whole.measured) : whole_text(*whole.measured));
  return diagnostics.has_errors() ? refused : done;
}

ExitCode run(const MeasureOptions& options, Context& context) {
  Diagnostics diagnostics;
  const auto request = resolve_request(options.network, options.machine, *context.catalogue, diagnostics);
  const bool able = request && has_tools(*request, diagnostics);
  const auto values = able ? options.measurement.resolve(*request->target, diagnostics) : std::nullopt;
  if (!values || diagnostics.has_errors()) return context.console.report(diagnostics), refused;
  if (options.whole) return run_whole(*request, *values, options.json, context, diagnostics);
  const auto cache = engine::make_memory_cache();
  const engine::Measurement measurement =
      engine::measure(*request, *values, *cache, context.interrupt.token(), context.console.progress(), diagnostics);
  context.console.report(diagnostics);
  context.console.data(options.json ? measurement_json(*request, measurement)
                                    : measurement_text(*request, measurement));
  if (measurement.stopped) return context.console.error("cancelled; what was measured is printed"), cancelled;
  return diagnostics.has_errors() ? refused : done;
}

}  // namespace

Command add_measure(CLI::App& program, const catalogue::Catalogue& catalogue) {
  CLI::App* command = program.add_subcommand("measure", "Run a network's layers on real hardware");
  const auto options = std::make_shared<MeasureOptions>();
  options->network.add_to(*command);
  options->machine.add_to(*command, catalogue);
  options->measurement.add_to(*command, catalogue);
  command->add_flag("--whole", options->whole,
                    "The network as a whole, its layers one after the other with what was measured of each before");
  command->add_flag("--json", options->json, "As JSON, see docs/measure-json.md");
  return {command, [options](Context& context) { return run(*options, context); }};
}

}  // namespace convscope::cli
