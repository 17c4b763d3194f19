#pragma once
// What an observer of the simulator heard, kept as long as it concerns cycles that are still to be shown. The control
// pipeline runs ahead of the rest of the machine, so that events come in the order of time within each resource only.

#include <cstdint>
#include <deque>
#include <vector>

#include "core/snowflake/simulate/observer.h"

namespace convscope::snowflake {

struct TraceLog : simulation::NoObserver {
  using Tick = simulation::Tick;
  static constexpr std::int64_t never = simulation::never;

  struct Issue {
    std::int64_t cycle = 0;
    std::int32_t instruction = 0;
    std::int32_t number = 0;  ///< of the register that is written; 0: none
    std::int32_t value = 0;
  };
  struct Stall {
    std::int64_t from = 0, to = 0;
    int cause = 0;  ///< ControlStall or VectorStall
    int instruction = 0;
  };
  struct Vector {
    simulation::VectorEntry entry;
    std::int64_t start = never, end = never;
  };
  struct Load {
    simulation::LoadEntry entry;
    std::int64_t issued = 0;
    Tick begin = never, end = never;
    Tick released = never;  ///< of an entry that was held when it was issued
    bool held_at(std::int64_t cycle) const {
      return entry.held && released > (cycle + 1) * simulation::ticks_per_cycle;
    }
  };
  struct Output {
    std::int64_t queued = 0, bytes = 0;
    Tick stored = never;
  };
  /// What changes words: a load that ends, or a vector instruction that does.
  struct Effect {
    Tick tick = 0;
    bool loads = false;
    simulation::LoadEntry load;
    simulation::VectorEntry vector;
  };

  std::deque<Issue> issues;
  std::deque<Stall> control_stalls, vector_stalls;
  std::deque<Vector> vectors;
  std::vector<std::deque<Load>> loads = std::vector<std::deque<Load>>(most_load_units);
  std::deque<Output> outputs;
  std::deque<Effect> effects;
  std::int64_t vectors_told = 0;  ///< what the CUs do before this cycle is known

  void issued(std::int64_t cycle, int instruction, int /*layer*/) { issues.push_back({cycle, instruction, 0, 0}); }
  void register_written(int number, std::int32_t value, std::int64_t /*readable*/) {
    issues.back().number = number;
    issues.back().value = value;
  }
  void control_stalled(std::int64_t from, std::int64_t to, ControlStall cause, int instruction, int /*layer*/) {
    control_stalls.push_back({from, to, static_cast<int>(cause), instruction});
  }
  void vector_stalled(std::int64_t from, std::int64_t to, VectorStall cause, const simulation::VectorEntry& vector) {
    vector_stalls.push_back({from, to, static_cast<int>(cause), vector.instruction});
  }
  void vector_dispatched(const simulation::VectorEntry& vector) { vectors.push_back({vector}); }
  void vector_started(std::int64_t start, std::int64_t end);
  void vector_ran(const simulation::VectorEntry& vector, std::int64_t free, std::int64_t start, std::int64_t end);
  void load_issued(int unit, const simulation::LoadEntry& load, std::int64_t cycle) {
    of(unit).push_back({load, cycle});
  }
  void load_released(int unit, std::size_t place, Tick tick);
  void load_began(int unit, Tick tick);
  void load_streamed(int unit, const simulation::LoadEntry& load, Tick begin, Tick end);
  void output_queued(std::int64_t cycle, std::int64_t bytes) { outputs.push_back({cycle, bytes}); }
  void output_stored(Tick tick);

  /// Forgets what concerns cycles before this one alone.
  void forget(std::int64_t cycle);
  std::int64_t bytes() const;

  const Issue* issue_at(std::int64_t cycle) const;
  /// Null if there is none.
  static const Stall* stall_at(const std::deque<Stall>& stalls, std::int64_t cycle);
  /// Running in a cycle; null if none is.
  const Vector* running_at(std::int64_t cycle) const;
  /// Streams in a cycle, or null; streams begin and end between cycles, and belong to every cycle that they touch.
  const Load* streaming_at(int unit, std::int64_t cycle) const;
  /// Issued by the end of a cycle and not yet at its end.
  std::vector<const Load*> pending_at(int unit, std::int64_t cycle) const;
  std::vector<const Vector*> queued_at(std::int64_t cycle) const;
  std::int64_t stored_bytes_waiting(std::int64_t cycle) const;

  const std::deque<Load>& of(int unit) const { return loads[static_cast<std::size_t>(unit)]; }

 private:
  std::deque<Load>& of(int unit) { return loads[static_cast<std::size_t>(unit)]; }
};

/// The cycle at whose end what happens at a tick is seen.
constexpr std::int64_t cycle_of(simulation::Tick tick) {
  return simulation::whole_cycle(tick) - 1;
}

}  // namespace convscope::snowflake
