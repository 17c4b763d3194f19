#include <filesystem>
#include <memory>

#include "app/cli/commands/commands.h"
#include "app/cli/options.h"
#include "app/cli/pictures.h"
#include "app/request/session_request.h"
#include "core/base/spares_inputs.h"
#include "core/base/text.h"

namespace convscope::cli {
namespace {

constexpr auto report = "report";

struct ExportOptions {
  NetworkOptions network;
  MachineOptions machine;
  PictureOptions picture;
  std::vector<std::string> baselines;
  std::string sweep, view;
  int program = 0;
};

/// What the picture is, and its file.
std::vector<std::string> picture_arguments(const ExportOptions& options) {
  if (options.view == report) return {"--report", options.picture.output};
  std::vector<std::string> list = options.picture.arguments();
  list.insert(list.end(), {"--export-view", options.view});
  for (const std::string& layer : options.network.layers) list.insert(list.end(), {"--layer", layer});
  if (options.program > 0) list.insert(list.end(), {"--program", std::to_string(options.program)});
  return list;
}

/// A sweep's views need no network.
std::vector<std::string> arguments(const ExportOptions& options) {
  std::vector<std::string> list = picture_arguments(options);
  if (!options.sweep.empty()) list.insert(list.end(), {"--sweep", options.sweep});
  return list;
}

std::vector<std::string> arguments(const ExportOptions& options, const engine::Request& request) {
  std::vector<std::string> list = arguments(options);
  if (request::is_session_file(options.network.file)) {
    list.push_back(options.network.file);  // it has all the rest
    return list;
  }
  list.insert(list.end(),
              {"--target", options.machine.target, "--preset",
               options.machine.preset.empty() ? request.preset : options.machine.preset, "--level", request.level});
  for (const std::string& setting : options.machine.settings) list.insert(list.end(), {"--set", setting});
  for (const std::string& baseline : options.baselines) list.insert(list.end(), {"--baseline", baseline});
  list.push_back(options.network.file);
  return list;
}

/// Files that the picture is made from.
std::vector<std::string> inputs_of(const ExportOptions& options, const engine::Request* request) {
  std::vector<std::string> inputs{options.network.file, options.sweep, options.machine.preset};
  if (request != nullptr) inputs.push_back(request->network->source_file);  // of a session
  constexpr std::string_view preset = "preset=";
  for (const std::string& baseline : options.baselines)
    for (const std::string& change : words(baseline, ","))
      if (change.starts_with(preset)) inputs.push_back(change.substr(preset.size()));
  return inputs;
}

ExitCode run(const ExportOptions& options, Context& context) {
  if (options.view == report && std::filesystem::path(options.picture.output).extension() != ".pdf") {
    context.console.error("--view report: the file must end in .pdf");
    return wrong_usage;
  }
  // Whatever is wrong with the input is said here, in the command line's own words.
  Diagnostics diagnostics;
  const bool only_sweep = options.network.file.empty();
  if (only_sweep && options.sweep.empty()) {
    context.console.error("NETWORK or --sweep is required");
    return wrong_usage;
  }
  const auto request =
      only_sweep ? std::nullopt : resolve_request(options.network, options.machine, *context.catalogue, diagnostics);
  if (request::is_session_file(options.network.file) && !options.baselines.empty()) {
    diagnostics.error({options.network.file, 0, "--baseline"}, "a session has its own baselines", "the session alone",
                      "pin the run in the window and save the session");
  }
  spares_inputs(options.picture.output, inputs_of(options, request ? &*request : nullptr), diagnostics);
  const std::string program = window_program(diagnostics);
  context.console.report(diagnostics);
  if ((!request && !only_sweep) || diagnostics.has_errors()) return refused;
  return draw(program, only_sweep ? arguments(options) : arguments(options, *request), context);
}

}  // namespace

Command add_export(CLI::App& program, const catalogue::Catalogue& catalogue) {
  CLI::App* command = program.add_subcommand("export", "Write any view as a picture or as data, without a display");
  const auto options = std::make_shared<ExportOptions>();
  options->picture.size = "1600x1000";
  options->network.add_to(*command);
  options->machine.add_to(*command, catalogue);
  command->get_option("NETWORK")->required(false);
  command->add_option("--sweep", options->sweep, "Results of a sweep, for views of it; then NETWORK may be left out");
  command->add_option("--view", options->view, "Name of the view, or report: everything on paper")->required();
  command->add_option("--program", options->program, "Which of the layer's programs, counted from 0")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  options->picture.add_to(*command)->required();
  command
      ->add_option("--baseline", options->baselines,
                   "Pin the run with these changes to compare with, e.g. level=modulo,lanes=32; may be repeated")
      ->allow_extra_args(false)
      ->take_all();
  return {command, [options](Context& context) { return run(*options, context); }};
}

}  // namespace convscope::cli
