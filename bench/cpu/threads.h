#pragma once
// What threads gain.

#include "core/cpu/architecture/path.h"
#include "core/cpu/run/measure.h"

namespace convscope::bench {

struct ThreadGain {
  double alone = 0, together = 0;  ///< seconds, minima
  double possible = 0;             ///< multiply-adds alone on all threads / on one
  std::string message;             ///< what went wrong; empty if nothing did
  double gain() const { return alone / together; }
};

/// The program on one thread and on those of the laboratory's problem in turn, beside as many threads that do
/// multiply-adds alone: three rounds.
ThreadGain thread_gain(const cpu::Laboratory& several, const cpu::Availability& availability, const cpu::Path& path,
                       cpu::Family family, const cpu::RunOptions& options);

}  // namespace convscope::bench
