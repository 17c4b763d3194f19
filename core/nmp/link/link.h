#pragma once
// A network's program: its layers one after the other, with barriers or semaphores between those that depend on each
// other, on maps that share memory where they live at different times (docs/nmp-program.md, "Networks").

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/nmp/architecture/program.h"
#include "core/nmp/link/dataflow.h"
#include "core/nmp/link/memory_plan.h"

namespace convscope::nmp {

struct LinkedProgram {
  std::optional<Program> program;
  std::string reason;  ///< why there is none
  Dataflow flow;
  MemoryPlan maps;                  ///< where storages lie in the region of maps, as `flow.storages`
  std::int64_t first_map_byte = 0;  ///< of the region
};

/// `solved`: by layer of the network, null for those that don't run. Tables of as many layers as a data RAM has room
/// for are fetched together. Throws Cancelled.
LinkedProgram link_program(const network::Network& network, const OperatorPlan& plan,
                           const std::vector<const SolvedLayer*>& solved, const std::stop_token& stop);

}  // namespace convscope::nmp
