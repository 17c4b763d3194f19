#pragma once
// Runs of compiled programs cycle by cycle, with what their network knows.

#include <cstdint>
#include <memory>
#include <stop_token>

#include "core/target/compiled.h"
#include "core/target/options.h"
#include "core/target/trace.h"

namespace convscope::target {

/// What was compiled is besides if it knows more of a run than a program file can say: the network's own weights.
class Traceable {
 public:
  virtual ~Traceable() = default;
  /// The run of a program with the network's own values where it has them; else as ProgramTools::trace of its file.
  /// `options` are those of ProgramTools::trace_options. Null, with diagnostics, if it is refused. Throws Cancelled.
  virtual std::shared_ptr<const Trace> trace(int program, const OptionValues& options, std::int64_t checkpoint_bytes,
                                             const std::stop_token& stop, Diagnostics& diagnostics) const = 0;
};

/// Null if what was compiled knows no more than its program files say.
inline const Traceable* traceable(const Compiled& compiled) {
  return dynamic_cast<const Traceable*>(&compiled);
}

}  // namespace convscope::target
