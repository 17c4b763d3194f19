#pragma once
// What of a snapshot is another than a moment ago: a view draws anew what it draws of that, and nothing else.

#include <QFlags>

namespace convscope::ui {

/// Parts of what views draw.
enum class Change {
  network = 1,       ///< another one is open
  results = 2,       ///< layers and runs; that one goes on, or the words where there is none
  selection = 4,     ///< what is selected
  baselines = 8,     ///< another list, another choice, or a run that arrived
  sweep = 16,        ///< rows of the sweep
  look = 32,         ///< how the sweep is looked at
  sensitivity = 64,  ///< what helps most, and whether it is being measured
  theme = 128,
  quantization = 256,  ///< formats and errors of the network, and whether they are being made
};
Q_DECLARE_FLAGS(Changes, Change)

/// What tables of layers have in their cells.
inline constexpr Changes shown_in_tables = Changes(Change::network) | Change::results | Change::baselines;

}  // namespace convscope::ui

// Outside, where Qt's own flags have theirs: inside they would hide those.
Q_DECLARE_OPERATORS_FOR_FLAGS(convscope::ui::Changes)
