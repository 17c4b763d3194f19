#include <chrono>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "app/cli/commands/commands.h"
#include "app/cli/inputs.h"
#include "app/cli/options.h"
#include "app/request/session_request.h"
#include "core/base/child_process.h"
#include "core/base/text.h"

namespace convscope::cli {
namespace {

constexpr auto report = "report";

struct ExportOptions {
  NetworkOptions network;
  MachineOptions machine;
  std::vector<std::string> baselines;
  std::string sweep, view, output, theme = "light", size = "1600x1000";
  double scale = 1;
};

std::string well_formed_size(const std::string& size) {
  return request::parse_size(size) ? "" : "'" + size + "' is not WIDTHxHEIGHT in pixels";
}

std::string well_formed_output(const std::string& file) {
  const std::string ending = std::filesystem::path(file).extension().string();
  const bool fine = ending == ".svg" || ending == ".pdf" || ending == ".png" || ending == ".csv";
  return fine ? "" : "'" + file + "' does not end in .svg, .pdf, .png or .csv";
}

/// The window's program beside this one; empty, with a diagnostic, if it is not there.
std::string window_program(Diagnostics& diagnostics) {
  std::error_code error;
  const auto here = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  std::string program = (here / "convscope").string();
  if (std::filesystem::exists(program, error)) return program;
  diagnostics.error({program, 0, {}}, "the window's program, which renders views, is not there", {},
                    "build or install ConvScope with its window (CONVSCOPE_UI=ON)");
  return {};
}

/// What the picture is, and its file.
std::vector<std::string> picture_arguments(const ExportOptions& options) {
  if (options.view == report) return {"--report", options.output};
  std::vector<std::string> list{"--export-view", options.view, "--output", options.output, "--theme", options.theme};
  for (const std::string& layer : options.network.layers) list.insert(list.end(), {"--layer", layer});
  list.insert(list.end(), {"--size", options.size, "--scale", fmt::format("{}", options.scale)});
  return list;
}

/// A sweep's views need no network.
std::vector<std::string> arguments(const std::string& program, const ExportOptions& options) {
  std::vector<std::string> list = picture_arguments(options);
  list.insert(list.begin(), program);
  if (!options.sweep.empty()) list.insert(list.end(), {"--sweep", options.sweep});
  return list;
}

std::vector<std::string> arguments(const std::string& program, const ExportOptions& options,
                                   const engine::Request& request) {
  std::vector<std::string> list = arguments(program, options);
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
  if (options.view == report && std::filesystem::path(options.output).extension() != ".pdf") {
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
  spares_inputs(options.output, inputs_of(options, request ? &*request : nullptr), diagnostics);
  const std::string program = window_program(diagnostics);
  context.console.report(diagnostics);
  if ((!request && !only_sweep) || diagnostics.has_errors()) return refused;
  ChildRequest window{only_sweep ? arguments(program, options) : arguments(program, options, *request),
                      {"QT_QPA_PLATFORM=offscreen"}};
  window.captured = false;
  window.grace = std::chrono::seconds(10);  // it has files to tidy up
  const ChildResult result = run_child(window, context.interrupt.token());
  if (result.stopped()) return context.console.error("cancelled"), cancelled;
  if (result.exit_code >= done && result.exit_code <= output_failed) return static_cast<ExitCode>(result.exit_code);
  context.console.error(fmt::format("the window's program failed ({})", result.failure));
  return internal_error;
}

}  // namespace

Command add_export(CLI::App& program, const catalogue::Catalogue& catalogue) {
  CLI::App* command = program.add_subcommand("export", "Write any view as a picture or as data, without a display");
  const auto options = std::make_shared<ExportOptions>();
  options->network.add_to(*command);
  options->machine.add_to(*command, catalogue);
  command->get_option("NETWORK")->required(false);
  command->add_option("--sweep", options->sweep, "Results of a sweep, for views of it; then NETWORK may be left out");
  command->add_option("--view", options->view, "Name of the view, or report: everything on paper")->required();
  command->add_option("-o,--output", options->output, "File to write: .svg, .pdf, .png or .csv")
      ->required()
      ->check(CLI::Validator(well_formed_output, "FILE"));
  command
      ->add_option("--baseline", options->baselines,
                   "Pin the run with these changes to compare with, e.g. level=modulo,lanes=32; may be repeated")
      ->allow_extra_args(false)
      ->take_all();
  command->add_option("--theme", options->theme, "Colours")
      ->check(CLI::IsMember({"light", "dark"}))
      ->capture_default_str();
  command->add_option("--size", options->size, "Size in pixels")
      ->check(CLI::Validator(well_formed_size, "WIDTHxHEIGHT"))
      ->capture_default_str();
  command->add_option("--scale", options->scale, "Pixels of a PNG for each pixel of the size")
      ->check(CLI::Range(0.25, 8.0))
      ->capture_default_str();
  return {command, [options](Context& context) { return run(*options, context); }};
}

}  // namespace convscope::cli
