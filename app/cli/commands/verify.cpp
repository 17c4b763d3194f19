#include <memory>

#include "app/cli/commands/commands.h"
#include "app/cli/program_files.h"

namespace convscope::cli {
namespace {

bool verify(const std::string& path, Context& context) {
  Diagnostics diagnostics;
  const auto program = read_program(path, *context.catalogue, context.interrupt.token(), diagnostics);
  const bool fine = program && program->target->program_tools()->verify(program->content, path, diagnostics);
  context.console.report(diagnostics);
  context.console.data(path + (fine ? ": correct\n" : ": refused\n"));
  return fine;
}

ExitCode run(const std::vector<std::string>& programs, Context& context) {
  bool fine = true;
  for (const std::string& path : programs) {
    throw_if_stopped(context.interrupt.token());
    fine &= verify(path, context);
  }
  return fine ? done : refused;
}

}  // namespace

Command add_verify(CLI::App& program) {
  CLI::App* command = program.add_subcommand("verify", "Check programs from files without running them");
  const auto programs = std::make_shared<std::vector<std::string>>();
  command->add_option("PROGRAM", *programs, "Program files or assembly")->required();
  return {command, [programs](Context& context) { return run(*programs, context); }};
}

}  // namespace convscope::cli
