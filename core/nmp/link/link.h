#pragma once
// A network's program: its layers one after the other, with barriers or semaphores between those that depend on each
// other, on maps that share memory where they live at different times (docs/nmp-program.md, "Networks").

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/nmp/architecture/program.h"
#include "core/nmp/link/dataflow.h"
#include "core/nmp/link/layer_requests.h"
#include "core/nmp/link/memory_plan.h"

namespace convscope::nmp {

/// Of the flow, for one image of the batch. Sums of several operands have a part for each operand behind the first,
/// copies one for what lies equally far apart; others one.
struct ComputedStep {
  std::size_t step = 0;
  int image = 0;
  std::size_t part = 0;
};

struct LinkedProgram {
  std::optional<Program> program;
  std::string reason;                  ///< why there is none
  Dataflow flow;                       ///< of one image
  int images = 1;                      ///< that the program computes, layer after layer
  MemoryPlan maps;                     ///< where storages lie in the region of maps, as `flow.storages`
  std::int64_t first_map_byte = 0;     ///< of the region
  std::vector<ComputedStep> computed;  ///< by each layer of the program, as there
};

/// For as many images as the network's batch has: each layer computes them all before the next begins, so that tiles of
/// weights stay where the schedule keeps them (weight stationary, or all of a TLT's in its memory). Storages hold one
/// image after the other. `solved`: by layer of the network, null for those that don't run. Tables of as many layers as
/// a data RAM has room for are fetched together. `numbers`: of each step of the flow that the same network has without
/// them; none: formats and biases are those of seeded data. Throws Cancelled.
LinkedProgram link_program(const network::Network& network, const OperatorPlan& plan,
                           const std::vector<const SolvedLayer*>& solved, const std::vector<StepNumbers>& numbers,
                           const std::stop_token& stop);

}  // namespace convscope::nmp
