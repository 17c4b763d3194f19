#include <fmt/format.h>

#include "core/figures/samples.h"
#include "core/figures/snowflake/snowflake_figures.h"
#include "core/figures/snowflake/snowflake_networks.h"

namespace convscope::figures {
namespace {

constexpr const char* layers[] = {"conv2", "conv3", "conv4", "conv5"};

Cell milliseconds(std::optional<double> seconds, Origin origin) {
  if (seconds) *seconds *= 1e3;
  return number_cell(seconds, "ms", origin, 3);
}

std::vector<int> positions(const network::Network& network) {
  std::vector<int> found;
  for (std::size_t i = 0; i < network.layers.size(); ++i)
    for (const char* name : layers)
      if (network.layers[i].name == name) found.push_back(static_cast<int>(i));
  return found;
}

void add_row(Figure& figure, const Environment& environment, const engine::CompiledNetwork& compiled, int index) {
  const network::Layer& layer = compiled.network->layers[static_cast<std::size_t>(index)];
  const artifact::Metrics& metrics = compiled.layers[static_cast<std::size_t>(index)]->metrics();
  const auto published = [&](const char* source) {
    return environment.published->find(source, compiled.network->name, layer.name, "seconds");
  };
  const auto hand = published("snowflake-table1-hand"), automatic = published("snowflake-table1-auto");
  const bool mapped = compiled.layers[static_cast<std::size_t>(index)]->mapped();
  const std::optional<double> here = mapped ? std::optional(metrics.seconds.value) : std::nullopt;
  figure.rows.push_back({text_cell(layer.name), text_cell(compiled.level), milliseconds(here, Origin::simulated),
                         milliseconds(automatic, Origin::published), difference_cell(here, automatic),
                         milliseconds(hand, Origin::published), difference_cell(here, hand),
                         number_cell(metrics.utilization.value, "%", Origin::simulated, 1)});
}

/// How many rows of level best are as fast as code by hand.
std::string best_note(const Figure& figure) {
  constexpr std::size_t level = 1, from_hand = 6;
  int rows = 0, reached = 0;
  for (const auto& row : figure.rows) {
    if (row[level].text != "best" || !row[from_hand].value) continue;
    ++rows;
    reached += *row[from_hand].value <= 0 ? 1 : 0;
  }
  return fmt::format("Level best is as fast as code by hand, or faster, in {} of {} rows.", reached, rows);
}

}  // namespace

std::optional<Figure> snowflake_table1(const Environment& environment, Diagnostics& diagnostics) {
  Figure figure{"snowflake-table1", "Convolutions of AlexNet: generated code beside code by hand", "", {}, {}, {}};
  figure.columns = {"layer",     "level",       "ms here", "ms published, auto", "from auto", "ms published, hand",
                    "from hand", "of MAC limit"};
  for (const std::string& level : snowflake_levels(environment)) {
    auto request = sample_request(snowflake_samples().front(), "snowflake", level, environment, diagnostics);
    if (!request) return std::nullopt;
    // Layers alone, as the paper measures them: compiled without the others, they are not linked.
    request->only_layers = positions(*request->network);
    const engine::CompiledNetwork compiled = compile_sample(*request, environment);
    for (const int index : request->only_layers) add_row(figure, environment, compiled, index);
  }
  figure.notes = {
      "Each layer is a program of its own, cold, run by the simulator to the last output stored.",
      "Without any fit these rows are within 1.4 %. Memory efficiency and the cost of an LD were fitted to",
      "them, which leaves a valley; where in it the preset lies was chosen by Table 2 (docs/snowflake.md)."};
  figure.notes.push_back(best_note(figure));
  return figure;
}

}  // namespace convscope::figures
