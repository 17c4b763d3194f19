#pragma once
// One target figure of every layer of the thesis's networks at its four levels, and at those beyond it: what Figs 36
// and 37 draw.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/figures/figure.h"

namespace convscope::figures {

inline constexpr std::array<const char*, 6> nve_levels{"none",   "packing", "modulo", "fusion", "optimal-thesis-layout",
                                                       "optimal"};
/// Places of the thesis's levels among them that figures refer to.
inline constexpr std::size_t modulo_level = 2, fusion_level = 3;

struct LevelRow {
  std::string network, layer;
  std::array<std::optional<double>, nve_levels.size()> values;  ///< in the order of nve_levels
};

/// Rows in the order of networks and layers; empty, with diagnostics, if a sample is missing.
std::vector<LevelRow> at_nve_levels(std::string_view key, const Environment& environment, Diagnostics& diagnostics);

/// Mean over rows of values[now] / values[before] - 1; nothing if no row has both.
std::optional<double> mean_change(const std::vector<LevelRow>& rows, std::size_t before, std::size_t now);

}  // namespace convscope::figures
