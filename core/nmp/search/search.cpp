#include "core/nmp/search/search.h"

#include <algorithm>
#include <bit>
#include <functional>

#include <fmt/format.h>

#include "core/base/cancellation.h"
#include "core/nmp/cost/banked.h"

namespace convscope::nmp {
namespace {

// Sums of doubles that are equal in theory differ in the last bits.
constexpr double slack = 1 - 1e-12;

std::int64_t divide_up(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

/// The smallest size of each trip count, descending: with full tiles, a larger size of the same count costs more.
std::vector<int> breakpoints(int length) {
  std::vector<int> sizes;
  for (int size = length; size >= 1; size = static_cast<int>((length - 1) / divide_up(length, size))) {
    size = static_cast<int>(divide_up(length, divide_up(length, size)));
    sizes.push_back(size);
    if (size == 1) break;
  }
  return sizes;
}

std::vector<int> all_sizes(int length) {
  std::vector<int> sizes;
  for (int size = length; size >= 1; --size) sizes.push_back(size);
  return sizes;
}

void insert_descending(std::vector<int>& sizes, int size) {
  const auto place = std::lower_bound(sizes.begin(), sizes.end(), size, std::greater<>());
  if (place == sizes.end() || *place != size) sizes.insert(place, size);
}

class Searcher {
 public:
  Searcher(const CostModel& model, const SearchOptions& options, const std::stop_token& stop, SearchEffort& effort)
      : model_(model), c_(model.convolution()), m_(model.machine()), options_(options), stop_(stop), effort_(effort) {}

  std::optional<Candidate> run() {
    poll();
    walk(false);
    // With true border sizes, and where a row of banks matters, a size between the breakpoints may be better.
    if (m_.borders == Borders::exact || options_.level == CostLevel::banked) walk(true);
    return best_;
  }

 private:
  void walk(bool all) {
    const auto candidates = [&](int length) { return all ? all_sizes(length) : breakpoints(length); };
    columns_ = candidates(c_.columns.out);
    if (!all) add_first_full(columns_, c_.columns, c_.columns.out);
    for (const Partition p : partitions) {
      if (options_.partition && *options_.partition != p) continue;
      const auto& part = model_.sums().of(p);
      rows_ = candidates(part.slice_rows);
      if (!all) add_first_full(rows_, c_.rows, part.slice_rows);
      units_ = candidates(part.tlt_units);
      for (const Schedule q : schedules) {
        if (options_.schedule && *options_.schedule != q) continue;
        channels_ = candidates(model_.channel_limit(q));
        strategy(p, q);
      }
    }
  }

  // The first size whose input takes the whole map merges its rows, though its trip count starts earlier.
  static void add_first_full(std::vector<int>& sizes, const Axis& axis, int limit) {
    for (int size = limit; size >= 1; --size) {
      if (axis.full_tile(size) == axis.in) continue;
      if (size < limit) insert_descending(sizes, size + 1);
      return;
    }
  }

  void strategy(Partition p, Schedule q) {
    for (const int columns : columns_)
      for (const int rows : rows_) area({p, q, rows, columns, 1, 1});
  }

  void look(std::int64_t weight = 1) {
    ++effort_.looks;
    since_poll_ += weight;
    if (since_poll_ >= search_poll_interval) poll();
  }

  void poll() {
    ++effort_.polls;
    effort_.most_between_polls = std::max(effort_.most_between_polls, effort_.looks - looks_at_poll_);
    looks_at_poll_ = effort_.looks;
    since_poll_ = 0;
    throw_if_stopped(stop_);
  }

  /// Sizes that are at most `limit`, the largest first.
  static std::vector<int>::const_iterator from(const std::vector<int>& sizes, int limit) {
    return std::lower_bound(sizes.begin(), sizes.end(), limit, std::greater<>());
  }

  // All tilings with these rows and columns.
  void area(Tiling t) {
    look();
    const auto& part = model_.sums().of(t.partition);
    const Occupancy one = model_.occupancy(t);
    if (one.input > m_.input_bytes) return;
    const std::int64_t output = std::int64_t{t.rows} * t.columns * c_.maps_per_unit * m_.partial_sum_bytes;
    if (output > m_.output_bytes) return;
    Tiling largest = t;
    largest.channels = static_cast<int>(std::min<std::int64_t>(
        model_.channel_limit(t.schedule), c_.depthwise ? 1 : m_.input_bytes / std::max<std::int64_t>(1, one.input)));
    largest.units = static_cast<int>(std::min<std::int64_t>(part.tlt_units, m_.output_bytes / output));
    if (hopeless(largest, false)) return;
    for (auto units = from(units_, largest.units); units != units_.end(); ++units) {
      t.units = *units;
      depth(t, largest.channels);
    }
  }

  void depth(Tiling t, int most_channels) {
    look();
    t.channels = most_channels;
    if (hopeless(t, true)) return;
    for (auto channels = from(channels_, most_channels); channels != channels_.end(); ++channels) {
      t.channels = *channels;
      look();
      if (hopeless(t, true)) return;  // the bound rises as tiles get flatter
      const Occupancy o = model_.occupancy(t);
      if (o.input > m_.input_bytes || o.weights > m_.weight_bytes || o.output > m_.output_bytes) continue;
      offer(t);
    }
  }

  bool hopeless(const Tiling& t, bool units_known) const {
    return best_ && floor_of(model_.lower_bound(t, units_known)) * slack > best_->price;
  }

  double floor_of(const Totals& totals) const {
    if (options_.level == CostLevel::volume) return volume_seconds(totals, m_);
    const Seconds s = seconds_of(totals, m_);
    if (options_.level == CostLevel::burst) return s.total();
    const double peak = m_.dram.line_bytes * m_.dram.clock_hz / m_.dram.short_gap;
    const double rest = static_cast<double>(totals.all().bytes) / peak + s.commands;
    return s.mac + rest - hidden_seconds(m_, s.mac, rest);
  }

  void offer(const Tiling& t) {
    const Totals totals = model_.evaluate(t);
    if (best_ && floor_of(totals) > best_->price) return;
    if (options_.level == CostLevel::banked) look(search_poll_interval);
    const Candidate candidate{t, totals, price_of(model_, t, totals, options_.level)};
    if (!best_ || better(candidate, *best_)) best_ = candidate;
  }

  const CostModel& model_;
  const Convolution& c_;
  const Machine& m_;
  const SearchOptions& options_;
  const std::stop_token& stop_;
  SearchEffort& effort_;
  std::int64_t since_poll_ = 0, looks_at_poll_ = 0;
  std::vector<int> rows_, columns_, channels_, units_;
  std::optional<Candidate> best_;
};

}  // namespace

bool better(const Candidate& a, const Candidate& b) {
  if (a.price != b.price) return a.price < b.price;
  const Tiling &s = a.tiling, &t = b.tiling;
  if (s.columns != t.columns) return s.columns > t.columns;
  const auto volume = [](const Tiling& x) { return std::int64_t{x.rows} * x.columns * x.channels * x.units; };
  if (volume(s) != volume(t)) return volume(s) > volume(t);
  return s < t;
}

double price_of(const CostModel& model, const Tiling& tiling, const Totals& totals, CostLevel level) {
  if (level == CostLevel::volume) return volume_seconds(totals, model.machine());
  const Seconds s = seconds_of(totals, model.machine());
  if (level == CostLevel::burst) return s.total();
  const double rest = s.commands + banked_seconds(model, tiling);
  return s.mac + rest - hidden_seconds(model.machine(), s.mac, rest);
}

std::optional<Candidate> best_tiling(const CostModel& model, const SearchOptions& options, const std::stop_token& stop,
                                     SearchEffort* effort) {
  if (model.sums().chunk == 0) return std::nullopt;
  SearchEffort unasked;
  return Searcher(model, options, stop, effort ? *effort : unasked).run();
}

namespace {

// Parameters are powers of two; with double buffering a memory holds two tiles.
void add_overrun(std::string& text, const Machine& m, const char* memory, const char* parameter, std::int64_t need,
                 std::int64_t have) {
  if (need <= have) return;
  constexpr std::uint64_t largest = 1 << 20;
  const std::uint64_t enough = std::bit_ceil(static_cast<std::uint64_t>(m.double_buffering ? 2 * need : need));
  text += fmt::format("{}{} needs {} bytes and has {}: {} too many; ", text.empty() ? "" : ", ", memory, need, have,
                      need - have);
  text += enough <= largest ? fmt::format("{}={} would do", parameter, enough)
                            : fmt::format("{} cannot be made that large", parameter);
}

std::string overruns(const CostModel& model, const Occupancy& o) {
  const Machine& m = model.machine();
  std::string text;
  add_overrun(text, m, "MB0 (IN)", "input_memory", o.input, m.input_bytes);
  add_overrun(text, m, "MB1 (W)", "weight_memory", o.weights, m.weight_bytes);
  add_overrun(text, m, "MB2 (OUT)", "output_memory", o.output, m.output_bytes);
  return text;
}

}  // namespace

std::string smallest_violation(const CostModel& model, Partition partition, Schedule schedule) {
  Occupancy o = model.occupancy({partition, schedule, 1, 1, 1, 1});
  // A stationary filter may be split down to one channel, but no further.
  if (schedule == Schedule::weight_stationary && model.sums().chunk == 0)
    o.weights = model.occupancy({partition, Schedule::output_stationary, 1, 1, 1, 1}).weights;
  return overruns(model, o);
}

// Output stationary holds the least of all strategies, whatever the partition.
std::string no_tiling(const CostModel& model) {
  const std::string text = smallest_violation(model, Partition::filters, Schedule::output_stationary);
  return text.empty() ? text : "even the tile of one output, one channel and one filter is too large: " + text;
}

}  // namespace convscope::nmp
