#include "core/analysis/comparison.h"
#include "core/figures/nve_thesis/nve_figures.h"
#include "core/figures/samples.h"

namespace convscope::figures {
namespace {

constexpr const char* figure33_source = "thesis-section7.1.1";
constexpr double giga = 1e9;

Cell rate(std::optional<double> operations_per_second) {
  if (operations_per_second) *operations_per_second /= giga;
  return number_cell(operations_per_second, "Gop/s", Origin::published);
}

}  // namespace

std::optional<Figure> nve_figure33(const Environment& environment, Diagnostics& diagnostics) {
  const analysis::PublishedTables& published = *environment.published;
  Figure figure{"nve-fig33", "Roofline of an ARM Cortex-A9 with NEON", "", {}, {}, {}};
  figure.columns = {"network", "layer", "op/byte", "Gop/s published", "peak Gop/s published"};
  const auto peak = published.find(figure33_source, "", "", "cortex_a9_peak_operations_per_second");
  for (const char* file : thesis_networks) {
    const auto network = sample_network(file, environment, diagnostics);
    if (!network) return std::nullopt;
    for (const network::Layer& layer : network->layers) {
      const double intensity = 2 * static_cast<double>(layer.macs()) / static_cast<double>(analysis::bytes_once(layer));
      figure.rows.push_back(
          {text_cell(network->name), text_cell(layer.name), number_cell(intensity, "op/byte", Origin::derived),
           rate(published.find(figure33_source, network->name, layer.name, "cortex_a9_operations_per_second")),
           rate(peak)});
    }
  }
  figure.notes = {
      "Two operations a MAC; each pixel counted once. Only the best mapping's speed is stated in the text;",
      "the other markers, the scalar roof and the memory roof are only drawn, so they are not repeated here."};
  return figure;
}

}  // namespace convscope::figures
