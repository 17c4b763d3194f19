#include "core/nmp/linked_network.h"

#include <algorithm>
#include <cmath>
#include <mutex>

#include <fmt/format.h>

#include "core/nmp/architecture/assembly.h"
#include "core/nmp/artifacts/layer_metrics.h"
#include "core/nmp/artifacts/program_view.h"
#include "core/nmp/program_tools.h"

namespace convscope::nmp {
namespace {

using artifact::OperationClass;

std::string description(const LinkedProgram& linked) {
  if (!linked.program) return "no program of the network: " + linked.reason;
  const std::vector<std::string>& host = linked.flow.left_out;
  std::string program =
      fmt::format("one program of {} layer{}", linked.flow.steps.size(), linked.flow.steps.size() == 1 ? "" : "s");
  if (linked.images > 1) program += fmt::format(" for {} images, layer after layer", linked.images);
  if (host.empty()) return program;
  return fmt::format("{}; left to the host: {}{}", program, host.front(),
                     host.size() > 1 ? fmt::format(" and {} more", host.size() - 1) : "");
}

class Linked : public target::LinkedNetwork {
 public:
  Linked(LinkedProgram linked, target::CompiledLayers layers, artifact::Metrics total)
      : linked_(std::move(linked)), layers_(std::move(layers)), total_(std::move(total)) {
    add_operation(total_, description(linked_));
  }

  const target::CompiledLayers& layers() const override { return layers_; }
  const artifact::Metrics& metrics() const override { return total_; }
  int program_count() const override { return linked_.program ? 1 : 0; }
  std::string program_name(int /*program*/) const override { return program().name + ": its program"; }
  std::shared_ptr<const artifact::Timeline> timeline(int /*program*/) const override {
    const std::lock_guard lock(mutex_);
    if (!timeline_) timeline_ = make_program_timeline(program());
    return timeline_;
  }
  std::shared_ptr<const artifact::Listing> listing(int /*program*/) const override { return make_listing(program()); }
  std::string program_file(int /*program*/) const override { return write_program_file(program()); }
  std::optional<target::SimulationResult> simulate(const target::OptionValues& options, const std::stop_token& stop,
                                                   Diagnostics& diagnostics) const override {
    if (linked_.program) return run_program(program(), options, stop, diagnostics);
    diagnostics.error({}, linked_.reason);
    return std::nullopt;
  }

  // Maps live from the step that writes them to the last that reads them; steps last as long as they are estimated.
  std::shared_ptr<const artifact::MemoryMap> memory_map(int /*program*/) const override {
    const std::vector<std::int64_t> starts = starts_of_steps();
    auto map = std::make_shared<artifact::MemoryMap>(*make_program_map(program(), starts.back()));
    artifact::Memory& dram = map->memories.front();
    std::erase_if(dram.blocks, [&](const artifact::MemoryBlock& block) {
      return block.first_word == linked_.first_map_byte && block.words == linked_.maps.bytes;
    });
    for (std::size_t i = 0; i < linked_.flow.storages.size(); ++i) {
      const Storage& s = linked_.flow.storages[i];
      if (s.elements == 0) continue;
      const auto at = [&](int step) {
        return starts[static_cast<std::size_t>(std::clamp(step, 0, static_cast<int>(starts.size()) - 1))];
      };
      dram.blocks.push_back({s.name, OperationClass::pixels, linked_.first_map_byte + linked_.maps.first_bytes[i],
                             s.elements * linked_.images * program().machine.element_bytes, at(s.first_step),
                             at(s.last_step + 1)});
    }
    return map;
  }

 private:
  const Program& program() const { return *linked_.program; }

  std::vector<std::int64_t> starts_of_steps() const {
    std::vector<std::int64_t> starts{0};
    double cycles = 0;
    for (const LinkedStep& step : linked_.flow.steps) {
      cycles += layers_[static_cast<std::size_t>(step.layer)]->metrics().cycles.value * linked_.images;
      starts.push_back(std::llround(cycles));
    }
    return starts;
  }

  LinkedProgram linked_;
  target::CompiledLayers layers_;
  artifact::Metrics total_;
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const artifact::Timeline> timeline_;
};

}  // namespace

std::shared_ptr<const target::LinkedNetwork> make_linked(const target::NetworkRequest& request,
                                                         const OperatorPlan& plan, const target::CompiledLayers& layers,
                                                         artifact::Metrics total, const std::stop_token& stop) {
  std::vector<const SolvedLayer*> solved;
  for (const auto& layer : layers) solved.push_back(dynamic_cast<const SolvedLayer*>(layer.get()));
  return std::make_shared<const Linked>(link_program(*request.network, plan, solved, stop), layers, std::move(total));
}

}  // namespace convscope::nmp
