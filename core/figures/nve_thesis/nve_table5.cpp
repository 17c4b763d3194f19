#include "core/figures/nve_thesis/nve_figures.h"
#include "core/figures/samples.h"

namespace convscope::figures {
namespace {

constexpr const char* metric = "mac_per_instruction";

std::vector<Cell> parallel_row(const Environment& environment, const std::string& network, const std::string& layer,
                               std::optional<double> workload, std::optional<double> ours) {
  const analysis::PublishedTables& published = *environment.published;
  const auto automatic = published.find("thesis-table5-automatic", network, layer, metric);
  const auto manual = published.find("thesis-table5-manual", network, layer, metric);
  return {text_cell(network),
          text_cell(layer.empty() ? "total" : layer),
          number_cell(workload, "%", Origin::derived, 1),
          number_cell(published.find("thesis-table5", network, layer, "workload"), "%", Origin::published, 1),
          number_cell(ours, "MAC/instruction", Origin::derived),
          number_cell(automatic, "MAC/instruction", Origin::published),
          difference_cell(ours, automatic),
          number_cell(manual, "MAC/instruction", Origin::published),
          difference_cell(ours, manual)};
}

void add_network(Figure& figure, const Environment& environment, const engine::CompiledNetwork& compiled) {
  const network::Network& network = *compiled.network;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const network::Layer& layer = network.layers[i];
    const double workload = static_cast<double>(layer.macs()) / static_cast<double>(network.macs());
    figure.rows.push_back(parallel_row(environment, network.name, layer.name, workload,
                                       target_figure(compiled.layers[i]->metrics(), metric)));
  }
  figure.rows.push_back(
      parallel_row(environment, network.name, "", std::nullopt, target_figure(compiled.total, metric)));
  figure.rows.push_back(
      {text_cell(network.name),
       text_cell("all MACs / all instructions"),
       {},
       {},
       number_cell(target_figure(compiled.total, "overall_mac_per_instruction"), "MAC/instruction", Origin::derived),
       {},
       {},
       {},
       {}});
}

}  // namespace

std::optional<Figure> nve_table5(const Environment& environment, Diagnostics& diagnostics) {
  Figure figure{"nve-table5", "Utilization, MAC / instruction, at level fusion", "", {}, {}, {}};
  figure.columns = {"network",        "layer",
                    "workload",       "workload published",
                    "here",           "automatic published",
                    "from automatic", "manual published",
                    "from manual"};
  for (const char* file : thesis_networks) {
    const auto request = sample_request(file, "nve", "fusion", environment, diagnostics);
    if (!request) return std::nullopt;
    add_network(figure, environment, compile_sample(*request, environment));
  }
  figure.notes = {"Published totals are means of the layers' figures weighted by workload, and so are ours;",
                  "the quotient of all MACs by all instructions is lower."};
  return figure;
}

}  // namespace convscope::figures
