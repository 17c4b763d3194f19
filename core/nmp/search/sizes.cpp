#include "core/nmp/search/sizes.h"

#include <algorithm>
#include <numeric>

#include "core/base/cancellation.h"
#include "core/base/integers.h"

namespace convscope::nmp {
namespace {

/// Sizes 1 to `limit`. `same_trips(a, b)`: equal trip counts, which fall as sizes grow; `no_worse(a, b)`: the smaller
/// size a costs no more than b, trip counts being equal.
template <typename SameTrips, typename NoWorse>
SizeChoice choose(int limit, const std::stop_token& stop, SameTrips same_trips, NoWorse no_worse) {
  SizeChoice choice(limit);
  std::vector<int> worthwhile;  // of those with the same trip counts
  for (int size = 1; size <= limit; ++size) {
    if (size % 64 == 1) throw_if_stopped(stop);
    if (size > 1 && !same_trips(size - 1, size)) worthwhile.clear();
    const auto smaller =
        std::find_if(worthwhile.begin(), worthwhile.end(), [&](int other) { return no_worse(other, size); });
    if (smaller != worthwhile.end()) {
      choice.add_behind(*smaller, size);
    } else {
      choice.add(size);
      worthwhile.push_back(size);
    }
  }
  choice.finish();
  return choice;
}

/// MACs that rounding adds along one dimension of the busiest slice, for each remainder that the other dimension can
/// leave: tiles of a size, of `length` outputs.
class Rounding {
 public:
  Rounding(int length, int other_length, int taps, int macs) : length_(length), macs_(macs) {
    const int distinct = macs / std::gcd(taps, macs);
    for (int other = 1; other <= std::min(other_length, distinct); ++other)
      remainders_.push_back(static_cast<std::int64_t>(other) * taps % macs);
  }

  bool no_worse(int a, int b) const {
    return std::all_of(remainders_.begin(), remainders_.end(),
                       [&](std::int64_t remainder) { return added(a, remainder) <= added(b, remainder); });
  }

 private:
  std::int64_t added(int size, std::int64_t remainder) const {
    return length_ / size * up_to_full(size * remainder) + up_to_full(length_ % size * remainder);
  }
  std::int64_t up_to_full(std::int64_t macs) const { return (macs_ - macs % macs_) % macs_; }

