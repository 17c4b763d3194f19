#pragma once
// Tile sizes worth trying where tiles at borders have their true sizes. Trip counts don't tell all there: sizes of one
// trip count differ in how their rows fall on bursts, in what they need at borders and in the rounding of MACs. A size
// is left out if a smaller one costs no more of anything, whatever the other sizes are; the smaller one stands for it.

#include <stop_token>
#include <vector>

#include "core/nmp/cost/cost_model.h"

namespace convscope::nmp {

/// Of one dimension.
class SizeChoice {
 public:
  explicit SizeChoice(int limit = 0)
      : next_(static_cast<std::size_t>(limit) + 1), last_(static_cast<std::size_t>(limit) + 1) {}
  /// Sizes are added in ascending order, each one worth trying or one that `smaller` stands for.
  void add(int size);
  void add_behind(int smaller, int size);
  void finish();

  /// Sizes worth trying.
  const std::vector<int>& descending() const { return descending_; }
  /// Sizes that one worth trying stands for, the largest first, itself last.
  std::vector<int> behind(int size) const;

 private:
  std::vector<int> descending_;
  // Index: size. The next larger one that the same size stands for, 0 if there is none; the last one so far.
  std::vector<int> next_, last_;
};

/// Which sums of channels and units count, given rows, columns and schedule.
struct WhatCounts {
  bool whole_inputs = false;   ///< some tile has whole input maps, which merge
  bool whole_outputs = false;  ///< the same of output maps
  bool tiled_weights = false;  ///< weights come in tiles of T_N channels
};

/// All dimensions of a model with exact borders.
class WorthwhileSizes {
 public:
  /// Throws Cancelled.
  WorthwhileSizes(const CostModel& model, const std::stop_token& stop);
  const SizeChoice& columns() const { return columns_; }
  const SizeChoice& rows(Partition p) const { return rows_[static_cast<int>(p)]; }
  const SizeChoice& units(Partition p, WhatCounts w) const {
    return units_[static_cast<int>(p)][w.whole_inputs][w.whole_outputs];
  }
  const SizeChoice& channels(Partition p, Schedule s, WhatCounts w) const {
    if (p == Partition::channels) return split_[w.whole_inputs][w.tiled_weights];
    return s == Schedule::weight_stationary ? chunked_[w.whole_inputs] : channels_[w.whole_inputs][w.tiled_weights];
  }

 private:
  SizeChoice columns_, rows_[4], units_[4][2][2], channels_[2][2], chunked_[2], split_[2][2];
};

}  // namespace convscope::nmp
