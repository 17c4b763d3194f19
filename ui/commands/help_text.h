#pragma once
// What the help window says, as rich text: made from the same descriptions as menus, tooltips and views.

#include <QString>
#include <span>
#include <vector>

#include "core/arch/parameters.h"
#include "ui/commands/command.h"
#include "ui/model/view.h"

namespace convscope::ui {

/// Commands that have keys, with them; then what each view shows; sweeps; every parameter of the machine.
QString help_text(const std::vector<Command>& commands, std::span<const ViewEntry> views,
                  const arch::MachineDescription& machine);

}  // namespace convscope::ui
