#pragma once
// Tables of a results file, described in docs/explore.md: plain, so that a reader needs no ConvScope.

#include <string>
#include <vector>

#include "core/base/sqlite.h"
#include "core/explore/space/space.h"

namespace convscope::explore {

inline constexpr int results_version = 1;

/// Column of `points` that holds a parameter: "nmp.tles".
std::string parameter_column(const arch::MachineDescription& machine, std::size_t parameter);

/// Descriptions of the targets of a space, each once.
std::vector<std::shared_ptr<const arch::MachineDescription>> machines_of(const Space& space);

/// A column of a network's figures, in `points` and in `figures`.
struct FigureColumn {
  enum class Kind { value, origin, coverage, verified };
  std::string name;
  const char* type = "";  ///< as SQL names it
  Kind kind = Kind::value;
  std::size_t figure = 0;  ///< index in Outcomes::figures
};
/// The same ones for all targets, then those of the targets' own objectives.
std::vector<FigureColumn> figure_columns(const Outcomes& outcomes);

/// Tables and everything that doesn't depend on points. `strategy` and `shard` (empty: none) as texts.
void create_results(const Database& database, const Space& space, const std::string& strategy,
                    const std::string& shard);

/// INSERT statements with one placeholder a column.
std::string insert_point(const Space& space);
std::string insert_figures(const Space& space);

}  // namespace convscope::explore
