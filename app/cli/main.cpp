#include <exception>
#include <string>

#include "app/cli/commands/commands.h"

namespace convscope::cli {
namespace {

std::vector<Command> add_commands(CLI::App& program) {
  return {add_report(program),     add_compile(program),  add_simulate(program),   add_verify(program),
          add_export(program),     add_compare(program),  add_figure(program),     add_calibrate(program),
          add_parameters(program), add_networks(program), add_formats(program),    add_sweep(program),
          add_merge(program),      add_front(program),    add_sensitivity(program)};
}

void add_common_options(CLI::App& program, Context& context) {
  program.set_version_flag("--version", "convscope-cli " CONVSCOPE_VERSION);
  program.add_option("--threads", context.threads, "Threads to compile with (0: one for each core)")
      ->check(CLI::Range(0, 1024));
  program.add_flag("--progress", context.progress, "Show progress on stderr although it is no terminal");
  program.fallthrough();
  program.require_subcommand(1);
}

ExitCode run_chosen(const std::vector<Command>& commands, Context& context) {
  if (context.progress) context.console.force_progress();
  for (const Command& command : commands)
    if (command.app->parsed()) return command.run(context);
  return wrong_usage;
}

ExitCode run_guarded(const std::vector<Command>& commands, Context& context) {
  try {
    return run_chosen(commands, context);
  } catch (const Cancelled&) {
    context.console.error("cancelled");
    return cancelled;
  } catch (const std::exception& exception) {
    context.console.error(std::string("internal error: ") + exception.what());
    return internal_error;
  }
}

int run(int argc, char** argv) {
  Context context;
  CLI::App program("Maps convolutional networks onto accelerators and shows how and why", "convscope-cli");
  add_common_options(program, context);
  const std::vector<Command> commands = add_commands(program);
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // Help and version are successes; CLI11 prints them to stdout and everything else to stderr.
    return program.exit(error) == 0 ? done : wrong_usage;
  }
  return run_guarded(commands, context);
}

}  // namespace
}  // namespace convscope::cli

int main(int argc, char** argv) {
  return convscope::cli::run(argc, argv);
}
