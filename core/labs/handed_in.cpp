#include "core/labs/handed_in.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/text.h"
#include "core/schedule/draft/draft_file.h"
#include "core/target/drafts.h"

namespace convscope::labs {
namespace {

/// The first error, without the name of the file: it is the submission's own text.
std::string first_error(const Diagnostics& diagnostics) {
  for (const Diagnostic& each : diagnostics.items()) {
    if (each.severity != Severity::error) continue;
    Diagnostic shown = each;
    shown.where.file.clear();
    const std::string line = each.where.line > 0 ? fmt::format("line {}: ", each.where.line) : std::string();
    shown.where.line = 0;
    std::string text = shown.text();
    constexpr std::string_view prefix = "error: ";
    if (text.starts_with(prefix)) text.erase(0, prefix.size());
    return line + text;
  }
  return "it doesn't compute what the reference computes";
}

std::string sizes_text(const std::vector<target::TileSize>& sizes) {
  std::vector<std::string> names;
  names.reserve(sizes.size());
  for (const target::TileSize& each : sizes) names.push_back(fmt::format("{} (1 to {})", each.name, each.maximum));
  return fmt::format("{}", fmt::join(names, ", "));
}

/// In the order of the strategy's sizes; nothing, with a reason, if one is missing or unknown.
std::optional<std::vector<std::int64_t>> ordered_sizes(const std::vector<target::TileSize>& wanted,
                                                       const HandedTiling& handed, std::string& mistake) {
  std::vector<std::int64_t> sizes;
  for (const target::TileSize& each : wanted)
    if (const TileSizeSet* size = find_named(handed.sizes, each.name)) sizes.push_back(size->value);
  if (sizes.size() == wanted.size() && sizes.size() == handed.sizes.size()) return sizes;
  mistake = fmt::format("tiling '{}' must give each of {}", handed.name, sizes_text(wanted));
  return std::nullopt;
}

/// A draft as the program file that the target makes of it. Nothing, with diagnostics, if it makes none. Nothing is
/// run.
std::optional<std::string> program_of_draft(const std::string& text, const std::string& name,
                                            const target::Compiled& layer, int program, const std::stop_token& stop,
                                            Diagnostics& diagnostics) {
  const auto file = schedule::read_draft_file(text, name, diagnostics);
  const auto tools = file ? target::draft_tools(layer, program) : nullptr;
  if (file && !tools)
    diagnostics.error({name, 0, {}}, "this program has no loop that can be scheduled by hand on this machine");
  const auto draft = tools ? schedule::draft_of(*file, tools->problem(), name, diagnostics) : std::nullopt;
  return draft ? tools->program_file(*draft, stop, diagnostics) : std::nullopt;
}

}  // namespace

const Figures::Program& Figures::examined(const std::string& name) {
  const auto known = programs_.find(name);
  if (known != programs_.end()) return known->second;
  const ProgramWanted* wanted = find_named(lab_.lab.programs, name);
  return programs_.emplace(name, wanted ? examine(*wanted) : Program{}).first->second;
}

Figures::Program Figures::examine(const ProgramWanted& wanted) {
  const HandedProgram* handed = find_named(submission_.programs, wanted.name);
  if (!handed || trimmed(handed->text).empty()) return {false, {}, fmt::format("program '{}' is missing", wanted.name)};
  const auto& layer = own().layers[*lab_.layer(wanted.layer)];
  if (!layer->mapped() || wanted.program >= layer->program_count())
    return {true, {}, fmt::format("layer '{}' has no such program on this machine", wanted.layer)};
  const target::ProgramTools* tools = lab_.target->program_tools();
  Diagnostics diagnostics;
  std::string text = handed->text;
  if (schedule::is_draft_file(text)) {
    auto made = program_of_draft(text, wanted.name, *layer, wanted.program, workshop_.stop, diagnostics);
    if (!made) return {true, {}, fmt::format("program '{}': {}", wanted.name, first_error(diagnostics))};
    text = *std::move(made);
  }
  if (!tools || !tools->recognizes(text))
    return {true,
            {},
            fmt::format("program '{}' is neither assembly nor a program file nor a draft of {}", wanted.name,
                        lab_.target->title())};
  Program program{true,
                  tools->examine(text, wanted.name, layer->program_file(wanted.program), lab_.lab.budget.steps,
                                 workshop_.stop, diagnostics),
                  {}};
  if (!program.examination.matches || !program.examination.verified)
    program.mistake = fmt::format("program '{}': {}", wanted.name, first_error(diagnostics));
  return program;
}

const Figures::Tiling& Figures::tiled(const std::string& name) {
  const auto known = tilings_.find(name);
  if (known != tilings_.end()) return known->second;
  const TilingWanted* wanted = find_named(lab_.lab.tilings, name);
  return tilings_.emplace(name, wanted ? tile(*wanted) : Tiling{}).first->second;
}

Figures::Tiling Figures::tile(const TilingWanted& wanted) {
  const HandedTiling* handed = find_named(submission_.tilings, wanted.name);
  if (!handed) return {false, {}, fmt::format("tiling '{}' is missing", wanted.name)};
  const auto& layer = own().layers[*lab_.layer(wanted.layer)];
  const auto tools = layer->mapped() ? layer->tiling_tools() : nullptr;
  if (!tools) return {true, {}, fmt::format("layer '{}' has no tilings on this machine", wanted.layer)};
  const std::vector<std::string> strategies = tools->strategies();
  if (std::find(strategies.begin(), strategies.end(), handed->strategy) == strategies.end())
    return {
        true,
        {},
        fmt::format("there is no strategy {}; there are {}", in_quotes(handed->strategy), fmt::join(strategies, ", "))};
  std::string mistake;
  const auto sizes = ordered_sizes(tools->best(handed->strategy, workshop_.stop).sizes, *handed, mistake);
  if (!sizes) return {true, {}, mistake};
  Tiling tiling{true, tools->evaluate(handed->strategy, *sizes, workshop_.stop), {}};
  if (!tiling.alternative.fits)
    tiling.mistake = fmt::format("tiling '{}' does not fit: {}", wanted.name, tiling.alternative.explanation);
  return tiling;
}

}  // namespace convscope::labs
