#pragma once
// A results file as a table, with or without the space that it came from.

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/catalogue/catalogue.h"
#include "core/explore/results/sweep_table.h"

namespace convscope::explore {

/// All points of a file, of one too that a sweep still writes. Its space is looked for from the folders, from the
/// file's own and among the samples; it must be the very one, by the hash of text, networks and presets. Nothing, with
/// diagnostics, if this is no results file. `state` is for people.
std::shared_ptr<const SweepTable> read_results_table(const std::string& path, const std::vector<std::string>& folders,
                                                     const std::string& state,
                                                     const catalogue::CataloguePointer& catalogue,
                                                     Diagnostics& diagnostics);

/// Text of the space that a results file names; nothing, with a diagnostic, if this is no results file.
std::optional<std::string> read_results_space(const std::string& path, Diagnostics& diagnostics);

/// A machine as a results file holds it, in words.
struct StoredMachine {
  std::string target, preset, level;
  std::vector<std::pair<std::string, std::string>> parameters;  ///< name and value, all of them
};

/// Nothing, with a diagnostic, if the file has no such point.
std::optional<StoredMachine> read_stored_machine(const std::string& path, std::uint64_t point,
                                                 Diagnostics& diagnostics);

}  // namespace convscope::explore
