#include <algorithm>

#include <fmt/format.h>

#include "core/figures/nve_thesis/nve_figures.h"
#include "core/figures/nve_thesis/slots.h"
#include "core/figures/samples.h"

namespace convscope::figures {
namespace {

Figure slot_figure(const std::string& number, const analysis::PublishedSchedule& published, const Slots& ours,
                   const SlotComparison& comparison) {
  Figure figure{
      "nve-fig" + number, fmt::format("Steady state of the 3x3 filter at level {}", published.level), "", {}, {}, {}};
  figure.columns = {"cycle"};
  for (const std::string& resource : published.resources) figure.columns.push_back(resource);
  for (const std::string& resource : published.resources) figure.columns.push_back(resource + " published");
  figure.columns.emplace_back("equal");
  const std::size_t width = published.resources.size();
  for (std::size_t c = 0; c < std::max(ours.size(), published.cycles.size()); ++c) {
    const std::vector<std::string> mine = c < ours.size() ? ours[c] : std::vector<std::string>(width);
    const std::vector<std::string> theirs =
        c < published.cycles.size() ? published.cycles[c] : std::vector<std::string>(width);
    std::vector<Cell> row{number_cell(static_cast<double>(c + 1), "", Origin::derived, 0)};
    for (const std::string& text : mine) row.push_back(text_cell(text));
    for (const std::string& text : theirs) row.push_back(text_cell(text));
    row.push_back(text_cell(mine == theirs ? "yes" : "no"));
    figure.rows.push_back(std::move(row));
  }
  figure.notes = {fmt::format("{} cycles here, {} published; ours rotated by {}.", ours.size(), published.cycles.size(),
                              comparison.rotation),
                  fmt::format("{} of {} slots without writes are equal, {} of {} with writes.", comparison.equal,
                              comparison.compared, comparison.writes_equal, comparison.writes_compared)};
  return figure;
}

}  // namespace

std::optional<Figure> nve_slot_table(const std::string& number, const Environment& environment,
                                     Diagnostics& diagnostics) {
  const analysis::PublishedSchedule* published = environment.published->schedule("thesis-figure" + number);
  if (!published) {
    diagnostics.error({}, "the published slot table 'thesis-figure" + number + "' is missing");
    return std::nullopt;
  }
  const auto request = sample_request("filter_3x3.xml", "nve", published->level, environment, diagnostics);
  if (!request) return std::nullopt;
  const engine::CompiledNetwork compiled = compile_sample(*request, environment);
  const auto& layer = compiled.layers.front();
  const auto timeline = layer->mapped() && layer->program_count() > 0 ? layer->timeline(0) : nullptr;
  if (!timeline) {
    diagnostics.error({"", 0, "layer 'L1'"}, "the filter has no schedule: " + layer->reason());
    return std::nullopt;
  }
  const Slots ours = steady_state_slots(*timeline, published->resources);
  const SlotComparison comparison = compare_slots(ours, published->cycles);
  return slot_figure(number, *published, rotated(ours, comparison.rotation), comparison);
}

}  // namespace convscope::figures
