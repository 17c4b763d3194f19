#include <memory>

#include <fmt/format.h>

#include "app/cli/commands/commands.h"
#include "core/explore/results/results_front.h"

namespace convscope::cli {
namespace {

struct FrontOptions {
  std::string file;
  std::vector<std::string> objectives;
  std::optional<double> coverage;
  bool json = false, csv = false, all = false;
};

/// "utilization", or "mac_units:most" where most of it is wanted although the least is usual.
std::optional<explore::Objective> parse_objective(const std::string& text, const catalogue::Catalogue& catalogue) {
  const std::size_t colon = text.find(':');
  const auto known = explore::objectives_of(catalogue.targets);
  const artifact::FigureDescription* figure = artifact::find_figure(known, text.substr(0, colon));
  if (!figure) return std::nullopt;
  if (colon == std::string::npos) return explore::Objective{figure->key, figure->better == artifact::Better::more};
  const std::string best = text.substr(colon + 1);
  if (best != "least" && best != "most") return std::nullopt;
  return explore::Objective{figure->key, best == "most"};
}

std::string well_formed_objective(const std::string& text, const catalogue::Catalogue& catalogue) {
  if (parse_objective(text, catalogue)) return {};
  return fmt::format("'{}' is not one of {}, with :least or :most if wanted", text,
                     explore::keys_of(explore::objectives_of(catalogue.targets)));
}

ExitCode run(const FrontOptions& options, Context& context) {
  Diagnostics diagnostics;
  explore::FrontOptions front{{}, options.coverage, options.all};
  for (const std::string& text : options.objectives)
    front.objectives.push_back(*parse_objective(text, *context.catalogue));
  const auto report = explore::read_front(options.file, front, diagnostics);
  context.console.report(diagnostics);
  if (!report) return refused;
  context.console.data(options.json  ? explore::front_json(*report)
                       : options.csv ? explore::front_csv(*report)
                                     : explore::front_text(*report));
  return done;
}

}  // namespace

Command add_front(CLI::App& program, const catalogue::Catalogue& catalogue) {
  CLI::App* command = program.add_subcommand("front", "The Pareto front of a results file");
  const auto options = std::make_shared<FrontOptions>();
  command->add_option("RESULTS", options->file, "Results file of `sweep`")->required();
  command->add_option("--objective", options->objectives, "Instead of the space's own; may be repeated")
      ->check(CLI::Validator([&catalogue](const std::string& text) { return well_formed_objective(text, catalogue); },
                             "NAME[:least|:most]"))
      ->allow_extra_args(false)
      ->take_all();
  command->add_option("--coverage", options->coverage, "Least part of the MACs that a machine must map to be compared")
      ->check(CLI::Range(0.0, 1.0));
  command->add_flag("--all", options->all, "Dominated points too, marked");
  CLI::Option* json = command->add_flag("--json", options->json, "As JSON, see docs/explore.md");
  command->add_flag("--csv", options->csv, "As comma-separated values")->excludes(json);
  return {command, [options](Context& context) { return run(*options, context); }};
}

}  // namespace convscope::cli