  int length_, macs_;
  std::vector<std::int64_t> remainders_;
};

/// MACs that work on one filter and channel, for the rounding of equation 7.
int pooled_macs(const Machine& m) {
  return m.array.kind == ArrayKind::lanes ? m.macs_per_cycle / (m.array.height * m.array.width) : m.macs_per_cycle;
}

/// Sizes of one trip count differ in which lanes idle, if an array has several of them for filters or channels: there
/// none stands for another.
bool any_size_fills(const Machine& m, int lanes) {
  return m.array.kind == ArrayKind::pooled || (m.array.kind == ArrayKind::lanes && lanes == 1);
}

/// Whether partial sums are stored by some strategy.
bool has_partial_sums(const CostModel& model) {
  return model.sums().chunks > 1 || !model.sums().split.empty();
}

SizeChoice choose_columns(const CostModel& model, const std::stop_token& stop) {
  const Convolution& c = model.convolution();
  const auto sums = [&](int size) -> const ColumnSums& { return model.sums().columns[static_cast<std::size_t>(size)]; };
  const Machine& m = model.machine();
  const Rounding rounding(c.columns.out, c.rows.out, c.taps(), pooled_macs(m));
  const Rounding adding(c.columns.out, c.rows.out, 1, pooled_macs(m));
  const bool adds = !model.sums().split.empty();
  const bool rounds = m.array.kind != ArrayKind::rows;  // which takes as long for any columns
  const bool partial = has_partial_sums(model);
  return choose(
      c.columns.out, stop, [&](int a, int b) { return sums(a).tiles == sums(b).tiles; },
      [&](int a, int b) {
        const ColumnSums &s = sums(a), &t = sums(b);
        return s.in_full == t.in_full && s.out_full == t.out_full && s.in <= t.in &&
               s.in_part_bursts <= t.in_part_bursts && s.out_part_bursts <= t.out_part_bursts &&
               (!partial || s.partial_part_bursts <= t.partial_part_bursts) && s.widest_in <= t.widest_in &&
               (!rounds || rounding.no_worse(a, b)) && (!adds || adding.no_worse(a, b));
      });
}

SizeChoice choose_rows(const CostModel& model, Partition p, const std::stop_token& stop) {
  const Convolution& c = model.convolution();
  const auto& part = model.sums().of(p);
  const auto sums = [&](int size) -> const RowSums& { return part.rows[static_cast<std::size_t>(size)]; };
  const auto trips = [&](int size) { return divide_up(part.slice_rows, size); };
  const Machine& m = model.machine();
  const Rounding rounding(part.slice_rows, c.columns.out, c.taps(), pooled_macs(m));
  const Rounding adding(part.slice_rows, c.columns.out, 1, pooled_macs(m));
  const bool adds = part.channel_slices > 1;
  const bool partial = has_partial_sums(model);
  return choose(
      part.slice_rows, stop, [&](int a, int b) { return sums(a).tiles == sums(b).tiles && trips(a) == trips(b); },
      [&](int a, int b) {
        const RowSums &s = sums(a), &t = sums(b);
        return s.in_whole == t.in_whole && s.out_whole == t.out_whole && s.in <= t.in &&
               s.in_strip_bursts <= t.in_strip_bursts && s.out_strip_bursts <= t.out_strip_bursts &&
               (!adds || adding.no_worse(a, b)) && (!partial || s.partial_strip_bursts <= t.partial_strip_bursts) &&
               s.tallest_in <= t.tallest_in &&
               (m.array.kind == ArrayKind::rows ? rows_no_worse(m.array, c, part.slice_rows, a, b)
                                                : rounding.no_worse(a, b));
      });
}

SizeChoice choose_units(const CostModel& model, Partition p, bool whole_inputs, bool whole_outputs,
                        const std::stop_token& stop) {
  const auto& part = model.sums().of(p);
  const auto sums = [&](int size) -> const UnitSums& { return part.units[static_cast<std::size_t>(size)]; };
  const bool partial = has_partial_sums(model);
  return choose(
      part.tile_units, stop,
      [&](int a, int b) {
        return sums(a).tiles == sums(b).tiles && sums(a).passes == sums(b).passes &&
               divide_up(part.tlt_units, a) == divide_up(part.tlt_units, b);
      },
      [&](int a, int b) {
        const UnitSums &s = sums(a), &t = sums(b);
        return any_size_fills(model.machine(), model.machine().array.width) &&
               s.weight_whole_bursts <= t.weight_whole_bursts &&
               (!whole_inputs || s.in_whole_bursts <= t.in_whole_bursts) &&
               (!whole_outputs || (s.out_whole_bursts <= t.out_whole_bursts &&
                                   (!partial || s.partial_whole_bursts <= t.partial_whole_bursts)));
      });
}

SizeChoice choose_channels(const CostModel& model, const std::vector<ChannelSums>& table, bool whole_inputs,
                           bool tiled_weights, const std::stop_token& stop) {
  const auto sums = [&](int size) -> const ChannelSums& { return table[static_cast<std::size_t>(size)]; };
  const bool dots = model.convolution().operation == Operator::fully_connected;
  return choose(
      static_cast<int>(table.size()) - 1, stop, [&](int a, int b) { return sums(a).tiles == sums(b).tiles; },
      [&](int a, int b) {
        return any_size_fills(model.machine(), model.machine().array.height) &&
               (!dots || sums(a).dot_steps <= sums(b).dot_steps) &&
               (!whole_inputs || sums(a).in_whole_bursts <= sums(b).in_whole_bursts) &&
               (!tiled_weights || sums(a).weight_bursts <= sums(b).weight_bursts);
      });
}

}  // namespace

void SizeChoice::add(int size) {
  descending_.push_back(size);
}

void SizeChoice::add_behind(int smaller, int size) {
  auto& last = last_[static_cast<std::size_t>(smaller)];
  next_[static_cast<std::size_t>(last == 0 ? smaller : last)] = size;
  last = size;
}

void SizeChoice::finish() {
  std::reverse(descending_.begin(), descending_.end());
  last_ = {};
}

std::vector<int> SizeChoice::behind(int size) const {
  std::vector<int> sizes;
  for (int other = size; other != 0; other = next_[static_cast<std::size_t>(other)]) sizes.push_back(other);
  std::reverse(sizes.begin(), sizes.end());
  return sizes;
}

WorthwhileSizes::WorthwhileSizes(const CostModel& model, const std::stop_token& stop)
    : columns_(choose_columns(model, stop)) {
  for (const Partition p : model.partitions()) {
    rows_[static_cast<int>(p)] = choose_rows(model, p, stop);
    for (const bool in : {false, true})
      for (const bool out : {false, true})
        units_[static_cast<int>(p)][in][out] = choose_units(model, p, in && model.convolution().depthwise, out, stop);
  }
  for (const bool in : {false, true}) {
    for (const bool weights : {false, true})
      channels_[in][weights] = choose_channels(model, model.sums().channels, in, weights, stop);
    if (!model.sums().split.empty())
      for (const bool weights : {false, true})
        split_[in][weights] = choose_channels(model, model.sums().split, in, weights, stop);
    chunked_[in] = choose_channels(model, model.sums().chunked, in, false, stop);
  }
}

}  // namespace convscope::nmp
