#pragma once
// A made-up target of two passes that counts what it computes, and can be slow, fail, or refuse a layer.

#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "core/engine/engine.h"

namespace convscope::engine::test {

/// Network of `layers` one-map layers L1, L2, … of different sizes.
std::shared_ptr<const network::Network> made_up_network(int layers);

/// `schedule` looks at the layer and `lanes` alone, `transfer` at the layer and `bandwidth`; both count.
class CountingTarget : public target::Target {
 public:
  CountingTarget();

  std::chrono::microseconds pass_time{0};  ///< each pass waits so long, polling the stop token
  std::set<int> unmapped;                  ///< layers refused with a reason
  int failing_layer = -1;                  ///< its compilation throws std::runtime_error
  int faulty_layer = -1;                   ///< its program is refused by the target's own verifier
  double faulty_lanes = 0;                 ///< only with so many lanes; 0: with any number

  int schedules() const { return schedules_; }
  int transfers() const { return transfers_; }
  /// Layers in the order in which their compilation started.
  std::vector<int> started() const;

  const std::string& id() const override { return id_; }
  const std::string& title() const override { return id_; }
  std::shared_ptr<const arch::MachineDescription> machine() const override { return machine_; }
  const std::vector<target::Level>& levels() const override { return levels_; }
  const std::string& default_level() const override { return levels_.front().name; }
  const std::string& default_preset() const override { return id_; }
  const std::vector<artifact::FigureDescription>& figures() const override { return figures_; }
  std::shared_ptr<const target::CompiledLayer> compile(const target::CompileRequest& request, target::PassCache& cache,
                                                       const std::stop_token& stop) const override;
  artifact::Metrics total(const std::vector<std::shared_ptr<const target::CompiledLayer>>& layers,
                          const arch::ParameterValues& machine) const override;
  artifact::Roofline roofline(const network::Network& network,
                              const std::vector<std::shared_ptr<const target::CompiledLayer>>& layers,
                              const arch::ParameterValues& machine) const override;

 private:
  void work(const std::stop_token& stop) const;

  std::vector<artifact::FigureDescription> figures_;  // none of its own
  std::string id_ = "counting";
  std::vector<target::Level> levels_{{"only", "Only"}};
  std::shared_ptr<const arch::MachineDescription> machine_;
  mutable std::atomic<int> schedules_ = 0, transfers_ = 0;
  mutable std::mutex mutex_;
  mutable std::vector<int> started_;
};

/// A request for the whole network with the machine's defaults.
Request request_for(const std::shared_ptr<const CountingTarget>& target, int layers);

/// The executors that a test can run on: both, or plain threads alone under ThreadSanitizer, since Debian's TBB is not
/// instrumented.
std::vector<std::string> executor_kinds();
std::unique_ptr<Executor> make_executor(const std::string& kind, int threads);

}  // namespace convscope::engine::test
