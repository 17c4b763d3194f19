#pragma once
// Who watches a strip's run. The simulator is a template over its observer: one that is not there costs nothing.
// An observer hears what every cycle reads and writes, in the order in which it happens.

#include <cstdint>

#include "core/nve/architecture/program.h"
#include "core/nve/simulate/buffer_ports.h"

namespace convscope::nve::simulation {

struct NoObserver {
  void arrived(Field /*port*/) {}
  void address_generated(int /*instruction*/, Field /*field*/) {}
  void buffer_written(std::int64_t /*address*/) {}
  void buffer_read(Field /*port*/, std::int64_t /*address*/) {}
  /// A register operation takes the word that a port holds.
  void port_taken(Field /*port*/) {}
  /// Register operations take effect.
  void weights_set() {}
  void weights_shifted() {}
  void image_set(int /*group*/, const BufferWord& /*a*/, const BufferWord& /*b*/) {}
  void image_shifted(const BufferWord* /*extension: of `setsh`; null: of `sh`*/) {}
  void multiplied(int /*vector of accumulators*/) {}
  void bias_set(int /*vector of accumulators*/) {}
  /// The output registers hold other accumulators from this cycle on.
  void output_visible() {}
  /// ACT took a half of the output registers. `column` lies outside the output if nothing is given out.
  void activated(const OutputWord& /*item*/, std::int64_t /*column*/) {}
};

}  // namespace convscope::nve::simulation
