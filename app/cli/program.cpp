#include "app/cli/program.h"

#include <exception>
#include <functional>
#include <string>
#include <utility>

#include "app/cli/commands/commands.h"
#include "app/cli/describe_program.h"
#include "app/manual/describe.h"
#include "core/base/resources.h"

namespace convscope::cli {
namespace {

std::vector<Command> add_commands(CLI::App& program, const catalogue::Catalogue& catalogue) {
  return {add_report(program, catalogue),
          add_compile(program, catalogue),
          add_simulate(program, catalogue),
          add_verify(program),
          add_trace(program, catalogue),
          add_why(program, catalogue),
          add_measure(program, catalogue),
          add_quantize(program),
          add_detect(program, catalogue),
          add_export(program, catalogue),
          add_compare(program),
          add_figure(program),
          add_winograd(program),
          add_calibrate(program),
          add_parameters(program, catalogue),
          add_networks(program),
          add_formats(program),
          add_sweep(program),
          add_merge(program),
          add_front(program, catalogue),
          add_sensitivity(program, catalogue),
          add_draft(program, catalogue),
          add_lab(program),
          add_grade(program)};
}

void add_common_options(CLI::App& program, Context& context) {
  program.set_version_flag("--version", "convscope-cli " CONVSCOPE_VERSION);
  program.add_option("--threads", context.threads, "Threads to compile with (0: one for each core)")
      ->check(CLI::Range(0, 1024));
  program.add_flag("--progress", context.progress, "Show progress on stderr although it is no terminal");
  program.fallthrough();
  program.require_subcommand(1);
}

bool has_data(Context& context) {
  Diagnostics diagnostics;
  const bool found = find_data(diagnostics);
  context.console.report(diagnostics);
  return found;
}

ExitCode run_chosen(const std::vector<Command>& commands, Context& context) {
  if (!has_data(context)) return refused;
  if (context.progress) context.console.force_progress();
  for (const Command& command : commands)
    if (command.app->parsed()) return command.run(context);
  return wrong_usage;
}

ExitCode guarded(Context& context, const std::function<ExitCode()>& run) {
  try {
    return run();
  } catch (const OutputFailed& failure) {
    context.console.error(std::string("standard output can't be written: ") + failure.what());
    return output_failed;
  } catch (const Cancelled&) {
    context.console.error("cancelled");
    return cancelled;
  } catch (const std::exception& exception) {
    context.console.error(std::string("internal error: ") + exception.what());
    return internal_error;
  }
}

ExitCode describe(const CLI::App& program, const std::string& folder, Context& context) {
  manual::Program description = describe_program(program);
  description.exits = exit_meanings();
  Diagnostics diagnostics;
  const bool written = manual::write_descriptions(description, folder, diagnostics);
  context.console.report(diagnostics);
  return written ? done : refused;
}

}  // namespace

int run_program(int argc, char** argv, catalogue::CataloguePointer catalogue) {
  Context context(std::move(catalogue));
  CLI::App program("Maps convolutional networks onto accelerators and shows how and why", "convscope-cli");
  add_common_options(program, context);
  const std::vector<Command> commands = add_commands(program, *context.catalogue);
  if (const auto folder = manual::describe_folder(argc, argv)) return describe(program, *folder, context);
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return guarded(context, [&] { return answer(program, error, context.console); });
  }
  return guarded(context, [&] { return run_chosen(commands, context); });
}

}  // namespace convscope::cli
