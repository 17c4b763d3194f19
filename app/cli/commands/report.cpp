#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "app/cli/commands/commands.h"
#include "app/cli/compilation.h"
#include "app/cli/described_options.h"
#include "app/cli/options.h"
#include "app/request/published.h"
#include "core/artifact/explanation.h"
#include "core/figures/compiled_report.h"

namespace convscope::cli {
namespace {

struct ReportOptions {
  NetworkOptions network;
  MachineOptions machine;
  DescribedOptions simulation = simulation_options();
  bool json = false, csv = false, simulate = false, whole = false, timing = false;
};

/// What simulating a report's layers came to.
struct SimulationOutcome {
  bool stopped = false, refused = false, mismatch = false;  ///< mismatch: our own program is wrong
};

void simulate_layer(analysis::ReportLayer& row, const target::CompiledLayer& compiled,
                    const target::OptionValues& options, const std::stop_token& stop, Diagnostics& diagnostics,
                    SimulationOutcome& outcome) {
  const Location where{"", 0, fmt::format("layer '{}'", row.layer.name)};
  const auto result = compiled.simulate(options, stop, diagnostics);
  if (!result) {
    diagnostics.error(where, "this target can't simulate");
    outcome.refused = true;
  } else if (!result->ran) {
    outcome.refused = true;
  } else {
    analysis::apply_simulation(row, *result);
    if (!result->matches) {
      diagnostics.error(where, "the simulated outputs differ from the reference");
      outcome.mismatch = true;
    }
  }
}

/// Folded into another layer, or a view: there is nothing to run.
bool takes_time(const artifact::Metrics& metrics) {
  return metrics.cycles.value > 0;
}

/// What becomes of a layer that takes no time.
std::string why_free(const target::CompiledLayer& compiled) {
  const auto explanation = compiled.explanation();
  return explanation ? explanation->summary : "It takes no time.";
}

void update_total(analysis::Report& report) {
  double cycles = 0, seconds = 0;
  for (const analysis::ReportLayer& row : report.layers) {
    if (!row.mapped() || !takes_time(row.metrics)) continue;
    if (row.metrics.cycles.origin != Origin::simulated) return;
    cycles += row.metrics.cycles.value;
    seconds += row.metrics.seconds.value;
  }
  if (report.total.cycles.value > 0 && cycles > 0) report.total.utilization.value *= report.total.cycles.value / cycles;
  report.total.cycles = {cycles, "cycles", Origin::simulated};
  report.total.seconds.value = seconds;
}

SimulationOutcome simulate_report(analysis::Report& report, const Compilation& compilation,
                                  const target::OptionValues& options, Context& context, Diagnostics& diagnostics) {
  SimulationOutcome outcome;
  const auto& layers = compilation.compiled.network->layers;
  const ProgressCallback progress = context.console.progress();
  std::size_t finished = 0;
  try {
    for (analysis::ReportLayer& row : report.layers) {
      if (progress)
        progress(static_cast<double>(finished++) / static_cast<double>(report.layers.size()),
                 "simulating " + row.layer.name);
      throw_if_stopped(context.interrupt.token());
      const auto index = static_cast<std::size_t>(
          std::find_if(layers.begin(), layers.end(), [&](const auto& layer) { return layer.name == row.layer.name; }) -
          layers.begin());
      const auto& compiled = compilation.compiled.layers[index];
      if (compiled && compiled->mapped() && takes_time(compiled->metrics()))
        simulate_layer(row, *compiled, options, context.interrupt.token(), diagnostics, outcome);
      else if (compiled && compiled->mapped() && report.layers.size() < layers.size())
        diagnostics.note({"", 0, fmt::format("layer '{}'", row.layer.name)},
                         "nothing of it is run. " + why_free(*compiled));
    }
    update_total(report);
  } catch (const Cancelled&) {
    outcome.stopped = true;
  }
  return outcome;
}

/// "cycles 203,044; …": what a run counted, by the names that JSON has for it.
std::string counted_text(const target::SimulationResult& result) {
  std::string text;
  for (const artifact::NamedQuantity& each : result.counted)
    text += fmt::format("{}{} {}", text.empty() ? "" : "; ", each.key,
                        each.text.empty() ? format_quantity(each.quantity) : each.text);
  return text;
}

/// The network as a whole, each layer on what those before it made.
SimulationOutcome simulate_whole(analysis::Report& report, const Compilation& compilation,
                                 const target::OptionValues& options, Context& context, Diagnostics& diagnostics) {
  SimulationOutcome outcome;
  const auto& linked = compilation.compiled.linked;
  const Location where{"", 0, fmt::format("network '{}'", compilation.compiled.network->name)};
  try {
    const auto result = linked ? linked->simulate(options, context.interrupt.token(), diagnostics) : std::nullopt;
    if (!result)
      diagnostics.error(where, "its layers can't be run as a whole on this machine", {},
                        "a parameter may map the operators that aren't (`parameters` lists all)");
    outcome.refused = !result || !result->ran;
    outcome.mismatch = result && result->ran && !result->matches;
    if (result && result->ran) report.whole = *result;
    if (result && result->ran && result->matches)
      diagnostics.note(where, "run as a whole, every output equals the reference: " + counted_text(*result));
  } catch (const Cancelled&) {
    outcome.stopped = true;
  }
  return outcome;
}

std::string formatted(const analysis::Report& report, const ReportOptions& options) {
  if (options.json) return analysis::report_json(report);
  return options.csv ? analysis::report_csv(report) : analysis::report_text(report);
}

ExitCode exit_code(const Compilation& compilation, const SimulationOutcome& outcome) {
  if (compilation.stopped || outcome.stopped) return cancelled;
  if (outcome.mismatch) return internal_error;
  return outcome.refused ? refused : done;
}

ExitCode run(const ReportOptions& options, Context& context) {
  Diagnostics diagnostics;
  const auto request = resolve_request(options.network, options.machine, *context.catalogue, diagnostics);
  const auto simulation = request ? options.simulation.resolve(*request->target, diagnostics) : std::nullopt;
  const analysis::PublishedTables published = request::load_published(diagnostics);
  if (!request || !simulation || diagnostics.has_errors()) return context.console.report(diagnostics), refused;
  const Compilation compilation = compile_keeping_finished(*request, context);
  analysis::Report report = figures::report_of(compilation.compiled, published, request->only_layers);
  if (options.timing) report.compile_seconds = compilation.seconds;
  SimulationOutcome outcome;
  if (options.simulate && !compilation.stopped)
    outcome = options.whole ? simulate_whole(report, compilation, *simulation, context, diagnostics)
                            : simulate_report(report, compilation, *simulation, context, diagnostics);
  if (outcome.stopped) report.complete = false;
  outcome.mismatch |= report_faults(compilation.compiled, diagnostics);
  context.console.report(diagnostics);
  context.console.data(formatted(report, options));
  const ExitCode code = exit_code(compilation, outcome);
  if (code == cancelled) context.console.error("cancelled; the report holds what was finished");
  return code;
}

}  // namespace

Command add_report(CLI::App& program, const catalogue::Catalogue& catalogue) {
  CLI::App* command = program.add_subcommand("report", "Compile a network and print the layer table");
  const auto options = std::make_shared<ReportOptions>();
  options->network.add_to(*command);
  options->machine.add_to(*command, catalogue);
  CLI::Option* json = command->add_flag("--json", options->json, "As JSON, see docs/report-json.md");
  command->add_flag("--csv", options->csv, "As comma-separated values")->excludes(json);
  CLI::Option* simulate = command->add_flag("--simulate", options->simulate, "Run every program; check outputs");
  command->add_flag("--whole", options->whole, "Simulate the network as a whole, each layer on what those before made")
      ->needs(simulate);
  options->simulation.add_to(*command, catalogue);
  options->simulation.need(simulate);
  command->add_flag("--timing", options->timing, "Add the time that compilation took");
  return {command, [options](Context& context) { return run(*options, context); }};
}

}  // namespace convscope::cli
