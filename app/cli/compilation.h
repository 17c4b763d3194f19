#pragma once
// Compiling on the command line: what was finished before SIGINT is kept.

#include "app/cli/context.h"
#include "core/engine/engine.h"

namespace convscope::cli {

struct Compilation {
  engine::CompiledNetwork compiled;  ///< layers that were cancelled are null
  bool stopped = false;
  double seconds = 0;  ///< wall clock
};

Compilation compile_keeping_finished(const engine::Request& request, Context& context);

/// An error for each program of ours that we refuse ourselves; true if there is one: then the exit code is
/// `internal_error`.
bool report_faults(const engine::CompiledNetwork& compiled, Diagnostics& diagnostics);

}  // namespace convscope::cli
