#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/commands/commands.h"
#include "app/cli/described_options.h"
#include "app/cli/one_layer.h"
#include "app/cli/program_files.h"
#include "core/analysis/trace_text.h"
#include "core/base/atomic_file.h"
#include "core/target/programs.h"
#include "core/target/traceable.h"

namespace convscope::cli {
namespace {

constexpr std::int64_t default_length = 100;  // cycles, without --to

struct TraceOptions {
  NetworkOptions network;  ///< or a program file
  MachineOptions machine;
  DescribedOptions trace = trace_options();
  int program = -1;  ///< -1: the first that has a file
  std::int64_t from = 0, to = -1;
  std::vector<std::string> blocks;
  bool json = false, csv = false, vcd = false;
};

struct Source {
  std::shared_ptr<const target::Target> target;
  std::string name, content;
  std::shared_ptr<const target::CompiledLayer> compiled = {};  ///< null for a program file
  int program = 0;
};

/// Nothing, without a diagnostic, if the file is no program.
std::optional<Source> program_file(const std::string& path, Context& context) {
  Diagnostics ignored;  // whatever it is, it may still be a network
  std::optional<std::string> content = read_file_or_pipe(path, context.interrupt.token(), ignored);
  auto target = content ? target_of_program(*content, *context.catalogue) : nullptr;
  if (!target) return std::nullopt;
  return Source{std::move(target), path, std::move(*content)};
}

/// What stands in a program file can't be given beside it.
bool alone(const TraceOptions& options, Diagnostics& diagnostics) {
  const MachineOptions& machine = options.machine;
  const bool others = machine.target_given || !machine.preset.empty() || !machine.settings.empty() ||
                      !machine.level.empty() || !options.network.layers.empty() || options.network.batch ||
                      !options.network.input_size.empty() || options.program >= 0;
  if (others)
    diagnostics.error({options.network.file, 0, {}}, "a program file has a machine and a layer of its own",
                      "no options of machine, network or program beside it");
  return !others;
}

std::optional<Source> compiled_program(const TraceOptions& options, Context& context, Diagnostics& diagnostics) {
  const auto layer = compile_one_layer(options.network, options.machine, context, diagnostics);
  const int program = layer && options.program < 0 ? target::program_with_file(*layer->compiled, 0) : options.program;
  if (!layer || !has_program(*layer, std::max(program, 0), diagnostics)) return std::nullopt;
  std::string content = program < 0 ? std::string() : layer->compiled->program_file(program);
  if (content.empty()) {
    diagnostics.error({options.network.file, 0, layer->compiled->program_name(std::max(program, 0))},
                      "it is nothing that runs", "a program that `compile` writes");
    return std::nullopt;
  }
  return Source{layer->target, layer->compiled->program_name(program), std::move(content), layer->compiled, program};
}

std::shared_ptr<const target::Trace> open(const Source& source, const TraceOptions& options, Context& context,
                                          Diagnostics& diagnostics) {
  const target::ProgramTools* tools = source.target->program_tools();
  if (tools == nullptr || tools->trace_options() == nullptr) {
    diagnostics.error({source.name, 0, {}}, fmt::format("{} has no trace", source.target->title()),
                      "a target that simulates cycle by cycle");
    return nullptr;
  }
  const auto values = options.trace.resolve(*source.target, diagnostics);
  if (!values) return nullptr;
  if (const auto* known = source.compiled ? target::traceable(*source.compiled) : nullptr)
    return known->trace(source.program, *values, target::default_checkpoint_bytes, context.interrupt.token(),
                        diagnostics);
  return tools->trace(source.content, source.name, *values, target::default_checkpoint_bytes, context.interrupt.token(),
                      diagnostics);
}

/// The stretch that is asked for; nothing, with diagnostics, if the run has it not.
std::optional<analysis::TraceStretch> stretch_of(const target::Trace& trace, const Source& source,
                                                 const TraceOptions& options, Diagnostics& diagnostics) {
  analysis::TraceStretch stretch{trace, source.name, source.target->id(), options.from, options.to, {}};
  if (options.to < 0) stretch.to = std::min(trace.cycles(), options.from + default_length);
  if (stretch.from >= stretch.to || stretch.to > trace.cycles())
    diagnostics.error({source.name, 0, {}}, fmt::format("cycles {} to {}", stretch.from, stretch.to),
                      fmt::format("0 to {}, the first before the second", trace.cycles()));
  for (const std::string& name : options.blocks) {
    const int block = trace.schema().find(name);
    stretch.blocks.push_back(block);
    if (block >= 0) {
      const auto format = trace.schema().blocks[static_cast<std::size_t>(block)].format;
      if (options.vcd && format == artifact::StateFormat::text)
        diagnostics.error({source.name, 0, "--block"}, fmt::format("'{}' holds text, which a VCD can't", name));
      continue;
    }
    std::vector<std::string> names;
    for (const artifact::StateBlock& each : trace.schema().blocks) names.push_back(each.name);
    diagnostics.error({source.name, 0, "--block"}, fmt::format("there is no block '{}'", name),
                      fmt::format("one of '{}'", fmt::join(names, "', '")));
  }
  if (diagnostics.has_errors()) return std::nullopt;
  if ((options.csv || options.vcd) && analysis::elements(stretch) > analysis::most_columns)
    diagnostics.error({source.name, 0, "--block"}, fmt::format("{} elements", analysis::elements(stretch)),
                      fmt::format("at most {} as CSV or VCD", analysis::most_columns));
  return diagnostics.has_errors() ? std::nullopt : std::optional(stretch);
}

void write(const analysis::TraceStretch& stretch, const TraceOptions& options, Context& context) {
  const analysis::TextSink sink = [&](std::string_view text) { context.console.data(text); };
  const std::stop_token stop = context.interrupt.token();
  if (options.json) return write_trace_json(stretch, sink, stop);
  if (options.csv) return write_trace_csv(stretch, sink, stop);
  if (options.vcd) return write_trace_vcd(stretch, sink, stop);
  write_trace_table(stretch, sink, stop);
}

ExitCode run(const TraceOptions& options, Context& context) {
  Diagnostics diagnostics;
  auto source = program_file(options.network.file, context);
  const bool fine = !source || alone(options, diagnostics);
  if (!source) source = compiled_program(options, context, diagnostics);
  const auto trace = source && fine ? open(*source, options, context, diagnostics) : nullptr;
  const auto stretch = trace ? stretch_of(*trace, *source, options, diagnostics) : std::nullopt;
  context.console.report(diagnostics);
  if (!stretch) return refused;
  write(*stretch, options, context);
  return done;
}

}  // namespace

Command add_trace(CLI::App& program, const catalogue::Catalogue& catalogue) {
  CLI::App* command =
      program.add_subcommand("trace", "A program's run cycle by cycle: what it reads, writes, waits for");
  const auto options = std::make_shared<TraceOptions>();
  options->network.add_to(*command);
  options->machine.add_to(*command, catalogue);
  command->get_option("NETWORK")->description("Program file or assembly; or a network, with --layer");
  command->add_option("--program", options->program, "Which of the layer's programs; without it, the first that runs")
      ->check(CLI::NonNegativeNumber);
  options->trace.add_to(*command, catalogue);
  command->add_option("--from", options->from, "First cycle")->check(CLI::NonNegativeNumber)->capture_default_str();
  command->add_option("--to", options->to, "First cycle behind the last; without it, 100 cycles")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--block", options->blocks, "Block of state to look at; may be repeated")
      ->allow_extra_args(false)
      ->take_all();
  auto* json = command->add_flag("--json", options->json, "As JSON");
  auto* csv = command->add_flag("--csv", options->csv, "As CSV")->excludes(json);
  command->add_flag("--vcd", options->vcd, "As value change dump, for waveform viewers")->excludes(json)->excludes(csv);
  return {command, [options](Context& context) { return run(*options, context); }};
}

}  // namespace convscope::cli
