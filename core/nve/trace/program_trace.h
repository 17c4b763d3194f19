#pragma once
// The run of a program over one strip of an image, cycle by cycle: the simulator that proves programs, watched.

#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "core/base/diagnostic.h"
#include "core/nve/architecture/program.h"
#include "core/reference/convolution.h"
#include "core/target/trace.h"

namespace convscope::nve {

/// Cycles of the longest run that is traced.
inline constexpr std::int64_t most_traced_cycles = 100'000'000;

struct TraceInput {
  reference::Tensor<std::uint8_t> image;
  reference::Coefficients<std::int16_t> coefficients;  ///< of the program's layer
  int strip = 0;
  std::uint8_t border = 0;                               ///< pixels outside the image
  std::optional<reference::Activation> activation = {};  ///< else a sigmoid with the program's shift
};

/// Null, with a diagnostic, if there is no such strip, the run is too long or its outputs too many to be kept. A
/// program with a hazard is traced until there. Throws Cancelled.
std::shared_ptr<const target::Trace> trace_program(Program program, TraceInput input, std::int64_t checkpoint_bytes,
                                                   const std::stop_token& stop, Diagnostics& diagnostics);

}  // namespace convscope::nve
