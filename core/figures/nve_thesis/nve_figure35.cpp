#include "core/figures/nve_thesis/nve_figures.h"
#include "core/figures/samples.h"

namespace convscope::figures {
namespace {

constexpr const char* parameter = "transfer_mode";
constexpr double operations_per_giga = 1e9;

std::vector<Cell> mode_row(const std::string& mode, const artifact::Metrics& metrics, double peak) {
  const double operations = 2 * static_cast<double>(metrics.macs);
  const auto bytes = static_cast<double>(metrics.bytes_in + metrics.bytes_out + metrics.bytes_weights);
  const double rate = operations / metrics.seconds.value;
  return {text_cell(mode),
          number_cell(operations / bytes, "op/byte", Origin::derived),
          number_cell(rate / operations_per_giga, "Gop/s", metrics.seconds.origin, 3),
          number_cell(peak / operations_per_giga, "Gop/s", Origin::published),
          number_cell(rate / peak, "%", metrics.seconds.origin, 1),
          text_cell(std::string(origin_name(metrics.seconds.origin)))};
}

}  // namespace

std::optional<Figure> nve_figure35(const Environment& environment, Diagnostics& diagnostics) {
  Figure figure{"nve-fig35", "Roofline of the NVE: the 3x3 filter under each transfer mode", "", {}, {}, {}};
  figure.columns = {"transfer mode", "op/byte", "Gop/s", "peak Gop/s published", "of peak", "origin"};
  auto request = sample_request("filter_3x3.xml", "nve", "fusion", environment, diagnostics);
  const auto peak = environment.published->find("thesis-section7.1.2", "", "", "peak_operations_per_second");
  if (!peak) diagnostics.error({}, "the published peak of the NVE is missing");
  if (!request || !peak) return std::nullopt;
  const arch::MachineDescription& description = request->machine.description();
  const auto index = description.find(parameter);
  if (!index) {
    diagnostics.error({}, "the machine has no transfer mode");
    return std::nullopt;
  }
  const auto& choices = description.parameters[*index].choices;
  for (std::size_t choice = 0; choice < choices.size(); ++choice) {
    request->machine.set_at(*index, static_cast<double>(choice));
    const engine::CompiledNetwork compiled = compile_sample(*request, environment);
    figure.rows.push_back(mode_row(choices[choice], compiled.layers.front()->metrics(), *peak));
  }
  figure.notes = {
      "The markers' values are not stated in the text, only their order and that the ideal one nearly reaches the "
      "peak.",
      "Descriptor and host-copy costs are estimates, and parameters of the machine."};
  return figure;
}

}  // namespace convscope::figures
