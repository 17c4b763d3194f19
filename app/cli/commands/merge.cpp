#include <memory>

#include "app/cli/commands/commands.h"
#include "core/explore/results/results_file.h"

namespace convscope::cli {
namespace {

struct MergeOptions {
  std::vector<std::string> inputs;
  std::string output;
};

ExitCode run(const MergeOptions& options, Context& context) {
  Diagnostics diagnostics;
  const bool merged = explore::merge_results(options.inputs, options.output, diagnostics);
  context.console.report(diagnostics);
  return merged ? done : refused;
}

}  // namespace

Command add_merge(CLI::App& program) {
  CLI::App* command = program.add_subcommand("merge", "Put results files of one space together");
  const auto options = std::make_shared<MergeOptions>();
  command->add_option("RESULTS", options->inputs, "Results files of `sweep`")->required();
  command->add_option("-o,--output", options->output, "The merged file; replaced if it exists")->required();
  return {command, [options](Context& context) { return run(*options, context); }};
}

}  // namespace convscope::cli
