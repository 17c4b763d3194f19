#include "core/analysis/comparison.h"
#include "core/figures/nve_thesis/nve_figures.h"
#include "core/figures/samples.h"

namespace convscope::figures {
namespace {

constexpr const char* table = "thesis-table1";

std::vector<Cell> row(const Environment& environment, const std::string& network, const std::string& layer, double macs,
                      double bytes) {
  const auto published = [&](const char* metric) { return environment.published->find(table, network, layer, metric); };
  constexpr double mebibyte = 1048576;
  const auto published_macs = published("macs");
  const auto published_bytes = published("bytes_once");
  const auto scaled = [](std::optional<double> value, double unit) { return value ? *value / unit : value; };
  return {text_cell(network),
          text_cell(layer.empty() ? "total" : layer),
          number_cell(macs / 1e6, "MMAC", Origin::derived),
          number_cell(scaled(published_macs, 1e6), "MMAC", Origin::published),
          difference_cell(macs, published_macs),
          number_cell(bytes / mebibyte, "MiB", Origin::derived),
          number_cell(scaled(published_bytes, mebibyte), "MiB", Origin::published),
          difference_cell(bytes, published_bytes)};
}

}  // namespace

std::optional<Figure> nve_table1(const Environment& environment, Diagnostics& diagnostics) {
  Figure figure{"nve-table1", "MACs, and data transfer with each pixel moved once", "", {}, {}, {}};
  figure.columns = {"network",         "layer", "MMAC",          "MMAC published",
                    "MMAC difference", "MiB",   "MiB published", "MiB difference"};
  for (const char* file : thesis_networks) {
    const auto network = sample_network(file, environment, diagnostics);
    if (!network) return std::nullopt;
    for (const network::Layer& layer : network->layers)
      figure.rows.push_back(row(environment, network->name, layer.name, static_cast<double>(layer.macs()),
                                static_cast<double>(analysis::bytes_once(layer))));
    figure.rows.push_back(row(environment, network->name, "", static_cast<double>(network->macs()),
                              static_cast<double>(analysis::bytes_once(*network))));
  }
  figure.notes = {"The published transfers of L1 and L4 don't follow from the layers' sizes as those of L2 and L3 do."};
  return figure;
}

}  // namespace convscope::figures
