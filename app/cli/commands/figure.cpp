#include "core/figures/figure.h"

#include <memory>

#include "app/cli/commands/commands.h"
#include "app/cli/pictures.h"
#include "app/request/published.h"
#include "core/analysis/table.h"

namespace convscope::cli {
namespace {

struct FigureOptions {
  std::string id;
  bool list = false, json = false, csv = false;
  PictureOptions picture;
};

std::string list_text() {
  analysis::TextTable table{{"figure", "what it shows"}, {}};
  for (const figures::FigureEntry& entry : figures::figure_list()) table.rows.push_back({entry.id, entry.title});
  return analysis::aligned_text(table);
}

std::string formatted(const figures::Figure& figure, const FigureOptions& options) {
  if (options.json) return figures::figure_json(figure);
  return options.csv ? figures::figure_csv(figure) : figures::figure_text(figure);
}

ExitCode make(const FigureOptions& options, Context& context) {
  Diagnostics diagnostics;
  const analysis::PublishedTables published = request::load_published(diagnostics);
  const auto executor = context.make_executor();
  const auto cache = engine::make_memory_cache();
  const figures::Environment environment{executor.get(),
                                         cache.get(),
                                         &published,
                                         context.catalogue.get(),
                                         context.interrupt.token(),
                                         context.console.progress()};
  const auto figure = figures::make_figure(options.id, environment, diagnostics);
  context.console.report(diagnostics);
  if (!figure || diagnostics.has_errors()) return refused;
  context.console.data(formatted(*figure, options));
  return done;
}

ExitCode make_picture(const FigureOptions& options, Context& context) {
  Diagnostics diagnostics;
  const std::string program = window_program(diagnostics);
  context.console.report(diagnostics);
  if (diagnostics.has_errors()) return refused;
  std::vector<std::string> arguments = options.picture.arguments();
  arguments.insert(arguments.end(), {"--export-figure", options.id});
  return draw(program, std::move(arguments), context);
}

}  // namespace

Command add_figure(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("figure", "Make a published figure or table again, beside the published values");
  const auto options = std::make_shared<FigureOptions>();
  CLI::Option* id = command->add_option("ID", options->id, "Name of the figure");
  CLI::Option* list = command->add_flag("--list", options->list, "Print all names")->excludes(id);
  CLI::Option* json = command->add_flag("--json", options->json, "As JSON")->excludes(list);
  CLI::Option* csv =
      command->add_flag("--csv", options->csv, "As comma-separated values")->excludes(json)->excludes(list);
  options->picture.add_to(*command)->excludes(list)->excludes(json)->excludes(csv);
  command->callback([options] {
    if (!options->list && options->id.empty()) throw CLI::RequiredError("ID or --list");
  });
  return {command, [options](Context& context) {
            if (!options->picture.output.empty()) return make_picture(*options, context);
            if (!options->list) return make(*options, context);
            context.console.data(list_text());
            return done;
          }};
}

}  // namespace convscope::cli
