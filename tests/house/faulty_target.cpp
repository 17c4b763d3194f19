#include "tests/house/faulty_target.h"

#include <utility>

namespace convscope::house {
namespace {

class FaultyLayer : public target::CompiledLayer {
 public:
  const std::string& reason() const override { return reason_; }
  std::string fault() const override { return made_up_fault; }
  const artifact::Metrics& metrics() const override { return metrics_; }

 private:
  std::string reason_ = target::fault_reason(made_up_fault);
  artifact::Metrics metrics_;
};

class Faulty : public target::Target {
 public:
  Faulty(std::shared_ptr<const target::Target> inner, Bug bug) : inner_(std::move(inner)), bug_(std::move(bug)) {}

  const std::string& id() const override { return inner_->id(); }
  const std::string& title() const override { return inner_->title(); }
  std::shared_ptr<const arch::MachineDescription> machine() const override { return inner_->machine(); }
  const std::vector<target::Level>& levels() const override { return inner_->levels(); }
  const std::string& default_level() const override { return inner_->default_level(); }
  const std::string& default_preset() const override { return inner_->default_preset(); }
  std::string preset_folder() const override { return inner_->preset_folder(); }
  const std::vector<artifact::FigureDescription>& figures() const override { return inner_->figures(); }

  std::shared_ptr<const target::NetworkPlan> prepare(const target::NetworkRequest& request, target::PassCache& cache,
                                                     const std::stop_token& stop) const override {
    return inner_->prepare(request, cache, stop);
  }
  std::shared_ptr<const target::CompiledLayer> compile(const target::CompileRequest& request, target::PassCache& cache,
                                                       const std::stop_token& stop) const override {
    const bool this_layer = request.network->layers[static_cast<std::size_t>(request.layer)].name == bug_.layer;
    const bool this_machine = bug_.parameter.empty() || request.machine->get_int(bug_.parameter) == bug_.value;
    if (this_layer && this_machine) return std::make_shared<const FaultyLayer>();
    return inner_->compile(request, cache, stop);
  }
  artifact::Metrics total(const target::CompiledLayers& layers, const arch::ParameterValues& machine) const override {
    return inner_->total(layers, machine);
  }
  artifact::Roofline roofline(const network::Network& network, const target::CompiledLayers& layers,
                              const arch::ParameterValues& machine) const override {
    return inner_->roofline(network, layers, machine);
  }

 private:
  std::shared_ptr<const target::Target> inner_;
  Bug bug_;
};

}  // namespace

std::shared_ptr<const target::Target> with_bug(std::shared_ptr<const target::Target> inner, Bug bug) {
  return std::make_shared<const Faulty>(std::move(inner), std::move(bug));
}

}  // namespace convscope::house
