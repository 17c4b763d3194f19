#include "core/figures/snowflake/snowflake_figures.h"
#include "core/figures/snowflake/snowflake_networks.h"
#include "core/snowflake/simulate/simulator.h"

namespace convscope::figures {
namespace {

constexpr const char* published_table3 = "snowflake-table3";

/// Load units in turn, and the LDs into which a map tile is broken. The paper names no patterns, but that its worst is
/// "when kernel and maps uses two load units": these are those that come out near its imbalances.
struct Pattern {
  const char* row;  ///< of the published table
  int pieces;
  std::vector<int> maps, kernels;
};

std::vector<Pattern> patterns() {
  return {{"f", 2, {0, 1}, {0}},
          {"e", 2, {0, 1}, {0, 0, 1}},
          {"d", 2, {0, 1}, {0, 1}},
          {"c", 7, {0, 1, 2, 3, 0, 1, 0}, {2, 3, 0, 1, 2, 3, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3}},
          {"b", 7, {0, 1, 2, 3, 0, 1, 2}, {0, 1, 2, 3}},
          {"a", 4, {0, 1, 2, 3}, {0, 1, 2, 3}}};
}

/// 1x1, 1024 to 2048 maps, stride 2, 14x14 to 7x7 pixels, without what no window takes: every other row and the last
/// column. So two rows of a tile lie in one piece, which two LDs break where the rows meet, and fit a maps bank.
snowflake::ProgramLayer strided() {
  snowflake::ProgramLayer layer;
  layer.name = "1x1 stride 2";
  layer.in = {0, 0, 7, 13, 1024, 1024};
  layer.out = {1, 0, 7, 7, 2048, 2048};
  layer.stride_width = 2;
  return layer;
}

std::vector<snowflake::Region> regions_of(const snowflake::ProgramLayer& layer) {
  const auto words = [](const snowflake::MapsPlace& maps) {
    return std::int64_t{maps.height} * maps.width * maps.pitch;
  };
  return {{"input", snowflake::RegionKind::input, 0, words(layer.in), 0, 0},
          {"output", snowflake::RegionKind::output, 0, words(layer.out), 0, 0}};
}

snowflake::Mapping mapping_of(const Pattern& pattern) {
  snowflake::Mapping mapping;
  mapping.maps_loop = true;
  mapping.rows = 2;
  mapping.columns = 7;
  mapping.kernels_per_vmac = 4;
  mapping.map_pieces = pattern.pieces;
  mapping.units.maps = pattern.maps;
  mapping.units.kernels = pattern.kernels;
  return mapping;
}

struct SectionRun {
  double seconds = 0, imbalance = 0;
};

std::optional<SectionRun> run(const Pattern& pattern, const snowflake::Machine& machine, const Environment& environment,
                              Diagnostics& diagnostics) {
  const snowflake::ProgramLayer layer = strided();
  const auto compiled = snowflake::compile_layer(layer, regions_of(layer), only_choice(mapping_of(pattern)), machine);
  std::string refused = compiled.refused.front();
  if (refused.empty()) {
    const auto result = snowflake::simulate(compiled.program, {}, environment.stop);
    if (!result.refusal)
      return SectionRun{result.cycles / machine.clock_hz,
                        snowflake::load_imbalance(result.sections, machine.load_units)};
    refused = result.refusal->what;
  }
  diagnostics.error({}, std::string("Table 3, row ") + pattern.row + ": " + refused);
  return std::nullopt;
}

std::string units_text(const std::vector<int>& units) {
  std::string text;
  for (const int unit : units) text += std::to_string(unit);
  return text;
}

}  // namespace

std::optional<Figure> snowflake_table3(const Environment& environment, Diagnostics& diagnostics) {
  const auto machine = snowflake_machine(environment, diagnostics);
  if (!machine) return std::nullopt;
  Figure figure{"snowflake-table3", "Speed-up by balance of the load units", "", {}, {}, {}};
  figure.columns = {"units of maps", "units of kernels",   "ms here",       "imbalance here", "imbalance published",
                    "speed-up here", "speed-up published", "speed-up error"};
  double slowest = 0;
  for (const Pattern& pattern : patterns()) {
    const auto ours = run(pattern, *machine, environment, diagnostics);
    if (!ours) return std::nullopt;
    if (slowest == 0) slowest = ours->seconds;
    const auto published = [&](const char* metric) {
      return environment.published->find(published_table3, "Table 3", pattern.row, metric);
    };
    const double speedup = slowest / ours->seconds;
    const auto theirs = published("speedup");
    figure.rows.push_back({text_cell(units_text(pattern.maps)), text_cell(units_text(pattern.kernels)),
                           number_cell(ours->seconds * 1e3, "ms", Origin::simulated, 3),
                           number_cell(ours->imbalance, "%", Origin::simulated, 0),
                           number_cell(published("imbalance"), "%", Origin::published, 0),
                           number_cell(speedup, "x", Origin::simulated), number_cell(theirs, "x", Origin::published),
                           number_cell(theirs ? std::optional(speedup - *theirs) : theirs, "x", Origin::derived)});
  }
  figure.notes = {
      "1x1, 1024 to 2048 maps, stride 2, 14x14 pixels; Mloop, four kernels a vMAC, tiles of two rows. Imbalance: the",
      "paper's equation 1, mean over the sections of loads. Which loads went to which units the paper doesn't say; the",
      "patterns are ours, as is what they are broken into. The knee is where the paper has it, and from there on it is",
      "about flat, but lower: broken into seven, maps pay for more LDs than they gain."};
  return figure;
}

}  // namespace convscope::figures
