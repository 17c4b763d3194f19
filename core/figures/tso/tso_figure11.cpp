#include <algorithm>

#include <fmt/format.h>

#include "core/figures/tso/tso_figures.h"
#include "core/figures/tso/tso_networks.h"

namespace convscope::figures {
namespace {

std::vector<std::string> convolution_names(const network::Network& network) {
  std::vector<std::string> names;
  for (const network::Layer& layer : network.layers)
    if (layer.operator_name == "Conv") names.push_back(layer.name);
  return names;
}

std::vector<Cell> row(const std::string& network, const std::string& layer, const nmp::Convolution& convolution,
                      const nmp::Solution& solution, const nmp::Machine& machine) {
  const nmp::Totals& totals = solution.totals;
  const auto loaded = static_cast<double>(totals.in.bytes + totals.weights.bytes + totals.partial_loads.bytes);
  const auto macs = static_cast<double>(convolution.macs());
  const double intensity = macs / loaded, rate = macs / solution.seconds.total();
  const double roof = std::min(machine.reached_peak(), intensity * machine.bandwidth);
  const double peak_roof = std::min(machine.peak(), intensity * machine.bandwidth);
  const auto giga = [](double value) { return number_cell(value * 1e-9, "GMAC/s", Origin::estimate, 1); };
  return {text_cell(network), text_cell(layer), number_cell(intensity, "MAC/byte", Origin::estimate, 2), giga(rate),
          giga(roof),         giga(peak_roof),  number_cell(rate / roof, "%", Origin::estimate, 1)};
}

void add_notes(Figure& figure, const nmp::Machine& machine, const analysis::PublishedTables& published) {
  const auto giga = [](std::optional<double> value) {
    return value ? fmt::format("{:.0f}", *value * 1e-9) : std::string("-");
  };
  figure.notes = {
      fmt::format(
          "Roofs here: {:.0f} GMAC/s peak, {:.0f} reached, {:.3f} GB/s. Published: {} peak, {} measured, {} GB/s.",
          machine.peak() * 1e-9, machine.reached_peak() * 1e-9, machine.bandwidth * 1e-9,
          giga(published.find("tso-section3", "", "", "peak_macs_per_second_16_bit")),
          giga(published.find("tso-section6-roofline", "", "", "measured_macs_per_second_16_bit")),
          giga(published.find("tso-section3", "", "", "dram_bytes_per_second"))),
      "MAC / byte counts bytes loaded, as the paper's axis does; its points and its measured bandwidth are only drawn.",
      "A transfer and MACs never overlap on this machine, so no point can touch the corner of the roofs."};
}

}  // namespace

std::optional<Figure> tso_figure11(const Environment& environment, Diagnostics& diagnostics) {
  const auto machine = tso_machine(environment, diagnostics);
  const std::vector<TsoNetwork> networks = tso_networks(environment, diagnostics);
  if (!machine || networks.empty()) return std::nullopt;
  Figure figure{"tso-fig11", "Roofline of every convolution, TSO", "", {}, {}, {}};
  figure.columns = {"network",        "layer", "MAC / byte", "GMAC/s", "roof reached, GMAC/s", "roof at peak, GMAC/s",
                    "of roof reached"};
  for (const TsoNetwork& network : networks) {
    const Solutions solutions = solve_all(network, *machine, {}, environment);
    const std::vector<std::string> names = convolution_names(*network.network);
    for (std::size_t i = 0; i < solutions.size(); ++i)
      figure.rows.push_back(row(network.network->name, names[i], network.convolutions[i], *solutions[i], *machine));
  }
  add_notes(figure, *machine, *environment.published);
  return figure;
}

}  // namespace convscope::figures
