#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/commands/commands.h"
#include "app/cli/options.h"
#include "app/cli/program_files.h"

namespace convscope::cli {
namespace {

struct Options {
  std::vector<std::string> programs;
  SimulationOptions simulation;
  bool json = false;
};

struct Run {
  std::string program;
  target::SimulationResult result;
};

std::string runs_json(const std::vector<Run>& runs) {
  nlohmann::ordered_json json{
      {"schema", "convscope-simulation"}, {"version", 1}, {"programs", nlohmann::ordered_json::array()}};
  for (const Run& run : runs)
    json["programs"].push_back({{"program", run.program},
                                {"ran", run.result.ran},
                                {"matches", run.result.matches},
                                {"cycles", run.result.cycles},
                                {"macs", run.result.macs},
                                {"strips", run.result.strips},
                                {"outputs", run.result.outputs}});
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

std::string run_text(const Run& run) {
  if (!run.result.ran) return fmt::format("{}: refused\n", run.program);
  return fmt::format("{}: {} cycles, {} MACs, {} strips, {} outputs, {} the reference\n", run.program,
                     run.result.cycles, run.result.macs, run.result.strips, run.result.outputs,
                     run.result.matches ? "equal to" : "different from");
}

Run simulate(const std::string& path, const Options& options, Context& context, Diagnostics& diagnostics) {
  const auto program = read_program(path, diagnostics);
  if (!program) return {path, {}};
  const auto result =
      program->target->program_tools()->simulate(program->content, path, options.simulation.input,
                                                 options.simulation.strips, context.interrupt.token(), diagnostics);
  if (result.ran && !result.matches)
    diagnostics.error({path, 0, {}}, "the simulated outputs differ from the reference");
  return {path, result};
}

ExitCode run(const Options& options, Context& context) {
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

Command add_simulate(CLI::App& program) {
  CLI::App* command = program.add_subcommand("simulate", "Run programs from files and compare with the reference");
  const auto options = std::make_shared<Options>();
  command->add_option("PROGRAM", options->programs, "Program files or assembly")->required();
  options->simulation.add_to(*command);
  command->add_flag("--json", options->json, "As JSON");
  return {command, [options](Context& context) { return run(*options, context); }};
}

}  // namespace convscope::cli
