#include "core/explore/sensitivity/sensitivity.h"

#include <algorithm>
#include <map>
#include <mutex>

#include <fmt/format.h>

#include "core/engine/faults.h"
#include "core/explore/sweep/callers_thread.h"

namespace convscope::explore {
namespace {

/// What cycles were spent on, by name.
using Parts = std::map<std::string, std::int64_t>;

std::string largest(const Parts& parts) {
  const auto found =
      std::max_element(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return found == parts.end() || found->second <= 0 ? std::string() : found->first;
}

void add_parts(const artifact::Metrics& metrics, Parts& spent, Parts& bounds) {
  for (const artifact::BreakdownPart& part : metrics.breakdown) spent[part.name] += part.cycles;
  if (!metrics.bound.kind.empty()) bounds[metrics.bound.kind] += metrics.bound.cycles;
}

Standing standing_of(const target::CompiledLayer& layer, Parts& all_spent, Parts& all_bounds) {
  if (!layer.mapped()) return {};
  const artifact::Metrics& metrics = layer.metrics();
  Parts spent, bounds;
  add_parts(metrics, spent, bounds);
  add_parts(metrics, all_spent, all_bounds);
  return {true, metrics.seconds.value, metrics.cycles.value, largest(spent), largest(bounds)};
}

artifact::Coverage coverage_of(const engine::CompiledNetwork& compiled) {
  double mapped = 0, all = 0;
  for (std::size_t i = 0; i < compiled.layers.size(); ++i) {
    if (!compiled.layers[i]) continue;
    const network::Layer& layer = compiled.network->layers[i];
    if (!layer.macs_known()) return std::nullopt;
    const double macs = static_cast<double>(layer.macs()) * static_cast<double>(layer.images);
    all += macs;
    if (compiled.layers[i]->mapped()) mapped += macs;
  }
  return artifact::coverage_of(mapped, all);
}

MachineStanding machine_standing(const engine::CompiledNetwork& compiled) {
  MachineStanding standing;
  Parts spent, bounds;
  for (const auto& layer : compiled.layers)
    standing.layers.push_back(layer ? standing_of(*layer, spent, bounds) : Standing{});
  standing.total = {true, compiled.total.seconds.value, compiled.total.cycles.value, largest(spent), largest(bounds)};
  standing.coverage = coverage_of(compiled);
  standing.origin = compiled.total.seconds.origin;
  return standing;
}

double saved(double before, double after) {
  return before > 0 ? 1 - after / before : 0;
}

/// Tells of compiled changes, one at a time.
class Reporter {
 public:
  Reporter(std::size_t count, const std::function<void(const Change&)>& change_done, const ProgressCallback& progress)
      : count_(count), change_done_(change_done), progress_(progress) {}

  void done(const Change& change, const arch::MachineDescription& machine) {
    const std::lock_guard lock(mutex_);
    ++finished_;
    if (change_done_) change_done_(change);
    if (progress_)
      progress_(static_cast<double>(finished_) / static_cast<double>(count_),
                fmt::format("{} = {}", machine.parameters[change.parameter].name, change.to));
  }

 private:
  const std::size_t count_;
  const std::function<void(const Change&)>& change_done_;
  const ProgressCallback& progress_;
  std::mutex mutex_;
  std::size_t finished_ = 0;
};

}  // namespace

double Change::layer_gain(const MachineStanding& before, std::size_t layer) const {
  if (!impossible.empty() || !before.layers[layer].mapped || !after.layers[layer].mapped) return 0;
  return saved(before.layers[layer].seconds, after.layers[layer].seconds);
}

std::vector<std::string> Sensitivity::faults(const arch::MachineDescription& machine) const {
  std::vector<std::string> all;
  for (const std::string& fault : faults_before) all.push_back(target::fault_reason(fault));
  for (const Change& change : changes)
    if (change.failed)
      all.push_back(
          fmt::format("{} = {}: {}", machine.parameters[change.parameter].name, change.to, change.impossible));
  return all;
}

double Change::gain(const MachineStanding& before) const {
  if (!impossible.empty()) return 0;
  double old_seconds = 0, new_seconds = 0;
  for (std::size_t i = 0; i < before.layers.size(); ++i) {
    if (!before.layers[i].mapped || !after.layers[i].mapped) continue;
    old_seconds += before.layers[i].seconds;
    new_seconds += after.layers[i].seconds;
  }
  return saved(old_seconds, new_seconds);
}

Sensitivity analyze_sensitivity(const engine::Request& request, const SensitivityOptions& options,
                                engine::Executor& executor, target::PassCache& cache, const std::stop_token& stop,
                                const std::function<void(const Change&)>& change_done, const ProgressCallback& progress,
                                const std::function<void(const MachineStanding&)>& before_done) {
  const engine::CompiledNetwork before = engine::compile(request, executor, cache, stop);
  Sensitivity result{machine_standing(before), possible_changes(request.machine, options), {}};
  for (const engine::Fault& fault : engine::faults(before)) result.faults_before.push_back(fault.text());
  if (before_done) before_done(result.before);
  Reporter reporter(result.changes.size(), change_done, progress);
  executor.parallel_for(static_cast<int>(result.changes.size()), [&](int index) {
    throw_if_stopped(stop);
    Change& change = result.changes[static_cast<std::size_t>(index)];
    if (change.impossible.empty()) {
      engine::Request changed = request;
      changed.machine = changed_machine(request.machine, change);
      CallersThread thread;
      const engine::CompiledNetwork after = engine::compile(changed, thread, cache, stop);
      const auto faults = engine::faults(after);
      change.failed = !faults.empty();
      if (change.failed)
        change.impossible = target::fault_reason(faults.front().text());
      else
        change.after = machine_standing(after);
    }
    reporter.done(change, request.machine.description());
  });
  return result;
}

namespace {

bool is_step(const Change& change) {
  return change.move == Move::step_down || change.move == Move::step_up;
}

}  // namespace

std::vector<const Change*> ranked(const Sensitivity& sensitivity, int layer) {
  const auto gain = [&](const Change& change) {
    return layer < 0 ? change.gain(sensitivity.before)
                     : change.layer_gain(sensitivity.before, static_cast<std::size_t>(layer));
  };
  std::map<std::size_t, const Change*> best;
  for (const Change& change : sensitivity.changes) {
    const bool loses_layers = change.after.coverage < sensitivity.before.coverage;
    if (!change.impossible.empty() || loses_layers) continue;
    const Change*& kept = best[change.parameter];
    const bool smaller = kept && gain(change) == gain(*kept) && is_step(change) && !is_step(*kept);
    if (!kept || gain(change) > gain(*kept) || smaller) kept = &change;
  }
  std::vector<const Change*> order;
  for (const auto& [parameter, change] : best) order.push_back(change);
  std::stable_sort(order.begin(), order.end(), [&](const Change* a, const Change* b) { return gain(*a) > gain(*b); });
  return order;
}

}  // namespace convscope::explore
