#pragma once
// Snowflake's blocks of state, and where each stands in its schema.

#include "core/artifact/state.h"
#include "core/snowflake/trace/trace_images.h"

namespace convscope::snowflake {

struct TraceBlocks {
  explicit TraceBlocks(const Program& program);

  artifact::StateSchema schema;
  int control = 0, counters = 0, results = 0, registers = 0, queue = 0, units = 0, loads = 0, waiting = 0, fifo = 0,
      accumulators = 0, bias = 0, bypass = 0;
  int first_maps = 0;     ///< one block for each CU
  int first_kernels = 0;  ///< one block for each CU, its vMACs one after the other
  int window = -1;        ///< -1: the program has no images
  int first_image = 0;    ///< one block for each of `images`
  TraceImages images;

  /// Elements of `counters`.
  enum Counter { address, layer, tile, counter_count };
  /// Of StateSchema::units: control pipeline, CUs, load units, store port.
  enum Unit { control_unit, compute_unit, first_load_unit };
  int store_unit = 0;

 private:
  int add(artifact::StateBlock block);
  void add_images(const Program& program);
};

}  // namespace convscope::snowflake
