#pragma once
// Everything that one can do or go to in the window, as a list of commands that can be searched.

#include <QKeySequence>
#include <QString>
#include <functional>
#include <vector>

class QMainWindow;

namespace convscope::ui {

class Workbench;

struct Command {
  QString title;      ///< e.g. "Dark theme"
  QString place;      ///< where it is found without the palette, e.g. "View", "Machine"
  QKeySequence keys;  ///< empty if it has none
  std::function<void()> run;
};

/// Enabled actions of the window's menus in their order, without submenus' own entries.
std::vector<Command> menu_commands(const QMainWindow& window);
/// Machines, presets, levels, parameters (goes to the field) and layers (selects) of the workbench as it is now.
std::vector<Command> workbench_commands(QMainWindow& window, Workbench& workbench);

}  // namespace convscope::ui
