#include "core/explore/sweep/sweep.h"

#include <memory>

#include <fmt/format.h>

#include "app/cli/commands/commands.h"
#include "core/base/numbers.h"
#include "core/explore/space/space_reader.h"

namespace convscope::cli {
namespace {

using explore::StrategyKind;

struct SweepOptions {
  std::string space, output, shard, strategy = "grid";
  std::uint64_t budget = 0, seed = 1;
  bool resume = false;
};

const std::map<std::string, StrategyKind> strategies = {
    {"grid", StrategyKind::grid}, {"random", StrategyKind::random}, {"refine", StrategyKind::refine}};

constexpr int most_shards = 1'000'000;

/// "2/4" is the second of four.
std::optional<explore::Shard> parse_shard(const std::string& text) {
  if (text.empty()) return explore::Shard{};
  const auto pair = parse_pair(text, '/');
  if (!pair || pair->first > pair->second || pair->second > most_shards) return std::nullopt;
  return explore::Shard{static_cast<unsigned>(pair->first - 1), static_cast<unsigned>(pair->second)};
}

std::string well_formed_shard(const std::string& text) {
  return parse_shard(text) ? "" : fmt::format("'{}' is not PART/PARTS, e.g. 2/4 for the second of four", text);
}

std::string summary(const explore::Sweep& sweep, const std::string& output) {
  const explore::SweepState state = sweep.state();
  std::string text =
      fmt::format("{}: {} of {} points ({:.3g} % of the space), {} compiled now, {} on the front\n", output, state.seen,
                  state.size, 100 * state.share(), state.compiled, state.front.size());
  for (const auto& [reason, points] : state.removed) text += fmt::format("  {} removed: {}\n", points, reason);
  for (const auto& [reason, points] : state.failed) text += fmt::format("  {} failed: {}\n", points, reason);
  return text;
}

bool report_faults(const explore::SweepState& state, const std::string& output, Diagnostics& diagnostics) {
  for (const auto& [reason, points] : state.failed)
    diagnostics.error({output, 0, {}}, fmt::format("{} points failed: {}", points, reason), {},
                      "the fault is ConvScope's: please report it with the space");
  return !state.failed.empty();
}

ExitCode run_sweep(explore::Sweep& sweep, explore::ResultsFile& file, const std::string& output, Context& context) {
  Diagnostics diagnostics;
  const auto executor = context.make_executor();
  const auto cache = explore::make_sweep_cache();
  const explore::SweepEnd end =
      sweep.run(*executor, *cache, context.interrupt.token(), {{}, context.console.progress()}, diagnostics);
  const bool finished = end == explore::SweepEnd::finished && file.finish(diagnostics);
  const bool faulty = report_faults(sweep.state(), output, diagnostics);
  context.console.clear_progress();
  context.console.report(diagnostics);
  context.console.data(summary(sweep, output));
  if (end == explore::SweepEnd::cancelled) {
    context.console.error("cancelled; what was finished is kept, and --resume goes on with it");
    return cancelled;
  }
  if (!finished) return refused;
  return faulty ? internal_error : done;
}

ExitCode run(const SweepOptions& options, Context& context) {
  Diagnostics diagnostics;
  auto read = explore::read_space_file(options.space, context.catalogue, diagnostics);
  if (!read) return context.console.report(diagnostics), refused;
  const auto space = std::make_shared<const explore::Space>(std::move(*read));
  const explore::StrategyOptions strategy{strategies.at(options.strategy), options.budget, options.seed,
                                          *parse_shard(options.shard)};
  if (!explore::check_strategy(strategy, *space, diagnostics)) return context.console.report(diagnostics), refused;
  const explore::ResultsIdentity identity{"convscope " CONVSCOPE_VERSION, explore::strategy_text(strategy),
                                          strategy.shard};
  const auto file = options.resume ? explore::ResultsFile::resume(options.output, space, identity, diagnostics)
                                   : explore::ResultsFile::create(options.output, space, identity, diagnostics);
  context.console.report(diagnostics);
  if (!file) return refused;
  explore::Sweep sweep(space, explore::make_strategy(strategy, space), file.get());
  return run_sweep(sweep, *file, options.output, context);
}

}  // namespace

Command add_sweep(CLI::App& program) {
  CLI::App* command = program.add_subcommand("sweep", "Compile networks for every machine of a space");
  const auto options = std::make_shared<SweepOptions>();
  command->add_option("SPACE", options->space, "The space, see docs/space.md")->required();
  command->add_option("-o,--output", options->output, "Results file (SQLite)")->required();
  command->add_option("--shard", options->shard, "Only this part of the points: PART/PARTS, e.g. 2/4")
      ->check(CLI::Validator(well_formed_shard, "PART/PARTS"));
  command->add_flag("--resume", options->resume, "Go on with the results file, if there is one");
  command
      ->add_option("--strategy", options->strategy,
                   "grid: every point; random: --budget of them; refine: a coarse "
                   "grid, then neighbours of the front")
      ->check(CLI::IsMember({"grid", "random", "refine"}))
      ->capture_default_str();
  command->add_option("--budget", options->budget, "Most points to look at (random, refine)");
  command->add_option("--seed", options->seed, "Of the random choice (random, refine)")->capture_default_str();
  return {command, [options](Context& context) { return run(*options, context); }};
}

}  // namespace convscope::cli
