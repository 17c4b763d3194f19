#pragma once
// Reads what `report --json` wrote, see docs/report-json.md.

#include <optional>
#include <string>
#include <string_view>

#include "core/analysis/compare_runs.h"
#include "core/base/diagnostic.h"

namespace convscope::analysis {

inline constexpr std::size_t largest_report = std::size_t{64} << 20;  ///< bytes

/// Nothing, with diagnostics that name the member, for text that is malformed, no report, of another version, or whose
/// figures are no figures. Members that this version does not know are passed over, since later ones may add some.
/// Figures of a target are described as it does if it is among `targets`; else they are neutral.
std::optional<Run> read_report(std::string_view text, const std::string& file,
                               const std::vector<std::shared_ptr<const target::Target>>& targets,
                               Diagnostics& diagnostics);

}  // namespace convscope::analysis
