#include <cmath>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/commands/commands.h"
#include "app/cli/described_options.h"
#include "app/cli/program_files.h"
#include "core/analysis/table.h"

namespace convscope::cli {
namespace {

struct SimulateOptions {
  std::vector<std::string> programs;
  DescribedOptions simulation = simulation_options();
  bool json = false;
};

struct Run {
  std::string program;
  std::shared_ptr<const target::Target> target;  ///< null if it is no program
  target::SimulationResult result;
};

nlohmann::ordered_json number(double value) {
  if (std::nearbyint(value) == value) return std::llround(value);
  return value;
}

std::string runs_json(const std::vector<Run>& runs) {
  nlohmann::ordered_json json{
      {"schema", "convscope-simulation"}, {"version", 1}, {"programs", nlohmann::ordered_json::array()}};
  for (const Run& run : runs) {
    nlohmann::ordered_json program{{"program", run.program}, {"ran", run.result.ran}, {"matches", run.result.matches}};
    for (const artifact::NamedQuantity& figure : run.result.counted)
      program[figure.key] = number(figure.quantity.value);
    json["programs"].push_back(std::move(program));
  }
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

std::string run_text(const Run& run) {
  if (!run.result.ran) return fmt::format("{}: refused\n", run.program);
  std::string counted;
  const auto& descriptions = run.target->simulation_tools()->counted();
  for (const artifact::NamedQuantity& figure : run.result.counted)
    counted += fmt::format("{} {}, ", analysis::number_text(figure.quantity.value),
                           artifact::find_figure(descriptions, figure.key)->label);
  return fmt::format("{}: {}{} the reference\n", run.program, counted,
                     run.result.matches ? "equal to" : "different from");
}

Run simulate(const std::string& path, const SimulateOptions& options, Context& context, Diagnostics& diagnostics) {
  const auto program = read_program(path, *context.catalogue, context.interrupt.token(), diagnostics);
  const auto values = program ? options.simulation.resolve(*program->target, diagnostics) : std::nullopt;
  if (!values) return {path, nullptr, {}};
  const auto result = program->target->program_tools()->simulate(program->content, path, *values,
                                                                 context.interrupt.token(), diagnostics);
  if (result.ran && !result.matches)
    diagnostics.error({path, 0, {}}, "the simulated outputs differ from the reference");
  return {path, program->target, result};
}

ExitCode run(const SimulateOptions& options, Context& context) {
  std::vector<Run> runs;
  bool fine = true, stopped = false;
  const ProgressCallback progress = context.console.progress();
  try {
    for (const std::string& path : options.programs) {
      if (progress)
        progress(static_cast<double>(runs.size()) / static_cast<double>(options.programs.size()), "simulating " + path);
      throw_if_stopped(context.interrupt.token());
      Diagnostics diagnostics;
      runs.push_back(simulate(path, options, context, diagnostics));
      context.console.report(diagnostics);
      if (!options.json) context.console.data(run_text(runs.back()));
      fine &= runs.back().result.ran && runs.back().result.matches;
    }
  } catch (const Cancelled&) {
    stopped = true;
  }
  if (options.json) context.console.data(runs_json(runs));
  if (stopped) return context.console.error("cancelled"), cancelled;
  return fine ? done : refused;
}

}  // namespace

Command add_simulate(CLI::App& program, const catalogue::Catalogue& catalogue) {
  CLI::App* command = program.add_subcommand("simulate", "Run programs from files and compare with the reference");
  const auto options = std::make_shared<SimulateOptions>();
  command->add_option("PROGRAM", options->programs, "Program files or assembly")->required();
  options->simulation.add_to(*command, catalogue);
  command->add_flag("--json", options->json, "As JSON");
  return {command, [options](Context& context) { return run(*options, context); }};
}

}  // namespace convscope::cli
