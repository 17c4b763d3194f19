#pragma once
// Baselines that the command line asks for.

#include "app/window/options.h"
#include "core/base/diagnostic.h"

namespace convscope::window {

/// Takes target, preset, level and parameters of the start, and pins the runs of --baseline, which are compiled in the
/// background; tables compare with the last. Before anything is opened. False, with diagnostics, if one is refused.
bool configure(ui::Workbench& workbench, const Options& options, Diagnostics& diagnostics);

}  // namespace convscope::window
