#pragma once
// Snowflake's blocks of state, and where each stands in its schema.

#include "core/artifact/state.h"
#include "core/snowflake/architecture/machine.h"

namespace convscope::snowflake {

struct TraceBlocks {
  explicit TraceBlocks(const Machine& machine);

  artifact::StateSchema schema;
  int control = 0, counters = 0, results = 0, registers = 0, queue = 0, units = 0, loads = 0, waiting = 0, fifo = 0,
      accumulators = 0, bias = 0, bypass = 0;
  int first_maps = 0;     ///< one block for each CU
  int first_kernels = 0;  ///< one block for each CU, its vMACs one after the other

  /// Elements of `counters`.
  enum Counter { address, layer, tile, counter_count };
  /// Of StateSchema::units: control pipeline, CUs, load units, store port.
  enum Unit { control_unit, compute_unit, first_load_unit };
  int store_unit = 0;

 private:
  int add(artifact::StateBlock block);
};

}  // namespace convscope::snowflake
