#include <algorithm>

#include <fmt/format.h>

#include "core/artifact/tile_plan.h"
#include "core/figures/tso/tso_figures.h"
#include "core/figures/tso/tso_networks.h"

namespace convscope::figures {
namespace {

constexpr const char* figure1_source = "tso-section6-burst";

// A single map of 128 x 128 elements and one filter of 1 x 1: on one TLT, as the drawing shows it.
nmp::Convolution drawn_convolution() {
  const nmp::Axis axis{128, 128, 1, 1, 1, 0};
  return {axis, axis, 1, 1, 1, 1, false};
}

nmp::Machine drawn_machine(nmp::Machine machine) {
  machine.tles = machine.tlts = 1;
  return machine;
}

std::vector<Cell> drawn_row(const std::string& layer, int rows, int columns, const nmp::Machine& machine,
                            const analysis::PublishedTables& published) {
  const nmp::CostModel model(drawn_convolution(), machine);
  const nmp::Tiling tiling{nmp::Partition::filters, nmp::Schedule::input_stationary, rows, columns, 1, 1};
  const nmp::Totals totals = model.evaluate(tiling);
  const auto bursts = static_cast<double>(totals.in.bursts);
  const double microseconds = nmp::seconds_of(totals, machine).total() * 1e6;
  auto stated = published.find("tso-section1", "Fig. 1", layer, "seconds");
  if (stated) *stated *= 1e6;
  return {text_cell(fmt::format("Fig. 1({})", layer)),
          text_cell(fmt::format("{} x {} bytes", rows, columns * machine.element_bytes)),
          number_cell(static_cast<double>(totals.in.commands), "", Origin::derived, 0),
          number_cell(bursts, "", Origin::derived, 0),
          number_cell(published.find("tso-section1", "Fig. 1", layer, "bursts"), "", Origin::published, 0),
          number_cell(microseconds, "us", Origin::estimate, 1),
          number_cell(stated, "us", Origin::published, 0)};
}

/// InceptionV3's fifth convolution: 80 maps of 73 x 73, 192 filters of 3 x 3.
std::optional<nmp::Convolution> fifth_convolution(const Environment& environment, Diagnostics& diagnostics) {
  const std::vector<TsoNetwork> networks = tso_networks(environment, diagnostics);
  if (networks.empty() || networks.front().convolutions.size() < 5) return std::nullopt;
  return networks.front().convolutions[4];
}

std::vector<Cell> example_row(const nmp::Convolution& c, nmp::CostLevel level, const nmp::Machine& machine,
                              const Environment& environment) {
  const nmp::SearchOptions options{level, nmp::Partition::rows, nmp::Schedule::input_stationary};
  const auto solution = nmp::solve(c, machine, options, *environment.cache, environment.stop);
  const nmp::Tiling& t = solution->tiling;
  const artifact::TiledTensor input{
      artifact::TileTensor::input, {c.channels, c.rows.in, c.columns.in}, machine.element_bytes};
  const artifact::TileBox tile{
      artifact::TileTensor::input, {0, 0, 0}, {t.channels, c.rows.full_tile(t.rows), c.columns.full_tile(t.columns)}};
  const bool burst = level == nmp::CostLevel::burst;
  const auto stated =
      environment.published->find(figure1_source, "", "", burst ? "tile_bursts_burst" : "tile_bursts_volume");
  return {
      text_cell(burst ? "Inception v3, 5th, by bursts" : "Inception v3, 5th, by volume"),
      text_cell(fmt::format("{} x {} x {}", tile.size[0], tile.size[1], tile.size[2])),
      number_cell(static_cast<double>(solution->totals.in.commands), "", Origin::derived, 0),
      number_cell(static_cast<double>(artifact::bursts_of(tile, input, machine.burst_bytes)), "", Origin::derived, 0),
      number_cell(stated, "", Origin::published, 0),
      number_cell(solution->seconds.total() * 1e6, "us", Origin::estimate, 1),
      number_cell(std::nullopt, "us", Origin::published, 0)};
}

}  // namespace

std::optional<Figure> tso_figure1(const Environment& environment, Diagnostics& diagnostics) {
  const auto machine = tso_machine(environment, diagnostics);
  const auto fifth = fifth_convolution(environment, diagnostics);
  if (!machine || !fifth) return std::nullopt;
  Figure figure{"tso-fig1", "Bursts of tiles of different shapes", "", {}, {}, {}};
  figure.columns = {"slicing", "IN tile", "loads", "bursts here", "bursts published", "us here", "us published"};
  const nmp::Machine one = drawn_machine(*machine);
  figure.rows = {drawn_row("a", 128, 16, one, *environment.published),
                 drawn_row("b", 128, 32, one, *environment.published),
                 drawn_row("c", 64, 64, one, *environment.published),
                 example_row(*fifth, nmp::CostLevel::burst, *machine, environment),
                 example_row(*fifth, nmp::CostLevel::volume, *machine, environment)};
  figure.notes = {
      "Fig. 1: bursts of all IN tiles; time of the whole convolution on one TLT of nmp-board. The paper does not say",
      "what its times contain: 50 ns for each burst saved is more than the CAS latency of 14 ns that it states.",
      "Inception v3: bursts of one IN tile (channels x rows x columns) of the best tiling of OFM + IS."};
  return figure;
}

}  // namespace convscope::figures
