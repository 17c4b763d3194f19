#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "app/cli/commands/commands.h"
#include "app/cli/compilation.h"
#include "app/cli/options.h"
#include "app/cli/program_folder.h"

namespace convscope::cli {
namespace {

struct CompileOptions {
  NetworkOptions network;
  MachineOptions machine;
  std::string folder;
};

bool make_folder(const std::string& folder, Diagnostics& diagnostics) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error) return true;
  diagnostics.error({folder, 0, {}}, "the folder can't be made: " + error.message());
  return false;
}

ExitCode run(const CompileOptions& options, Context& context) {
  Diagnostics diagnostics;
  const auto request = resolve_request(options.network, options.machine, *context.catalogue, diagnostics);
  if (!request || !make_folder(options.folder, diagnostics)) return context.console.report(diagnostics), refused;
  const Compilation compilation = compile_keeping_finished(*request, context);
  const bool written =
      write_program_folder(compilation.compiled, request->only_layers, options.folder,
                           {options.network.file, request->network->source_file, options.machine.preset}, diagnostics);
  const bool faulty = report_faults(compilation.compiled, diagnostics);
  context.console.report(diagnostics);
  if (!written) return refused;
  context.console.data(index_path(options.folder) + '\n');
  if (!compilation.stopped) return faulty ? internal_error : done;
  context.console.error("cancelled; the programs that were finished are written");
  return cancelled;
}

}  // namespace

Command add_compile(CLI::App& program, const catalogue::Catalogue& catalogue) {
  CLI::App* command = program.add_subcommand("compile", "Write each layer's programs: binary, assembly, memory map");
  const auto options = std::make_shared<CompileOptions>();
  options->network.add_to(*command);
  options->machine.add_to(*command, catalogue);
  command->add_option("-o,--output", options->folder, "Folder to write to; made if need be")->required();
  return {command, [options](Context& context) { return run(*options, context); }};
}

}  // namespace convscope::cli
