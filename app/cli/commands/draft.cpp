#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "app/cli/commands/commands.h"
#include "app/cli/described_options.h"
#include "app/cli/one_layer.h"
#include "app/request/published.h"
#include "app/request/session_request.h"
#include "core/analysis/draft_check.h"
#include "core/base/atomic_file.h"
#include "core/base/resources.h"
#include "core/base/sample_network.h"
#include "core/base/spares_inputs.h"
#include "core/base/text.h"
#include "core/schedule/draft/help.h"

namespace convscope::cli {
namespace {

namespace fs = std::filesystem;

struct DraftOptions {
  std::string action, file;
  NetworkOptions network;
  MachineOptions machine;
  DescribedOptions simulation = simulation_options();
  std::vector<std::string> outputs;
  std::int64_t interval = 0, steps = schedule::help_steps;
  int program = 0;
  bool json = false, empty = false;
};

constexpr std::size_t largest_draft = std::size_t{32} << 20;
constexpr std::size_t most_rules_told = 20;

/// The loop that a draft schedules, and the draft that a file has of it.
struct OpenDraft {
  OneLayer layer;
  schedule::DraftOrigin origin;
  std::shared_ptr<const target::DraftTools> tools;
  std::optional<schedule::Draft> draft;
};

/// A draft names its network as a file: one beside it, or a sample. Names that lead elsewhere are not followed.
std::string network_of(const schedule::DraftFile& draft, const std::string& file, Diagnostics& diagnostics) {
  const std::string& name = draft.origin.network;
  const bool plain = !name.empty() && name != ".." && fs::path(name).filename() == name;
  std::error_code missing;
  if (plain) {
    const fs::path beside = fs::path(file).parent_path() / name;
    if (fs::is_regular_file(beside, missing)) return beside.string();
    if (std::string kept = sample_path("networks/" + name); fs::is_regular_file(kept, missing)) return kept;
  }
  diagnostics.error({file, 0, "made_for"},
                    fmt::format("network {} lies neither beside the draft nor among the samples", in_quotes(name)), {},
                    "say where: convscope-cli draft ACTION DRAFT NETWORK");
  return {};
}

/// What the draft was made for holds where nothing else is said.
bool complete_options(const schedule::DraftFile& draft, DraftOptions& options, Diagnostics& diagnostics) {
  if (options.network.file.empty()) options.network.file = network_of(draft, options.file, diagnostics);
  if (options.network.file.empty()) return false;
  if (options.network.layers.empty()) options.network.layers = {draft.origin.layer};
  if (request::is_session_file(options.network.file)) return true;
  if (!options.machine.target_given) {
    options.machine.target = draft.origin.target;
    if (options.machine.level.empty()) options.machine.level = draft.origin.level;
  }
  return true;
}

std::optional<OpenDraft> open_loop(const DraftOptions& options, int program, Context& context,
                                   Diagnostics& diagnostics) {
  auto layer = compile_one_layer(options.network, options.machine, context, diagnostics);
  if (!layer || !has_program(*layer, program, diagnostics)) return std::nullopt;
  auto tools = target::draft_tools(*layer->compiled, program);
  if (!tools) {
    diagnostics.error(layer->where, fmt::format("program {} has no loop that can be scheduled by hand", program), {},
                      "NVE's programs without an inner loop have one");
    return std::nullopt;
  }
  const std::string network = fs::path(layer->network->source_file).filename().string();
  schedule::DraftOrigin origin{network, layer->target->id(), layer->level, layer->name, program};
  return OpenDraft{*std::move(layer), std::move(origin), std::move(tools), std::nullopt};
}

/// Nothing, with diagnostics, if the file is no draft, or not one of this loop.
std::optional<OpenDraft> open_draft(DraftOptions& options, Context& context, Diagnostics& diagnostics) {
  const auto text = read_file_or_pipe(options.file, context.interrupt.token(), diagnostics, largest_draft);
  const auto file = text ? schedule::read_draft_file(*text, options.file, diagnostics) : std::nullopt;
  if (!file || !complete_options(*file, options, diagnostics)) return std::nullopt;
  auto open = open_loop(options, file->origin.program, context, diagnostics);
  if (!open) return std::nullopt;
  open->draft = schedule::draft_of(*file, open->tools->problem(), options.file, diagnostics);
  if (!open->draft) return std::nullopt;
  return open;
}

bool write_output(const std::string& path, std::string_view content, const DraftOptions& options,
                  Diagnostics& diagnostics) {
  return spares_inputs(path, {options.file, options.network.file, options.machine.preset}, diagnostics) &&
         write_file_atomically(path, content, diagnostics);
}

ExitCode write_draft(const OpenDraft& open, const schedule::Draft& draft, const DraftOptions& options, Context& context,
                     Diagnostics& diagnostics) {
  const bool written = write_output(options.outputs.front(), schedule::write_draft_file(file_of(draft, open.origin)),
                                    options, diagnostics);
  context.console.report(diagnostics);
  return written ? done : refused;
}

ExitCode make_new(DraftOptions& options, Context& context) {
  Diagnostics diagnostics;
  options.network.file = network_path(options.file);
  const auto open = open_loop(options, options.program, context, diagnostics);
  if (!open) return context.console.report(diagnostics), refused;
  const schedule::Draft automatic = open->tools->automatic();
  const std::int64_t bound = open->tools->problem()->bound();
  schedule::Draft draft =
      options.empty ? schedule::empty_draft(open->tools->problem(), options.interval > 0 ? options.interval : bound)
                    : automatic;
  if (!options.empty && options.interval > 0) draft.schedule.initiation_interval = options.interval;
  return write_draft(*open, draft, options, context, diagnostics);
}

void tell_broken(const analysis::DraftCheck& check, const std::string& file, Diagnostics& diagnostics) {
  for (std::size_t i = 0; i < check.broken.size() && i < most_rules_told; ++i)
    diagnostics.error({file, 0, fmt::format("operation {}", check.broken[i].operation)}, check.broken[i].text);
  if (check.broken.size() > most_rules_told)
    diagnostics.note({file, 0, {}},
                     fmt::format("{} more broken rules; --json has all", check.broken.size() - most_rules_told));
}

bool write_program(const target::FinishedDraft& made, const DraftOptions& options, Diagnostics& diagnostics) {
  for (const std::string& path : options.outputs)
    if (!write_output(path, path.ends_with(".s") ? made.assembly : made.program, options, diagnostics)) return false;
  return true;
}

/// `finish` is `check` that needs a program, and writes it.
ExitCode check(DraftOptions& options, bool finish, Context& context) {
  Diagnostics diagnostics;
  const auto open = open_draft(options, context, diagnostics);
  const auto values = open ? options.simulation.resolve(*open->layer.target, diagnostics) : std::nullopt;
  if (!values) return context.console.report(diagnostics), refused;
  Diagnostics refusals;
  analysis::DraftCheck found =
      analysis::check_draft(*open->tools, *open->draft, open->origin, *values, context.interrupt.token(), refusals);
  for (Diagnostic each : refusals.items()) {
    if (each.where.file.empty()) each.where.file = options.file;
    diagnostics.add(std::move(each));
  }
  found.published = analysis::published_of_layer(request::load_published(diagnostics), open->layer.network->name,
                                                 open->layer.name, open->layer.target->id(), open->tools->figures());
  tell_broken(found, options.file, diagnostics);
  if (finish && !found.complete())
    diagnostics.error({options.file, 0, {}},
                      fmt::format("{} of {} operations have no cycle yet",
                                  found.figures.operations - found.figures.placed, found.figures.operations),
                      "all placed", "`convscope-cli draft place` gives them theirs, or proves that there are none");
  bool fine = found.broken.empty() && (found.correct() || (!finish && !found.complete()));
  if (fine && finish) fine = write_program(*found.finished, options, diagnostics);
  context.console.report(diagnostics);
  context.console.data(options.json ? draft_check_json(found) : draft_check_text(found));
  if (found.finished && found.finished->verified && !found.correct()) return internal_error;
  return fine ? done : refused;
}

ExitCode help(DraftOptions& options, schedule::Help (*question)(const schedule::Draft&, schedule::Budget&),
              Context& context) {
  Diagnostics diagnostics;
  const auto open = open_draft(options, context, diagnostics);
  if (!open) return context.console.report(diagnostics), refused;
  schedule::Budget budget(options.steps, context.interrupt.token());
  const schedule::Help answer = question(*open->draft, budget);
  throw_if_stopped(context.interrupt.token());
  if (!answer.draft) {
    diagnostics.error({options.file, 0, {}}, answer.text);
    return context.console.report(diagnostics), refused;
  }
  context.console.data(answer.text + '\n');
  return write_draft(*open, *answer.draft, options, context, diagnostics);
}

ExitCode wrong_draft_usage(Context& context, const std::string& message) {
  context.console.error(message);
  return wrong_usage;
}

ExitCode run(DraftOptions options, Context& context) {
  const bool makes_draft = options.action == "new" || options.action == "place" || options.action == "better";
  if (makes_draft && options.outputs.size() != 1)
    return wrong_draft_usage(context, "draft " + options.action + " writes a draft: -o FILE, once");
  if (options.action == "check" && !options.outputs.empty())
    return wrong_draft_usage(context, "draft check writes nothing; draft finish -o FILE does");
  if (options.action == "new") return make_new(options, context);
  if (options.action == "place") return help(options, schedule::place_rest, context);
  if (options.action == "better") return help(options, schedule::next_better, context);
  return check(options, options.action == "finish", context);
}

}  // namespace

Command add_draft(CLI::App& program, const catalogue::Catalogue& catalogue) {
  CLI::App* command =
      program.add_subcommand("draft", "Schedules by hand: begin one, check it, place what is left, make its program");
  const auto options = std::make_shared<DraftOptions>();
  command->add_option("ACTION", options->action, "What to do: check, finish, new, place or better")
      ->required()
      ->check(CLI::IsMember({"check", "finish", "new", "place", "better"}));
  command->add_option("FILE", options->file, "Draft file; to begin a new draft, the network's file")->required();
  options->network.add_to(*command);
  command->get_option("NETWORK")->required(false)->description(
      "Network that the draft was made for, if it lies neither beside the draft nor among the samples");
  options->machine.add_to(*command, catalogue);
  options->simulation.add_to(*command, catalogue);
  command
      ->add_option("-o,--output", options->outputs,
                   "File to write: a draft; of `finish` a program file, or assembly if it ends in .s")
      ->allow_extra_args(false)
      ->take_all();
  command->add_option("--program", options->program, "new: which of the layer's programs")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command->add_option("--interval", options->interval, "new: cycles from one iteration to the next")
      ->check(CLI::Range(std::int64_t{1}, schedule::longest_interval));
  command->add_flag("--empty", options->empty, "new: nothing placed, in place of the compiler's schedule");
  command->add_option("--steps", options->steps, "place, better: what the search may spend")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_flag("--json", options->json, "check, finish: as JSON");
  return {command, [options](Context& context) { return run(*options, context); }};
}

}  // namespace convscope::cli
