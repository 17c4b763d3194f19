#pragma once
// The walk through all tilings that the bounds leave. First over one size of each trip count, which finds nearly the
// best; then, where border tiles have their true sizes, over all sizes worth trying; last, over those that these stand
// for, since a larger tile wins where the price is the same.

#include <optional>

#include "core/nmp/search/contest.h"
#include "core/nmp/search/sizes.h"

namespace convscope::nmp {

class Searcher {
 public:
  Searcher(const CostModel& model, const SearchOptions& options, const BandwidthRange& range,
           const std::stop_token& stop, SearchEffort& effort);
  /// See contenders(); of a single bandwidth, the best with its price.
  std::vector<Candidate> run();

 private:
  using Sizes = std::vector<int>;
  /// A tiling that ties, or nearly, with the best ones, whose larger equals are still to be looked at.
  struct Near {
    Tiling tiling;
    Prices prices;
  };

  void walk_breakpoints();
  void walk_all();
  void walk_worthwhile();
  /// Calls visit(partition, schedule) for those that are not excluded.
  template <typename Visit>
  void each_strategy(Visit visit);
  void areas(const Sizes& columns, const Sizes& rows, Tiling strategy);
  void area(Tiling t);
  void depth(Tiling t, int most_channels);
  void offer(const Tiling& t);

  WhatCounts what_counts(const Tiling& t) const;
  bool fits(const Tiling& t) const;
  bool hopeless(const Tiling& largest, bool units_known) const;
  void keep_near(const Tiling& t, const Prices& prices);
  void drop_beaten();
  void settle_near();
  void settle_behind(const Near& near);
  Sizes ties(const Near& near, int Tiling::*size, const Sizes& sizes);
  void settle_channels(const Near& near, Tiling t, const Sizes& channels, std::size_t equal);
  /// Adds a tiling to those found, or puts it in the place of one that it equals and that it is preferred to. Returns
  /// the place. Of a single bandwidth there is one place, the best's.
  std::size_t settle(const Tiling& t, const Totals& totals);

  void look(std::int64_t weight = 1);
  void poll();

  const CostModel& model_;
  const Convolution& c_;
  const Machine& m_;
  const SearchOptions& options_;
  const std::stop_token& stop_;
  SearchEffort& effort_;
  const bool single_;  ///< bandwidth
  Contest contest_;
  std::int64_t since_poll_ = 0, looks_at_poll_ = 0;

  std::optional<WorthwhileSizes> worthwhile_;  // while these are walked over
  Sizes channel_sizes_, unit_sizes_;           // before
  std::vector<Near> near_;
  std::size_t near_limit_ = 64;  // of entries before beaten ones are dropped
  std::vector<Candidate> found_;
};

}  // namespace convscope::nmp
