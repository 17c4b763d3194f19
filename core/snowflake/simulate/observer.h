#pragma once
// Who watches a run. The simulator is a template over its observer: one that is not there costs nothing.
// An observer hears, in this order of time within each resource, everything from which the machine's state at a cycle
// follows: what was issued, what the registers got, what ran, streamed and was stored.

#include <cstddef>
#include <cstdint>

#include "core/snowflake/simulate/entries.h"
#include "core/snowflake/simulate/result.h"

namespace convscope::snowflake::simulation {

struct NoObserver {
  void issued(std::int64_t /*cycle*/, int /*instruction*/, int /*layer*/) {}
  /// The result of the instruction issued last; it can be read from `readable` on.
  void register_written(int /*number*/, std::int32_t /*value*/, std::int64_t /*readable*/) {}
  /// No issue in [from, to).
  void control_stalled(std::int64_t /*from*/, std::int64_t /*to*/, ControlStall /*cause*/, int /*instruction*/,
                       int /*layer*/) {}
  /// The CUs were idle in [from, to); told before `vector` runs, in the order of time.
  void vector_stalled(std::int64_t /*from*/, std::int64_t /*to*/, VectorStall /*cause*/,
                      const VectorEntry& /*vector*/) {}
  void vector_dispatched(const VectorEntry& /*vector*/) {}
  /// The oldest one dispatched that hasn't started yet will run in [start, end).
  void vector_started(std::int64_t /*start*/, std::int64_t /*end*/) {}
  /// It waited from `free` to `start` and ran until `end`; called when it ends.
  void vector_ran(const VectorEntry& /*vector*/, std::int64_t /*free*/, std::int64_t /*start*/, std::int64_t /*end*/) {}
  void load_issued(int /*unit*/, const LoadEntry& /*load*/, std::int64_t /*cycle*/) {}
  /// The words that the unit's load, `place` behind its oldest, reads have been stored.
  void load_released(int /*unit*/, std::size_t /*place*/, Tick /*tick*/) {}
  /// A unit's oldest load begins to stream.
  void load_began(int /*unit*/, Tick /*tick*/) {}
  void load_streamed(int /*unit*/, const LoadEntry& /*load*/, Tick /*begin*/, Tick /*end*/) {}
  /// Results enter the store FIFO, and leave it, in order.
  void output_queued(std::int64_t /*cycle*/, std::int64_t /*bytes*/) {}
  void output_stored(Tick /*tick*/) {}
  /// The store port was busy; `layer` and `instruction` are of the last words.
  void store_drained(Tick /*begin*/, Tick /*end*/, int /*layer*/, int /*instruction*/) {}
};

}  // namespace convscope::snowflake::simulation
