#include "ui/commands/command.h"

#include <QAction>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>

namespace convscope::ui {
namespace {

/// A menu's text as it is read: without mnemonic and ellipsis.
QString plain(QString text) {
  return text.remove('&').remove(QStringLiteral("…"));
}

void collect(const QList<QAction*>& actions, const QString& place, std::vector<Command>& commands) {
  for (QAction* action : actions) {
    const QString title = plain(action->text());
    if (const QMenu* menu = action->menu()) {
      collect(menu->actions(), place.isEmpty() ? title : place + QStringLiteral(" › ") + title, commands);
    } else if (!action->isSeparator() && action->isEnabled() && !title.isEmpty()) {
      commands.push_back({title, place, action->shortcut(), [action] { action->trigger(); }});
    }
  }
}

}  // namespace

std::vector<Command> menu_commands(const QMainWindow& window) {
  std::vector<Command> commands;
  if (const auto* bar = qobject_cast<QMenuBar*>(window.menuWidget())) collect(bar->actions(), {}, commands);
  return commands;
}

}  // namespace convscope::ui
