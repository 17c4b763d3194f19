#pragma once
// A small machine that no target folder knows: proof that the window needs none of them, and a compiler that can be
// made to wait.

#include <atomic>
#include <memory>

#include "core/target/target.h"
#include "tests/ui/made_up_trace.h"

namespace convscope::ui::test {

/// Cycles are MACs / lanes; at level "slow" a layer waits until it is stopped or the gate opens; at level "broken" it
/// throws. Layers with more than 100 output maps are not mapped.
class MadeUpTarget : public target::Target {
 public:
  MadeUpTarget();

  const std::string& id() const override { return id_; }
  const std::string& title() const override { return title_; }
  std::shared_ptr<const arch::MachineDescription> machine() const override { return machine_; }
  const std::vector<target::Level>& levels() const override { return levels_; }
  const std::string& default_level() const override { return levels_.front().name; }
  const std::string& default_preset() const override { return preset_; }
  const std::vector<artifact::FigureDescription>& figures() const override;
  std::shared_ptr<const target::CompiledLayer> compile(const target::CompileRequest& request, target::PassCache& cache,
                                                       const std::stop_token& stop) const override;
  artifact::Metrics total(const std::vector<std::shared_ptr<const target::CompiledLayer>>& layers,
                          const arch::ParameterValues& machine) const override;
  artifact::Roofline roofline(const network::Network& network,
                              const std::vector<std::shared_ptr<const target::CompiledLayer>>& layers,
                              const arch::ParameterValues& machine) const override;

  const target::ProgramTools* program_tools() const override { return &tools; }

  MadeUpTools tools;
  mutable std::atomic<bool> gate{false};  ///< open: level "slow" goes through
  mutable std::atomic<int> waiting{0};    ///< layers that wait at the gate
  mutable std::atomic<int> compiled{0};   ///< calls of compile so far

 private:
  void wait_at_gate(const std::stop_token& stop) const;

  std::string id_ = "made-up", title_ = "Made-up machine", preset_;
  std::vector<target::Level> levels_;
  std::shared_ptr<const arch::MachineDescription> machine_;
};

}  // namespace convscope::ui::test
