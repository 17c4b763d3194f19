#pragma once
// Pictures without a display: compiles, writes files, ends.

#include "app/window/options.h"

namespace convscope::window {

/// Opens what the options name, with the sizes that they give.
void open_network(ui::Workbench& workbench, const Options& options);

/// Opens the results of --sweep, in the background; does nothing without.
void open_sweep(ui::Workbench& workbench, const Options& options);

/// Does what --render, --export-view, --export-figure or --report ask for. Exit code as in the command line's contract.
int run_headless(ui::Workbench& workbench, const Options& options);

/// The path of a network: the argument itself, a sample of that name, or the face detector for an empty one.
QString network_path(const QString& argument);

}  // namespace convscope::window
