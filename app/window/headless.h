#pragma once
// Pictures without a display: compiles, writes files, ends.

#include "app/window/options.h"

namespace convscope::window {

/// Opens the network in the workbench and waits until it is compiled, at the other levels too if `all_levels`.
/// False if the network was refused; the workbench's messages say why.
bool open_and_wait(ui::Workbench& workbench, const QString& path, bool all_levels);

/// Does what --render or --export-view ask for. Exit code as in the command line's contract.
int run_headless(ui::Workbench& workbench, const Options& options);

/// The path of a network: the argument itself, a sample of that name, or the face detector for an empty one.
QString network_path(const QString& argument);

}  // namespace convscope::window
