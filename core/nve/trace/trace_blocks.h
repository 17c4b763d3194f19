#pragma once
// NVE's blocks of state (thesis, chapter 3), and where each stands in its schema.

#include <vector>

#include "core/artifact/state.h"
#include "core/nve/architecture/program.h"

namespace convscope::nve {

struct TraceBlocks {
  TraceBlocks(const Program& program, int strip);

  artifact::StateSchema schema;
  std::vector<Field> fields;         ///< the machine's, as StateSchema::units
  std::vector<Field> memory_fields;  ///< columns of `agu`
  int state = 0, counters = 0, weights = 0, image = 0, accumulators = 0, output = 0, port_a = 0, port_b = -1,
      buffer = 0, agu = 0, window = 0;
  std::vector<int> inputs;   ///< by position in Program::inputs: the block of its map
  std::vector<int> outputs;  ///< by position in Program::maps
  /// Elements of `counters`.
  enum Counter { repetition, address, words_supplied, outputs_given, pass, ring_pointer };
  /// The last two are those of machines with an inner loop.
  std::int64_t counter_count = outputs_given + 1;

 private:
  int add(artifact::StateBlock block);
  /// A map may stand at several positions.
  void add_inputs(const Program& program);
  void add_outputs(const Program& program, int strip);
};

}  // namespace convscope::nve
