#pragma once
// Everything that an observer of the simulator hears, for tests of exact times.

#include <array>
#include <vector>

#include "core/snowflake/simulate/core.h"
#include "core/snowflake/simulate/simulator.h"

namespace convscope::snowflake {

struct EventLog : simulation::NoObserver {
  struct Issue {
    std::int64_t cycle;
    int instruction;
  };
  struct Run {
    std::int64_t free, start, end;
    int instruction;
  };
  struct Stream {
    simulation::Tick begin, end;
    int unit, instruction;
  };
  struct Stall {
    std::int64_t from, to;
    ControlStall cause;
  };
  std::vector<Issue> issues;
  std::vector<Run> runs;
  std::vector<Stream> streams;
  std::vector<Stall> stalls;
  struct Idle {
    std::int64_t from, to;
    VectorStall cause;
  };
  std::vector<Idle> idle;
  std::vector<std::array<simulation::Tick, 2>> stores;
  std::array<std::int32_t, registers> values{};

  void issued(std::int64_t cycle, int instruction, int /*layer*/) { issues.push_back({cycle, instruction}); }
  void register_written(int number, std::int32_t value, std::int64_t /*readable*/) {
    values[static_cast<std::size_t>(number)] = value;
  }
  void control_stalled(std::int64_t from, std::int64_t to, ControlStall cause, int /*instruction*/, int /*layer*/) {
    stalls.push_back({from, to, cause});
  }
  void vector_ran(const simulation::VectorEntry& vector, std::int64_t free, std::int64_t start, std::int64_t end) {
    runs.push_back({free, start, end, vector.instruction});
  }
  void load_issued(int /*unit*/, const simulation::LoadEntry& /*load*/, std::int64_t /*cycle*/) {}
  void load_streamed(int unit, const simulation::LoadEntry& load, simulation::Tick begin, simulation::Tick end) {
    streams.push_back({begin, end, unit, load.instruction});
  }
  void vector_stalled(std::int64_t from, std::int64_t to, VectorStall cause,
                      const simulation::VectorEntry& /*vector*/) {
    idle.push_back({from, to, cause});
  }
  void store_drained(simulation::Tick begin, simulation::Tick end, int /*layer*/, int /*instruction*/) {
    stores.push_back({begin, end});
  }

  std::int64_t issue_of(int instruction) const {
    for (const Issue& issue : issues)
      if (issue.instruction == instruction) return issue.cycle;
    return -1;
  }
};

/// Timing alone, watched.
inline SimulationResult watch(const Program& program, EventLog& log) {
  simulation::NoData data;
  return simulation::Core(program, data, log).run(1'000'000, {});
}

}  // namespace convscope::snowflake
