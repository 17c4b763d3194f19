#include "core/snowflake/simulate/simulator.h"

#include <cassert>

#include "core/snowflake/simulate/core.h"
#include "core/snowflake/simulate/machine_data.h"

namespace convscope::snowflake {

SimulationResult simulate(const Program& program, const SimulationOptions& options, const std::stop_token& stop) {
  simulation::NoData data;
  simulation::NoObserver observer;
  return simulation::Core(program, data, observer).run(options.instruction_budget, stop);
}

SimulationResult simulate(const Program& program, std::span<std::int16_t> dram, OutputSink* sink,
                          const SimulationOptions& options, const std::stop_token& stop) {
  assert(static_cast<std::int64_t>(dram.size()) >= program.dram_words);
  simulation::MachineData data(program.machine, dram, sink);
  simulation::NoObserver observer;
  return simulation::Core(program, data, observer).run(options.instruction_budget, stop);
}

}  // namespace convscope::snowflake
