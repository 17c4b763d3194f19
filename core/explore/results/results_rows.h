#pragma once
// Rows of a results file by what the file itself says of its columns.

#include <memory>
#include <string>

#include "core/base/sqlite.h"
#include "core/catalogue/catalogue.h"
#include "core/explore/results/sweep_table.h"

namespace convscope::explore {

/// For files whose space can't be read; `space` stays null. Throws SqlError.
std::shared_ptr<const SweepTable> read_rows(const Database& database, const catalogue::Catalogue& catalogue,
                                            const std::string& state);

}  // namespace convscope::explore
