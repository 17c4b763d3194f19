#include "tests/made/mill/tools.h"

#include <algorithm>

#include "tests/made/mill/figures.h"
#include "tests/made/mill/turning.h"

namespace convscope::made::mill {

target::SimulationResult simulate(const std::vector<Grinding>& layers, const Machine& machine,
                                  const target::OptionValues& options) {
  std::vector<artifact::Metrics> simulated;
  for (Grinding each : layers) {
    if (options.text("wind") == "storm") each.stone_turns = std::max<std::int64_t>(1, each.stone_turns / 2);
    each.stone_turns += options.integer("visitors");
    simulated.push_back(metrics_of(each, machine));
  }
  const artifact::Metrics sum = sum_of(simulated);
  target::SimulationResult result{true, true, {}, {}};
  result.counted = {number(sacks, sum.find(sacks)->value, Origin::simulated)};
  result.figures = {{"cycles", {sum.cycles.value, "cycles", Origin::simulated}},
                    {"seconds", {sum.seconds.value, "s", Origin::simulated}},
                    number(sacks, sum.find(sacks)->value, Origin::simulated)};
  return result;
}

std::vector<artifact::Observation> MillMeasurementTools::measure(const target::CompileRequest& request,
                                                                 const target::OptionValues& options,
                                                                 const std::stop_token& stop,
                                                                 Diagnostics& diagnostics) const {
  throw_if_stopped(stop);
  const network::Layer& layer = request.network->layers[static_cast<std::size_t>(request.layer)];
  if (layer.macs() == 0) {
    diagnostics.warning({{}, 0, "layer '" + layer.name + "'"}, "there is nothing to grind");
    return {};
  }
  const Machine machine = machine_from(*request.machine);
  const Grinding grinding = grind(layer, machine, request.level == "fine", 0);
  artifact::Observation observation;
  observation.key = "seconds";
  observation.label = "Time";
  observation.value = {1.1 * metrics_of(grinding, machine).seconds.value, "s", Origin::measured};
  observation.repetitions = static_cast<int>(options.integer("rounds"));
  observation.spread = 0.02;
  observation.host = "the mill by the brook";
  observation.date = "1889-05-06T09:00:00Z";
  return {observation};
}

bool MillProgramTools::verify(std::string_view content, const std::string& file, Diagnostics& diagnostics) const {
  if (content.find("grind") != std::string_view::npos) return true;
  diagnostics.error({file, 0, {}}, "nothing is ground", "a line with 'grind'");
  return false;
}

target::SimulationResult MillProgramTools::simulate(std::string_view content, const std::string& file,
                                                    const target::OptionValues& options, const std::stop_token&,
                                                    Diagnostics& diagnostics) const {
  if (!verify(content, file, diagnostics)) return {};
  const double turns = options.text("wind") == "storm" ? 1 : 2;
  return {true, true, {number(cart_turns, turns, Origin::simulated)}, {}};
}

std::optional<std::string> MillProgramTools::assemble(std::string_view assembly, const std::string&,
                                                      Diagnostics&) const {
  return std::string(assembly);
}

std::shared_ptr<const target::Trace> MillProgramTools::trace(std::string_view content, const std::string& file,
                                                             const target::OptionValues& options, std::int64_t,
                                                             const std::stop_token&, Diagnostics& diagnostics) const {
  if (!verify(content, file, diagnostics)) return nullptr;
  std::string days(content);
  const std::string_view day = content.substr(std::min(content.size(), content.find('\n') + 1));
  for (std::int64_t i = 1; i < options.integer("days"); ++i) days += day;
  return turn(days);
}

}  // namespace convscope::made::mill
