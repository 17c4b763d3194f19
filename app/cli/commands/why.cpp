#include "core/analysis/why.h"

#include <memory>

#include <fmt/format.h>

#include "app/cli/commands/commands.h"
#include "app/cli/one_layer.h"

namespace convscope::cli {
namespace {

struct WhyOptions {
  NetworkOptions network;
  MachineOptions machine;
  int program = 0;
  std::int64_t cycle = -1;
  std::string resource;
  bool json = false;
};

/// What stands in the slot, or why nothing does; of all resources if none is named.
std::vector<analysis::SlotReason> slots_of(const OneLayer& layer, const WhyOptions& options, Diagnostics& diagnostics) {
  if (!has_program(layer, options.program, diagnostics)) return {};
  const auto timeline = layer.compiled->timeline(options.program);
  if (!timeline) {
    diagnostics.error(layer.where, fmt::format("{} has no timeline", layer.target->title()));
    return {};
  }
  const auto graph = layer.compiled->task_graph(options.program);
  if (options.resource.empty())
    return analysis::slot_reasons(*timeline, graph.get(), options.cycle, layer.where, diagnostics);
  const auto slot =
      analysis::slot_reason(*timeline, graph.get(), options.resource, options.cycle, layer.where, diagnostics);
  if (!slot) return {};
  return {*slot};
}

ExitCode run(const WhyOptions& options, Context& context) {
  Diagnostics diagnostics;
  const auto layer = compile_one_layer(options.network, options.machine, context, diagnostics);
  analysis::Why why;
  if (layer) {
    why.layer = layer->name;
    if (const auto explanation = layer->compiled->explanation()) why.explanation = *explanation;
    if (why.explanation.summary.empty()) why.explanation.summary = layer->compiled->reason();
    why.cycles = layer->compiled->metrics().cycles;
    if (options.cycle >= 0) why.at_cycle = slots_of(*layer, options, diagnostics);
  }
  context.console.report(diagnostics);
  if (!layer || diagnostics.has_errors()) return refused;
  context.console.data(options.json ? why_json(why) : why_text(why));
  return done;
}

}  // namespace

Command add_why(CLI::App& program, const catalogue::Catalogue& catalogue) {
  CLI::App* command =
      program.add_subcommand("why", "Why a layer is as fast as it is, or a slot of its schedule as it is");
  const auto options = std::make_shared<WhyOptions>();
  options->network.add_to(*command);
  options->machine.add_to(*command, catalogue);
  command->add_option("--program", options->program, "Which of the layer's programs")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  auto* cycle = command->add_option("--cycle", options->cycle, "Cycle of a slot in the program's unrolled run")
                    ->check(CLI::NonNegativeNumber);
  command->add_option("--resource", options->resource, "Resource of the slot, e.g. an issue field; all if left out")
      ->needs(cycle);
  command->add_flag("--json", options->json, "As JSON");
  return {command, [options](Context& context) { return run(*options, context); }};
}

}  // namespace convscope::cli
