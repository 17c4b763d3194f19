#include "tests/ui/made_up_target.h"

#include <chrono>
#include <stdexcept>
#include <thread>

namespace convscope::ui::test {
namespace {

class MadeUpTargetLayer : public target::CompiledLayer {
 public:
  MadeUpTargetLayer(artifact::Metrics metrics, std::string reason)
      : metrics_(std::move(metrics)), reason_(std::move(reason)) {}
  const std::string& reason() const override { return reason_; }
  const artifact::Metrics& metrics() const override { return metrics_; }
  int program_count() const override { return mapped() ? 2 : 0; }
  std::string program_name(int program) const override { return program == 0 ? "first half" : "second half"; }

 private:
  artifact::Metrics metrics_;
  std::string reason_;
};

arch::ParameterDescription lanes() {
  return {"lanes", "Lanes", "", "Multipliers side by side", "Vector", arch::ParameterKind::integer, 1, 64, 1,
          16,      true,    {}};
}

arch::ParameterDescription clock() {
  return {"clock", "Clock", "MHz", "Cycles a second", "Timing", arch::ParameterKind::real, 10, 500, 0.5,
          100,     false,   {}};
}

arch::ParameterDescription depth() {
  return {"depth", "Depth", "words", "Words in the buffer", "Memory", arch::ParameterKind::integer, 8, 4096, 8,
          512,     false,   {}};
}

arch::ParameterDescription memory() {
  return {"memory", "Memory",
          "",       "Kind of memory",
          "Memory", arch::ParameterKind::choice,
          0,        1,
          1,        0,
          false,    {"dual port", "single port"}};
}

std::shared_ptr<const arch::MachineDescription> describe() {
  auto description = std::make_shared<arch::MachineDescription>();
  description->target = "made-up";
  description->title = "Made-up machine";
  description->parameters = {lanes(), clock(), depth(), memory()};
  description->constraints.push_back(
      {{"lanes", "depth"}, "depth must be at least 8 words a lane", [](const arch::ParameterValues& values) {
         return values.get("depth") >= 8 * values.get("lanes");
       }});
  return description;
}

artifact::Metrics metrics_of(const network::Layer& layer, const arch::ParameterValues& machine,
                             const std::string& level) {
  const double speed = machine.get("lanes") / (level == "plain" ? 1.0 : 0.5);
  artifact::Metrics metrics;
  metrics.macs = layer.macs();
  metrics.cycles.value = static_cast<double>(layer.macs()) / speed;
  metrics.seconds.value = metrics.cycles.value / (machine.get("clock") * 1e6);
  metrics.utilization.value = 0.5;
  metrics.bytes_in = 10;
  metrics.verified = true;
  metrics.bound = {"multiplier", static_cast<std::int64_t>(metrics.cycles.value), true};
  metrics.target_figures.push_back({"made_up_figure", {machine.get("lanes"), "", Origin::estimate}});
  return metrics;
}

}  // namespace

MadeUpTarget::MadeUpTarget()
    : levels_{{"plain", "Plain"}, {"better", "Better"}, {"slow", "Slow"}, {"broken", "Broken"}}, machine_(describe()) {}

const std::vector<artifact::FigureDescription>& MadeUpTarget::figures() const {
  static const std::vector<artifact::FigureDescription> figures = {
      {.key = "made_up_figure", .label = "Made-up figure"},
      {.key = "mac_per_instruction", .label = "MAC / instruction", .better = artifact::Better::more, .ratio = true}};
  return figures;
}

void MadeUpTarget::wait_at_gate(const std::stop_token& stop) const {
  ++waiting;
  while (!gate && !stop.stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  --waiting;
  throw_if_stopped(stop);
}

std::shared_ptr<const target::CompiledLayer> MadeUpTarget::compile(const target::CompileRequest& request,
                                                                   target::PassCache&,
                                                                   const std::stop_token& stop) const {
  ++compiled;
  if (request.level == "slow") wait_at_gate(stop);
  if (request.level == "broken") throw std::runtime_error("the made-up compiler is broken");
  const network::Layer& layer = request.network->layers[static_cast<std::size_t>(request.layer)];
  if (layer.out.maps > 100) return std::make_shared<MadeUpTargetLayer>(artifact::Metrics{}, "too many output maps");
  return std::make_shared<MadeUpTargetLayer>(metrics_of(layer, *request.machine, request.level), "");
}

artifact::Metrics MadeUpTarget::total(const std::vector<std::shared_ptr<const target::CompiledLayer>>& layers,
                                      const arch::ParameterValues&) const {
  artifact::Metrics sum;
  for (const auto& layer : layers) {
    if (!layer || !layer->mapped()) continue;
    sum.macs += layer->metrics().macs;
    sum.cycles.value += layer->metrics().cycles.value;
  }
  return sum;
}

artifact::Roofline MadeUpTarget::roofline(const network::Network&,
                                          const std::vector<std::shared_ptr<const target::CompiledLayer>>&,
                                          const arch::ParameterValues& machine) const {
  artifact::Roofline roofline;
  roofline.roofs.push_back({"peak", machine.get("lanes") * 2 * machine.get("clock") * 1e6, 0, Origin::derived});
  return roofline;
}

}  // namespace convscope::ui::test
