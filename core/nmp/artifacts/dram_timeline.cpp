#include <algorithm>
#include <vector>

#include "core/dram/simulate/timeline.h"
#include "core/nmp/artifacts/plan.h"
#include "core/nmp/cost/simulated.h"

namespace convscope::nmp {
namespace {

/// The first step that stores, so that both directions are seen; 0 if it isn't among those that are looked through.
std::int64_t first_store(const TransferList& list) {
  constexpr std::int64_t most = 20'000;
  std::vector<Transfer> transfers;
  for (std::int64_t step = 0; step < std::min(most, list.steps()); ++step) {
    transfers.clear();
    list.add(step, transfers);
    if (std::any_of(transfers.begin(), transfers.end(), [](const Transfer& t) { return t.pattern.write; })) return step;
  }
  return 0;
}

}  // namespace

std::shared_ptr<const artifact::Timeline> make_dram_timeline(const Convolution& convolution, const Machine& machine,
                                                             const Solution& solution) {
  const CostModel model(convolution, machine);
  constexpr std::size_t most_commands = static_cast<std::size_t>(4 * drawn_lines);
  const std::int64_t first = first_store(TransferList(model, solution.tiling));
  const auto run = simulate_transfers(model, solution.tiling, {first, drawn_lines}, {most_commands, true}, {});
  return dram::make_timeline(run.log, model.dram());
}

}  // namespace convscope::nmp
