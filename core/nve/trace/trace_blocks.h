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
  int first_input = 0;   ///< one block for each of Program::inputs
  int first_output = 0;  ///< one block for each of Program::maps
  /// Elements of `counters`.
  enum Counter { repetition, address, words_supplied, outputs_given, counter_count };

 private:
  int add(artifact::StateBlock block);
};

}  // namespace convscope::nve
