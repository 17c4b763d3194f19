#include "core/figures/snowflake/ablation_runs.h"

#include <memory>
#include <mutex>

#include "core/snowflake/plan/decide.h"
#include "core/snowflake/simulate/simulator.h"

namespace convscope::figures {
namespace {

using snowflake::Choice;
using snowflake::Machine;

/// The paper's choice with what the variant changes of it; none for fully connected layers.
Choice choice_for(const AblationVariant& variant, const snowflake::ParsedNetwork& network, std::size_t index,
                  const Machine& machine) {
  const snowflake::ProgramLayer& layer = network.layers[index].layer;
  Choice none;
  none.refused = "left out";
  if (layer.kind == snowflake::LayerKind::fully_connected) return none;
  snowflake::Decision decision = snowflake::paper_mapping(layer, network.regions, machine);
  if (!decision.refused.empty()) {
    none.refused = decision.refused;
    return none;
  }
  if (variant.mapping) variant.mapping({layer, network.regions, machine, index == 0}, decision.mapping);
  return only_choice(decision.mapping);
}

/// The reason why a layer that should have a program has none, or nothing.
std::string refused_layer(const snowflake::ParsedNetwork& network, const snowflake::CompiledProgram& compiled) {
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const snowflake::ProgramLayer& layer = network.layers[i].layer;
    if (layer.kind != snowflake::LayerKind::fully_connected && !compiled.refused[i].empty())
      return layer.name + ": " + compiled.refused[i];
  }
  return {};
}

AblationRun run_of(const snowflake::Program& program, const snowflake::SimulationResult& result) {
  const double clock = program.machine.clock_hz;
  AblationRun run{result.cycles / clock, static_cast<double>(result.total.all_bytes())};
  for (std::size_t i = 0; i < program.layers.size(); ++i) {
    run.layers.push_back(program.layers[i].name);
    run.layer_seconds.push_back(result.layers[i].cycles / clock);
  }
  return run;
}

struct Compiled {
  std::string refused;
  snowflake::Program program;
};
using CompiledPointer = std::shared_ptr<const Compiled>;

CompiledPointer compile(const AblationVariant& variant, const SnowflakeNetwork& network, const Machine& machine) {
  snowflake::ParsedNetwork parsed = network.plan->parsed;
  if (variant.network) variant.network(parsed);
  std::vector<Choice> choices;
  for (std::size_t i = 0; i < parsed.layers.size(); ++i) choices.push_back(choice_for(variant, parsed, i, machine));
  snowflake::CompiledProgram compiled = snowflake::compile_network(network.name, parsed, choices, machine);
  return std::make_shared<const Compiled>(Compiled{refused_layer(parsed, compiled), std::move(compiled.program)});
}

/// Nothing, with the reason, if a layer or the program is refused.
std::optional<AblationRun> run(const AblationVariant& variant, const Compiled& compiled, const std::stop_token& stop,
                               std::string& reason) {
  reason = compiled.refused;
  if (!reason.empty()) return std::nullopt;
  snowflake::Program program = compiled.program;
  if (variant.timing) variant.timing(program.machine);
  const snowflake::SimulationResult result = snowflake::simulate(program, {}, stop);
  if (result.refusal) reason = result.refusal->what;
  if (!reason.empty()) return std::nullopt;
  return run_of(program, result);
}

struct Job {
  std::size_t variant = 0, column = 0;
  SnowflakeNetwork network;
  std::size_t program = 0;  ///< the job whose program it runs: the first of those that change times alone have one
};

bool changes_program(const AblationVariant& variant) {
  return variant.mapping || variant.network || !variant.last_sample.empty();
}

/// The earliest job with the same program.
std::size_t program_of(const std::vector<Job>& jobs, const std::vector<AblationVariant>& variants, std::size_t variant,
                       std::size_t column) {
  for (std::size_t i = 0; i < jobs.size() && !changes_program(variants[variant]); ++i)
    if (jobs[i].column == column && !changes_program(variants[jobs[i].variant])) return i;
  return jobs.size();
}

std::optional<std::vector<Job>> jobs_of(const std::vector<AblationVariant>& variants, const Machine& machine,
                                        const Environment& environment, Diagnostics& diagnostics) {
  const std::vector<std::string> samples = snowflake_samples();
  std::vector<Job> jobs;
  for (std::size_t v = 0; v < variants.size(); ++v)
    for (std::size_t c = 0; c < samples.size(); ++c) {
      const bool other = !variants[v].last_sample.empty();
      if (other && c + 1 < samples.size()) continue;
      auto network = snowflake_network(other ? variants[v].last_sample : samples[c], machine, environment, diagnostics);
      if (!network) return std::nullopt;
      jobs.push_back({v, c, std::move(*network), program_of(jobs, variants, v, c)});
    }
  return jobs;
}

}  // namespace

std::vector<std::vector<std::optional<AblationRun>>> run_ablations(const std::vector<AblationVariant>& variants,
                                                                   const Machine& machine,
                                                                   const Environment& environment,
                                                                   Diagnostics& diagnostics) {
  const auto jobs = jobs_of(variants, machine, environment, diagnostics);
  if (!jobs) return {};
  std::vector<std::vector<std::optional<AblationRun>>> runs(
      variants.size(), std::vector<std::optional<AblationRun>>(snowflake_samples().size()));
  const int count = static_cast<int>(jobs->size());
  std::vector<CompiledPointer> programs(jobs->size());
  environment.executor->parallel_for(count, [&](int i) {
    const auto at = static_cast<std::size_t>(i);
    const Job& job = (*jobs)[at];
    if (job.program == at) programs[at] = compile(variants[job.variant], job.network, machine);
  });
  std::vector<std::string> reasons(jobs->size());
  std::mutex mutex;
  int done = 0;
  environment.executor->parallel_for(count, [&](int i) {
    const auto at = static_cast<std::size_t>(i);
    const Job& job = (*jobs)[at];
    runs[job.variant][job.column] = run(variants[job.variant], *programs[job.program], environment.stop, reasons[at]);
    const std::scoped_lock lock(mutex);
    if (environment.progress) environment.progress(static_cast<double>(++done) / count, variants[job.variant].name);
  });
  for (std::size_t i = 0; i < jobs->size(); ++i)
    if (!reasons[i].empty())
      diagnostics.error({}, variants[(*jobs)[i].variant].name + ", " + (*jobs)[i].network.name + ": " + reasons[i]);
  if (diagnostics.has_errors()) return {};
  return runs;
}

}  // namespace convscope::figures
