#pragma once
// A point of a sweep as the machine that it is, and in words.

#include <QString>
#include <optional>

#include "core/explore/results/results_table.h"
#include "ui/model/settings.h"

namespace convscope::ui {

using Targets = std::vector<std::shared_ptr<const target::Target>>;

/// The machine with the window's own targets; nothing if it has not got the point's.
std::optional<Settings> point_settings(const explore::Space& space, std::uint64_t point, const Targets& targets);

/// A machine as a results file has it. A preset that is not there any more is the target's own; nothing, with
/// diagnostics, if target, level or a parameter is unknown here. Reads files.
std::optional<Settings> stored_settings(const explore::StoredMachine& machine, const Targets& targets,
                                        const std::string& file, Diagnostics& diagnostics);

/// Lines of plain text: what varies, figures with units and origin, what was not mapped. Empty if it has no row.
QString point_text(const explore::SweepTable& table, std::uint64_t point);

}  // namespace convscope::ui
