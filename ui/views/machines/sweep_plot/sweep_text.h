#pragma once
// What every view of a sweep says in words: a point's reading, how much of the space was seen, and the table as CSV.

#include <QString>
#include <optional>
#include <string>

#include "ui/model/exploration.h"
#include "ui/model/view.h"

namespace convscope::ui {

/// The snapshot's table, if it has rows; else null.
std::shared_ptr<const explore::SweepTable> swept_table(const Snapshot& snapshot);
/// Why there is no chart of a sweep, and what to do.
QString missing_sweep_message(const Snapshot& snapshot);

/// "1,234"
QString points_text(std::uint64_t count);
/// "1,234 of 10,000 points seen (12.3 %), running".
QString seen_text(const explore::SweepTable& table);
/// "340 left out: mb1 must be mb0 (300), …"; empty if none is. `most` reasons, those that remove most first.
QString removed_text(const explore::SweepTable& table, std::size_t most);
/// A row's machine and figures, a line each, and whether it is on the front.
QString row_reading(const explore::SweepTable& table, std::size_t row);
/// The whole table with a header line; columns with their units, whether rows are on the front and within brushes.
std::string sweep_csv(const explore::SweepTable& table, const SweepLook& look);

/// The machine that is open.
struct OpenMachine {
  std::shared_ptr<const target::Target> target;
  arch::ParameterValues machine;
  std::string level;
  bool operator==(const OpenMachine&) const = default;
};
std::optional<OpenMachine> open_machine(const Snapshot& snapshot);
/// The row of a machine; nothing if the sweep hasn't got it.
std::optional<std::size_t> row_of(const explore::SweepTable& table, const OpenMachine& open);

}  // namespace convscope::ui
