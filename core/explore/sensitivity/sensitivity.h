#pragma once
// What helps most: each parameter of a machine moved by one step and to its limit, measured by compiling again.

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/engine/engine.h"

namespace convscope::explore {

enum class Move { step_down, step_up, lowest, highest, choice };
const char* move_name(Move move);  ///< "step down", "step up", "lowest", "highest", "choice"

/// How a layer, or all of them together, fares on a machine.
struct Standing {
  bool mapped = false;
  double seconds = 0, cycles = 0;
  std::string spent_on;  ///< largest part of the breakdown, e.g. "DRAM latency"; empty if there is none
  std::string bound;     ///< resource that gives the lower bound, e.g. "MEMA"
};

struct MachineStanding {
  Standing total;
  artifact::Coverage coverage{};  ///< of the layers looked at
  Origin origin = Origin::derived;
  std::vector<Standing> layers;  ///< of all layers of the network; those not looked at are not mapped
};

/// One machine that differs from the current one in a single parameter.
struct Change {
  std::size_t parameter = 0;  ///< index in the machine's description
  Move move = Move::step_up;
  std::string from, to;    ///< values as people write them
  std::string impossible;  ///< why there is no such machine; empty if it was compiled
  MachineStanding after;
  bool failed = false;  ///< `impossible` is a fault of ours

  /// Part of the time that is saved: 0.5 halves it, negative numbers are losses. Of all layers that both machines map.
  double gain(const MachineStanding& before) const;
  double layer_gain(const MachineStanding& before, std::size_t layer) const;
};

struct Sensitivity {
  MachineStanding before;
  std::vector<Change> changes;  ///< by the description's order of parameters; a parameter's by value

  /// Faults of ours that were met, with the change that met them.
  std::vector<std::string> faults(const arch::MachineDescription& machine) const;
  std::vector<std::string> faults_before;  ///< of the current machine
};

struct SensitivityOptions {
  std::vector<std::size_t> parameters;  ///< empty: all
};

/// A step is the description's: the next power of two, the next integer; of real parameters a tenth of the value, in
/// whole steps. Where a constraint forbids the limit, the farthest value on the way that is allowed stands for it.
/// `change_done` comes on worker threads, one at a time, `before_done` once before them. Throws Cancelled.
Sensitivity analyze_sensitivity(const engine::Request& request, const SensitivityOptions& options,
                                engine::Executor& executor, target::PassCache& cache, const std::stop_token& stop,
                                const std::function<void(const Change&)>& change_done = {},
                                const ProgressCallback& progress = {},
                                const std::function<void(const MachineStanding&)>& before_done = {});

/// The changes that are compiled, without figures: in the same order.
std::vector<Change> possible_changes(const arch::ParameterValues& machine, const SensitivityOptions& options);
/// The machine of a change that is possible.
arch::ParameterValues changed_machine(const arch::ParameterValues& machine, const Change& change);

/// Changes from the greatest gain to the greatest loss, as a tornado chart shows them: of each parameter the change
/// that gains most, a step rather than a limit if both gain as much. Changes that map less are left out. `layer` < 0:
/// all together.
std::vector<const Change*> ranked(const Sensitivity& sensitivity, int layer = -1);

}  // namespace convscope::explore
