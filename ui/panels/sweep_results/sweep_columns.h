#pragma once
// How the table of a sweep writes its columns: a fixed unit and number of decimals for each, so that digits stand below
// each other.

#include <QString>
#include <vector>

#include "core/explore/results/sweep_table.h"

namespace convscope::ui {

struct SweepColumnFormat {
  QString label;         ///< "Time"
  QString unit;          ///< "ms"; empty if there is none
  QString origin;        ///< "estimate"; empty for what was chosen
  double scale = 1;      ///< of the shown number to the value
  int decimals = -1;     ///< -1: as many as the number has
  bool grouped = false;  ///< by thousands

  /// "Time\nms, estimate".
  QString header() const;
};

std::vector<SweepColumnFormat> sweep_formats(const explore::SweepTable& table);

/// Empty where there is no value.
QString sweep_cell(const explore::SweepColumn& column, const SweepColumnFormat& format, double value);

/// Marks of a row, for eyes that don't tell colours.
QString sweep_mark(const explore::SweepTable& table, std::size_t row);

/// Rows as text with tabs, with a header line; for any thread.
QString sweep_text(const explore::SweepTable& table, const std::vector<std::uint32_t>& rows);

}  // namespace convscope::ui
