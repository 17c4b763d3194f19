#include "core/nmp/search/searcher.h"

#include <algorithm>
#include <functional>

#include "core/base/cancellation.h"
#include "core/base/integers.h"

namespace convscope::nmp {
namespace {

using Sizes = std::vector<int>;

/// The smallest size of each trip count, descending: with full tiles, a larger size of the same count costs more.
Sizes breakpoints(int length) {
  Sizes sizes;
  for (int size = length; size >= 1; size = static_cast<int>((length - 1) / divide_up(length, size))) {
    size = static_cast<int>(divide_up(length, divide_up(length, size)));
    sizes.push_back(size);
    if (size == 1) break;
  }
  return sizes;
}

Sizes all_sizes(int length) {
  Sizes sizes;
  for (int size = length; size >= 1; --size) sizes.push_back(size);
  return sizes;
}

void insert_descending(Sizes& sizes, int size) {
  const auto place = std::lower_bound(sizes.begin(), sizes.end(), size, std::greater<>());
  if (place == sizes.end() || *place != size) sizes.insert(place, size);
}

// The first size whose input takes the whole map merges its rows, though its trip count starts earlier.
Sizes breakpoints_of_image(const Axis& axis, int limit) {
  Sizes sizes = breakpoints(limit);
  for (int size = limit; size >= 1; --size) {
    if (axis.full_tile(size) == axis.in) continue;
    if (size < limit) insert_descending(sizes, size + 1);
    break;
  }
  return sizes;
}

/// Sizes that are at most `limit`, the largest first.
Sizes::const_iterator from(const Sizes& sizes, int limit) {
  return std::lower_bound(sizes.begin(), sizes.end(), limit, std::greater<>());
}

}  // namespace

Searcher::Searcher(const CostModel& model, const SearchOptions& options, const BandwidthRange& range,
                   const std::stop_token& stop, SearchEffort& effort)
    : model_(model),
      c_(model.convolution()),
      m_(model.machine()),
      options_(options),
      stop_(stop),
      effort_(effort),
      single_(range.low == range.high),
      contest_(m_, options.level, range) {}

std::vector<Candidate> Searcher::run() {
  poll();
  walk_breakpoints();
  // A size between the breakpoints may be better where a row of banks matters, and with true border sizes.
  if (options_.level == CostLevel::banked)
    walk_all();
  else if (m_.borders == Borders::exact)
    walk_worthwhile();
  std::erase_if(found_, [&](const Candidate& c) { return contest_.beaten(contest_.prices(c.totals)); });
  return std::move(found_);
}

template <typename Visit>
void Searcher::each_strategy(Visit visit) {
  for (const Partition p : model_.partitions())
    for (const Schedule q : schedules)
      if ((!options_.partition || *options_.partition == p) && (!options_.schedule || *options_.schedule == q))
        visit(p, q);
}

void Searcher::walk_breakpoints() {
  const Sizes columns = breakpoints_of_image(c_.columns, c_.columns.out);
  each_strategy([&](Partition p, Schedule q) {
    const auto& part = model_.sums().of(p);
    unit_sizes_ = breakpoints(part.tile_units);
    channel_sizes_ = breakpoints(model_.channel_limit(p, q));
    areas(columns, breakpoints_of_image(c_.rows, part.slice_rows), {p, q, 1, 1, 1, 1});
  });
}

void Searcher::walk_all() {
  each_strategy([&](Partition p, Schedule q) {
    const auto& part = model_.sums().of(p);
    unit_sizes_ = all_sizes(part.tile_units);
    channel_sizes_ = all_sizes(model_.channel_limit(p, q));
    areas(all_sizes(c_.columns.out), all_sizes(part.slice_rows), {p, q, 1, 1, 1, 1});
  });
}

void Searcher::walk_worthwhile() {
  worthwhile_.emplace(model_, stop_);
  each_strategy([&](Partition p, Schedule q) {
    areas(worthwhile_->columns().descending(), worthwhile_->rows(p).descending(), {p, q, 1, 1, 1, 1});
  });
  settle_near();
}

void Searcher::areas(const Sizes& columns, const Sizes& rows, Tiling strategy) {
  for (const int c : columns)
    for (const int r : rows) {
      strategy.columns = c;
      strategy.rows = r;
      area(strategy);
    }
}

// All tilings with these rows and columns.
void Searcher::area(Tiling t) {
  look();
  const auto& part = model_.sums().of(t.partition);
  const Occupancy one = model_.occupancy(t);
  if (one.input > m_.input_room()) return;
  const std::int64_t output = std::int64_t{t.rows} * t.columns * c_.maps_per_unit * m_.element_bytes;
  if (output > m_.output_room()) return;
  Tiling largest = t;
  largest.channels = static_cast<int>(
      std::min<std::int64_t>(model_.channel_limit(t.partition, t.schedule),
                             c_.depthwise ? 1 : m_.input_room() / std::max<std::int64_t>(1, one.input)));
  largest.units = static_cast<int>(std::min<std::int64_t>(part.tile_units, m_.output_room() / output));
  if (hopeless(largest, false)) return;
  const Sizes& units = worthwhile_ ? worthwhile_->units(t.partition, what_counts(t)).descending() : unit_sizes_;
  for (auto size = from(units, largest.units); size != units.end(); ++size) {
    t.units = *size;
    depth(t, largest.channels);
  }
}

void Searcher::depth(Tiling t, int most_channels) {
  look();
  t.channels = most_channels;
  if (hopeless(t, true)) return;
  const Sizes& channels =
      worthwhile_ ? worthwhile_->channels(t.partition, t.schedule, what_counts(t)).descending() : channel_sizes_;
  for (auto size = from(channels, most_channels); size != channels.end(); ++size) {
    t.channels = *size;
    look();
    if (hopeless(t, true)) return;  // the bound rises as tiles get flatter
    if (fits(t)) offer(t);
  }
}

void Searcher::offer(const Tiling& t) {
  const Totals totals = model_.evaluate(t);
  Prices prices = contest_.prices(totals);
  if (contest_.beaten(prices)) return;
  if (options_.level == CostLevel::banked || (m_.doubled.any() && options_.level != CostLevel::volume)) {
    if (options_.level == CostLevel::banked) look(search_poll_interval);
    prices.low = prices.high = price_of(model_, t, totals, options_.level);
    if (contest_.beaten(prices)) return;
  }
  contest_.add(prices);
  if (worthwhile_)
    keep_near(t, prices);
  else
    settle(t, totals);
}

WhatCounts Searcher::what_counts(const Tiling& t) const {
  const RowSums& rows = model_.sums().of(t.partition).rows[static_cast<std::size_t>(t.rows)];
  const ColumnSums& columns = model_.sums().columns[static_cast<std::size_t>(t.columns)];
  const bool kept = t.schedule == Schedule::weight_stationary ||
                    (t.schedule == Schedule::input_stationary && model_.weights_resident(t.partition));
  return {columns.in_full > 0 && rows.in_whole > 0, columns.out_full > 0 && rows.out_whole > 0, !kept};
}

bool Searcher::fits(const Tiling& t) const {
  return model_.occupancy(t).fits(m_);
}

bool Searcher::hopeless(const Tiling& largest, bool units_known) const {
  return contest_.beaten(contest_.prices(model_.lower_bound(largest, units_known)));
}

void Searcher::keep_near(const Tiling& t, const Prices& prices) {
  if (near_.size() >= near_limit_) {
    drop_beaten();
    near_limit_ = 2 * std::max<std::size_t>(near_.size(), 32);
  }
  near_.push_back({t, prices});
}

void Searcher::drop_beaten() {
  std::erase_if(near_, [&](const Near& near) { return contest_.beaten(near.prices); });
}

// The preferred ones first: they leave the others little to look at.
void Searcher::settle_near() {
  drop_beaten();
  std::sort(near_.begin(), near_.end(), [](const Near& a, const Near& b) { return preferred(a.tiling, b.tiling); });
  for (const Near& near : near_) settle_behind(near);
}

// A tiling costs at least what the one does whose sizes stand for its own. So it can only be the best where the two
// tie, and where they tie with one size replaced, too.
void Searcher::settle_behind(const Near& near) {
  const Tiling& t = near.tiling;
  const std::size_t equal = settle(t, model_.evaluate(t));
  const WhatCounts counts = what_counts(t);
  const Sizes columns = ties(near, &Tiling::columns, worthwhile_->columns().behind(t.columns));
  if (columns.front() < found_[equal].tiling.columns) return;
  const Sizes rows = ties(near, &Tiling::rows, worthwhile_->rows(t.partition).behind(t.rows));
  const Sizes units = ties(near, &Tiling::units, worthwhile_->units(t.partition, counts).behind(t.units));
  const Sizes channels =
      ties(near, &Tiling::channels, worthwhile_->channels(t.partition, t.schedule, counts).behind(t.channels));
  for (const int c : columns)
    for (const int r : rows)
      for (const int u : units) settle_channels(near, {t.partition, t.schedule, r, c, 1, u}, channels, equal);
}

// What is not preferred to the one that it costs as much as is left out.
void Searcher::settle_channels(const Near& near, Tiling t, const Sizes& channels, std::size_t equal) {
  for (const int size : channels) {
    t.channels = size;
    look();
    const Tiling& best = found_[equal].tiling;
    if (t.columns < best.columns || (t.columns == best.columns && volume(t) < volume(best))) return;
    if (!fits(t)) continue;
    const Totals totals = model_.evaluate(t);
    if (Contest::tie(contest_.prices(totals), near.prices)) settle(t, totals);
  }
}

Searcher::Sizes Searcher::ties(const Near& near, int Tiling::*size, const Sizes& sizes) {
  Sizes found;
  Tiling t = near.tiling;
  for (const int replaced : sizes) {
    look();
    t.*size = replaced;
    if (fits(t) && Contest::tie(contest_.prices(model_.evaluate(t)), near.prices)) found.push_back(replaced);
  }
  return found;
}

std::size_t Searcher::settle(const Tiling& t, const Totals& totals) {
  const Candidate candidate{t, totals, single_ ? price_of(model_, t, totals, options_.level) : 0};
  const auto known = std::find_if(found_.begin(), found_.end(), [&](const Candidate& other) {
    return single_ || contest_.equal(totals, other.totals);
  });
  if (known == found_.end()) {
    found_.push_back(candidate);
    return found_.size() - 1;
  }
  if (better(candidate, *known)) *known = candidate;
  return static_cast<std::size_t>(known - found_.begin());
}

void Searcher::look(std::int64_t weight) {
  ++effort_.looks;
  since_poll_ += weight;
  if (since_poll_ >= search_poll_interval) poll();
}

void Searcher::poll() {
  ++effort_.polls;
  effort_.most_between_polls = std::max(effort_.most_between_polls, effort_.looks - looks_at_poll_);
  looks_at_poll_ = effort_.looks;
  since_poll_ = 0;
  throw_if_stopped(stop_);
}

}  // namespace convscope::nmp
