#pragma once
// What a sweep is to look at, as the user has it before him: a space in the making, a strategy, a file for results.

#include <QString>
#include <optional>
#include <string>

#include "core/explore/space/space_draft.h"
#include "core/explore/sweep/strategy.h"
#include "core/network/shape_inference.h"
#include "ui/model/settings.h"

namespace convscope::ui {

struct SweepSetup {
  explore::SpaceDraft draft;  ///< files in it are seen from `folder()`
  QString file;               ///< that the space was read from or saved to; empty: none
  std::string saved_text;     ///< what stands in that file
  explore::SpaceDraft saved;  ///< what it says
  explore::StrategyOptions strategy;
  QString results;  ///< file for results; empty: none

  bool empty() const { return draft.machines.empty() && draft.networks.empty(); }
  /// True if the file says what the draft says: then a sweep takes its very text, and results are the same as those of
  /// `convscope-cli sweep` with that file.
  bool is_saved() const { return !file.isEmpty() && draft == saved; }
  std::string folder() const;
};

struct SetupReading {
  std::optional<SweepSetup> setup;
  Diagnostics diagnostics;
};

/// Reads a space's file, right or wrong. Nothing, with diagnostics, if it is no space.
SetupReading read_setup(const QString& file);

/// A space for a machine: it alone, with what differs from its preset as single values, the network, and the usual
/// objectives. The network's file may be empty; sizes are those that it is read with.
SweepSetup setup_for(const Settings& machine, const QString& network_file,
                     const std::optional<network::InputSizes>& sizes);

/// Machines that are the current one: its preset if that comes with the program, and what differs from it.
explore::DraftMachines machines_for(const Settings& machine);

/// The parameter varies around its value; replaces what the machines say of it.
void vary(explore::DraftMachines& machines, const Settings& machine, std::size_t parameter);

}  // namespace convscope::ui
