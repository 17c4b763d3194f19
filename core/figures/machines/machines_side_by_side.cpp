#include "core/figures/machines/machine_figures.h"
#include "core/figures/samples.h"

namespace convscope::figures {
namespace {

struct Contender {
  const char *target, *preset, *level;
};

/// Of each target the machine and the level that map modern networks best without measuring anything.
constexpr Contender contenders[] = {{"nve", "nve-wide", "optimal"},
                                    {"nmp", "nmp-board", "banked"},
                                    {"snowflake", "snowflake-zc706", "best"},
                                    {"cpu", "cpu-avx2", "estimate"}};

constexpr const char* networks[] = {"squeezenet_1_0.xml", "mobilenet_v2.xml", "resnet50.xml"};

Cell covered(const artifact::Coverage& coverage, Origin origin) {
  return number_cell(coverage, "%", origin, 1);
}

/// Totals are of the layers that are mapped.
std::vector<Cell> row_of(const engine::CompiledNetwork& compiled) {
  const artifact::Metrics& total = compiled.total;
  const Origin origin = total.seconds.origin;
  const double seconds = total.seconds.value;
  const auto bytes = static_cast<double>(total.bytes_in + total.bytes_out + total.bytes_weights);
  const auto macs = static_cast<double>(total.macs);
  return {text_cell(compiled.network->name),
          text_cell(compiled.preset),
          text_cell(compiled.level),
          number_cell(total.utilization.value, "%", total.utilization.origin, 1),
          covered(compiled.coverage, Origin::derived),
          number_cell(seconds * 1e3, "ms", origin, 1),
          number_cell(seconds > 0 ? std::optional(macs / seconds * 1e-9) : std::nullopt, "GMAC/s", origin, 2),
          number_cell(bytes * 1e-6, "MB", origin, 1),
          text_cell(std::string(origin_name(origin)))};
}

std::optional<engine::Request> request_of(const std::string& network, const Contender& contender,
                                          const Environment& environment, Diagnostics& diagnostics) {
  auto request = sample_request(network, contender.target, contender.level, environment, diagnostics);
  if (!request) return std::nullopt;
  auto machine = preset_machine(*request->target, contender.preset, diagnostics);
  if (!machine) return std::nullopt;
  request->machine = std::move(*machine);
  request->preset = contender.preset;
  return request;
}

}  // namespace

std::optional<Figure> machines_side_by_side(const Environment& environment, Diagnostics& diagnostics) {
  Figure figure{"machines", "Modern networks on every machine", "", {}, {}, {}};
  figure.columns = {"network", "machine", "level", "of the peak", "MACs mapped", "ms", "GMAC/s", "MB moved", "time is"};
  figure.crossed = true;
  for (const char* network : networks)
    for (const Contender& contender : contenders) {
      const auto request = request_of(network, contender, environment, diagnostics);
      if (!request) return std::nullopt;
      figure.rows.push_back(row_of(compile_sample(*request, environment)));
    }
  figure.notes = {
      "Machines as they were published, not machines of equal cost: from 16 MAC units at 100 MHz (NVE) to a CPU core.",
      "Totals are of the MACs mapped. Traffic is to and from DRAM; of a CPU, what its arrays hold.",
      "The CPU's time is estimated by its roofs; `convscope-cli measure` measures it."};
  return figure;
}

}  // namespace convscope::figures
