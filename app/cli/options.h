#pragma once
// Options that several commands share; app/request says what they mean.

#include <CLI/CLI.hpp>

#include "app/request/request.h"

namespace convscope::cli {

/// --target, --preset, --set, --level.
struct MachineOptions : request::MachineChoice {
  void add_to(CLI::App& command, const catalogue::Catalogue& catalogue);
  /// Without --level, for commands that don't compile.
  void add_machine_to(CLI::App& command, const catalogue::Catalogue& catalogue);
};

/// NETWORK, --layer, --batch, --input-size.
struct NetworkOptions : request::NetworkChoice {
  void add_to(CLI::App& command);
};

}  // namespace convscope::cli
