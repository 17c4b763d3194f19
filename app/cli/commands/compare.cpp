#include <memory>

#include "app/cli/commands/commands.h"
#include "core/analysis/report_reader.h"
#include "core/base/atomic_file.h"

namespace convscope::cli {
namespace {

struct CompareOptions {
  std::string baseline, compared;
  bool json = false, csv = false;
};

std::optional<analysis::Run> read(const std::string& path, const Context& context, Diagnostics& diagnostics) {
  const auto content = read_file_or_pipe(path, context.interrupt.token(), diagnostics, analysis::largest_report);
  return content ? analysis::read_report(*content, path, context.catalogue->targets, diagnostics) : std::nullopt;
}

ExitCode run(const CompareOptions& options, Context& context) {
  Diagnostics diagnostics;
  const auto baseline = read(options.baseline, context, diagnostics);
  const auto compared = read(options.compared, context, diagnostics);
  context.console.report(diagnostics);
  if (!baseline || !compared) return refused;
  const analysis::RunComparison comparison = analysis::compare_runs(*compared, *baseline);
  if (options.json)
    context.console.data(analysis::comparison_json(*compared, *baseline, comparison));
  else if (options.csv)
    context.console.data(analysis::comparison_csv(comparison));
  else
    context.console.data(analysis::comparison_text(*compared, *baseline, comparison));
  return done;
}

}  // namespace

Command add_compare(CLI::App& program) {
  CLI::App* command = program.add_subcommand("compare", "Compare two runs, from files that `report --json` wrote");
  const auto options = std::make_shared<CompareOptions>();
  command->add_option("BASELINE", options->baseline, "Report to compare with")->required();
  command->add_option("COMPARED", options->compared, "Report that is compared")->required();
  CLI::Option* json = command->add_flag("--json", options->json, "As JSON, see docs/compare-json.md");
  command->add_flag("--csv", options->csv, "As comma-separated values, one figure a line")->excludes(json);
  return {command, [options](Context& context) { return run(*options, context); }};
}

}  // namespace convscope::cli
