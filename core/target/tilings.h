#pragma once
// Alternatives to a layer's tiling: what other strategies would do, and what a tiling made by hand costs.

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/artifact/metrics.h"
#include "core/artifact/tile_plan.h"

namespace convscope::target {

struct TileSize {
  std::string name;   ///< the field's term, e.g. "T_R"
  std::string label;  ///< for people, e.g. "rows"
  std::int64_t value = 1, maximum = 1;
  bool operator==(const TileSize&) const = default;
};

struct Alternative {
  std::string strategy;         ///< one of TilingTools::strategies()
  std::vector<TileSize> sizes;  ///< empty if the strategy has no tiling that fits
  artifact::Metrics metrics;    ///< nothing in it unless `fits`
  bool fits = false;
  bool chosen = false;                             ///< the layer's own tiling
  std::string explanation;                         ///< which memory overruns by how much, or which term costs what
  std::shared_ptr<const artifact::TilePlan> plan;  ///< null if the sizes lie outside their ranges
};

/// What a compiled layer can say about other tilings of itself.
class TilingTools {
 public:
  virtual ~TilingTools() = default;
  virtual std::vector<std::string> strategies() const = 0;
  /// The best tiling of a strategy. Throws Cancelled.
  virtual Alternative best(const std::string& strategy, const std::stop_token& stop) const = 0;
  /// A tiling made by hand: sizes in the order of `best`'s; outside their ranges or memories they don't fit, which
  /// `explanation` says. Throws Cancelled.
  virtual Alternative evaluate(const std::string& strategy, const std::vector<std::int64_t>& sizes,
                               const std::stop_token& stop) const = 0;
};

}  // namespace convscope::target
