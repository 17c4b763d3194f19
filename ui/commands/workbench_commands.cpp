#include <QAction>
#include <QCoreApplication>
#include <QDockWidget>
#include <QMainWindow>
#include <QScrollArea>

#include "core/network/network.h"
#include "core/target/target.h"
#include "ui/commands/command.h"
#include "ui/document/workbench.h"
#include "ui/words/translated.h"

namespace convscope::ui {
namespace {

QString to_text(const std::string& text) {
  return QString::fromStdString(text);
}

void add_machines(Workbench& workbench, std::vector<Command>& commands) {
  for (const auto& target : workbench.targets()) {
    commands.push_back({to_text(target->title()), translated("Target"), {}, [&workbench, id = to_text(target->id())] {
                          workbench.set_target(id);
                        }});
  }
  for (const QString& preset : workbench.presets()) {
    commands.push_back({preset, translated("Preset"), {}, [&workbench, preset] { workbench.load_preset(preset); }});
  }
  for (const target::Level& level : workbench.target()->levels()) {
    commands.push_back({to_text(level.title), translated("Level"), {}, [&workbench, name = to_text(level.name)] {
                          workbench.set_level(name);
                        }});
  }
}

/// Opens the dock around a widget, scrolls to it and gives it the keyboard.
void go_to(QWidget& widget) {
  for (QWidget* around = widget.parentWidget(); around != nullptr; around = around->parentWidget()) {
    if (auto* area = qobject_cast<QScrollArea*>(around)) area->ensureWidgetVisible(&widget);
    if (auto* dock = qobject_cast<QDockWidget*>(around)) {
      dock->show();
      dock->raise();
    }
  }
  for (QWidget* child : widget.findChildren<QWidget*>()) {
    if (child->focusPolicy() == Qt::NoFocus || !child->isVisibleTo(&widget)) continue;
    return child->setFocus(Qt::ShortcutFocusReason);
  }
}

void add_parameters(QMainWindow& window, const Workbench& workbench, std::vector<Command>& commands) {
  const auto& machine = workbench.machine();
  for (std::size_t index = 0; index < machine.description().parameters.size(); ++index) {
    const auto& parameter = machine.description().parameters[index];
    QString value = to_text(machine.text(index));
    if (!parameter.unit.empty()) value += ' ' + to_text(parameter.unit);
    commands.push_back({QStringLiteral("%1: %2").arg(to_text(parameter.label), value),
                        translated("Machine"),
                        {},
                        [&window, name = "parameter-" + to_text(parameter.name)] {
                          if (auto* row = window.findChild<QWidget*>(name)) go_to(*row);
                        }});
    commands.push_back({translated("Sweep %1").arg(to_text(parameter.label)),
                        translated("Explore"),
                        {},
                        [&window, name = "sweep-" + to_text(parameter.name)] {
                          if (auto* action = window.findChild<QAction*>(name)) action->trigger();
                        }});
  }
}

void add_layers(Workbench& workbench, std::vector<Command>& commands) {
  const auto network = workbench.network();
  if (!network) return;
  for (std::size_t index = 0; index < network->layers.size(); ++index) {
    const network::Layer& layer = network->layers[index];
    commands.push_back({to_text(layer.name), translated("Layer"), {}, [&workbench, index] {
                          artifact::Ref ref;
                          ref.layer = static_cast<int>(index);
                          workbench.select(ref);
                        }});
  }
}

}  // namespace

std::vector<Command> workbench_commands(QMainWindow& window, Workbench& workbench) {
  std::vector<Command> commands;
  add_machines(workbench, commands);
  add_parameters(window, workbench, commands);
  add_layers(workbench, commands);
  return commands;
}

}  // namespace convscope::ui
